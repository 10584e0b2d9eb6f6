// SPDX-License-Identifier: Apache-2.0

// Internal interface of the crash handler. Everything called during a crash is async-signal-safe, see signal-safety(7): no allocation, no locks.
#pragma once

#include "CSignalboxCrash.h"

#include <signal.h>

enum { KEPT_FRAMES = 200, FIRST_FRAMES = 50 };

struct registers {
    uint64_t pc, sp, fp, lr;
};

/// A stack, newest frame first; the oldest frames of a deep stack are kept in a ring.
struct stack {
    uint64_t newest[KEPT_FRAMES], first[FIRST_FRAMES];
    uint64_t depth;
};

/// Copies memory that may be unmapped; returns whether it was mapped.
int crash_read(uint64_t address, void *room, size_t count);

struct registers crash_registers(const void *context);
void crash_walk(struct registers at, struct stack *stack);

/// Writes the report to the file.
void crash_report_write(int signal, const siginfo_t *info, const void *context);

/// Prepares finding images, once.
void crash_images_prepare(void);
void crash_images_write(void);

static inline int crash_lies_in(const uint64_t *addresses, size_t count, uint64_t start, uint64_t size) {
    for (size_t i = 0; i < count; i++) {
        if (addresses[i] >= start && addresses[i] - start < size) return 1;
    }
    return 0;
}

/// Creates the file and keeps it open. Returns 0 or -1.
int crash_file_open(const char *path);
void crash_file_delete(void);
/// Starts a report; returns 0 or -1.
int crash_file_begin(void);
void crash_file_record(enum csignalbox_record kind, size_t count);
void crash_file_put(const void *bytes, size_t count);
void crash_file_finish(void);
/// Discards the report: a previous handler resolved the fault.
void crash_file_withdraw(void);

void crash_notes_clear(void);
void crash_notes_write(void);
/// Whether notes are being read and must not be changed.
int crash_is_written(void);
