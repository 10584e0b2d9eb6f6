// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "FaultShim.h"
#include <stdbool.h>
#include <stddef.h>

/// Whether a path is in the watched folder.
bool shim_watches(const char *path);

/// Writes the path of a name in an open folder. Returns false if it does not fit.
bool shim_place(int folder, const char *name, char *path, size_t size);

/// Whether the program's next call must fail; sets `errno` if so.
bool shim_fails(enum shim_kind kind);

/// Held during a call and its record, so that both have the same order in all threads.
void shim_lock(void);
void shim_unlock(void);

/// Appends a record. The lock must be held.
void shim_note(enum shim_kind kind, uint64_t file, int64_t offset, const char *name, const char *other, const void *data, size_t size);
/// The length of the journal.
int64_t shim_position(void);

/// The offset of the wall clock in nanoseconds.
int64_t shim_clock_offset(void);

/// The simulated sleep of the machine in nanoseconds.
int64_t shim_asleep(void);
