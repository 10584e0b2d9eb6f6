// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "FaultShim.h"
#include <stdbool.h>
#include <stddef.h>

/// Whether a path lies in the watched folder.
bool shim_watches(const char *path);

/// Whether the program's next call shall fail; sets `errno` then.
bool shim_fails(enum shim_kind kind);

/// Calls and their records come in the same order, whatever thread makes them.
void shim_lock(void);
void shim_unlock(void);

/// Appends a record; only while the lock is held.
void shim_note(enum shim_kind kind, uint64_t file, int64_t offset, const char *name, const char *other, const void *data, size_t size);
/// The journal's length.
int64_t shim_position(void);

/// How far the calendar clock is off, in nanoseconds.
int64_t shim_clock_offset(void);

/// How long the machine was asleep, in nanoseconds.
int64_t shim_asleep(void);
