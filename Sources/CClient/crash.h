// SPDX-License-Identifier: Apache-2.0

// What the parts of the crash handler know of each other. All that is called while a process crashes keeps to signal-safety(7): no memory is asked for, no
// lock is taken, nothing is called that might.
#pragma once

#include "CSignalboxCrash.h"

#include <signal.h>

enum { KEPT_FRAMES = 200, FIRST_FRAMES = 50 };

struct registers {
    uint64_t pc, sp, fp, lr;
};

/// A stack from its newest frame; of one that is too deep also how it began, as a ring.
struct stack {
    uint64_t newest[KEPT_FRAMES], first[FIRST_FRAMES];
    uint64_t depth;
};

/// Copies memory that may not be there; answers whether it was.
int crash_read(uint64_t address, void *room, size_t count);

struct registers crash_registers(const void *context);
void crash_walk(struct registers at, struct stack *stack);

/// Writes all of a report into the file.
void crash_report_write(int signal, const siginfo_t *info, const void *context);

/// Learns beforehand what the images cannot be found without; does so once.
void crash_images_prepare(void);
void crash_images_write(void);

static inline int crash_lies_in(const uint64_t *addresses, size_t count, uint64_t start, uint64_t size) {
    for (size_t i = 0; i < count; i++) {
        if (addresses[i] >= start && addresses[i] - start < size) return 1;
    }
    return 0;
}

/// Makes the file and keeps it open. Answers 0 or -1.
int crash_file_open(const char *path);
void crash_file_delete(void);
/// Begins a report; answers 0 or -1.
int crash_file_begin(void);
void crash_file_record(enum csignalbox_record kind, size_t count);
void crash_file_put(const void *bytes, size_t count);
void crash_file_finish(void);
/// It was no crash after all.
void crash_file_withdraw(void);

void crash_notes_clear(void);
void crash_notes_write(void);
/// Whether somebody reads the notes, so that nobody may change them.
int crash_is_written(void);
