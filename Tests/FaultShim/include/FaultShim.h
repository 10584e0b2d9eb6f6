// SPDX-License-Identifier: Apache-2.0

#pragma once

// A library preloaded (LD_PRELOAD) between a program under test and the C library. No program of ours links it.
//
// SIGNALBOX_SHIM_ROOT is the watched folder, SIGNALBOX_SHIM_JOURNAL the file to which every change in it is appended,
// SIGNALBOX_SHIM_CONTROL the file of the words below, which the test reads and writes while the program runs, and SIGNALBOX_SHIM_HOSTS a
// file of addresses and names that override the resolver.

#include <stdint.h>

enum shim_kind { SHIM_CREATE = 1, SHIM_WRITE, SHIM_TRUNCATE, SHIM_SYNC, SHIM_SYNC_FOLDER, SHIM_RENAME, SHIM_REMOVE, SHIM_MAKE_FOLDER };

enum { SHIM_KILLS = -1 };

/// The memory shared with the test.
struct shim_control {
    /// The offset of the wall clock in nanoseconds.
    _Atomic int64_t clock_offset;
    /// The first failing call on watched files, counted from 1 over all kinds; 0 for none. From it on `failures` calls fail.
    _Atomic int64_t fail_first;
    _Atomic int64_t failures;
    /// The error of failing calls; `SHIM_KILLS` kills the program before the call instead.
    _Atomic int64_t error;
    /// The calls so far, and the number of failed ones.
    _Atomic int64_t calls;
    _Atomic int64_t failed;
    /// The `shim_kind` of the first failed call.
    _Atomic int64_t failed_kind;
    /// The simulated sleep in nanoseconds, shown only by the clock that includes sleep.
    _Atomic int64_t asleep;
};

/// The header of a journal record, followed by two names and the bytes.
struct shim_record {
    uint32_t kind;
    uint32_t name_bytes;
    uint32_t other_bytes;
    uint32_t data_bytes;
    /// The inode number of the file.
    uint64_t file;
    /// The offset of a write; the new length; for a sync, the journal's length when it began.
    int64_t offset;
};
