// SPDX-License-Identifier: Apache-2.0

#pragma once

// A library that stands between a program under test and the C library (LD_PRELOAD), and never in a program of ours.
//
// SIGNALBOX_SHIM_ROOT names the folder whose files are watched; SIGNALBOX_SHIM_JOURNAL a file that every change to them is appended to;
// SIGNALBOX_SHIM_CONTROL a file of the words below, which the test writes and reads while the program runs; SIGNALBOX_SHIM_HOSTS a file of
// addresses and names, which go before those that the resolver knows.

#include <stdint.h>

enum shim_kind { SHIM_CREATE = 1, SHIM_WRITE, SHIM_TRUNCATE, SHIM_SYNC, SHIM_SYNC_FOLDER, SHIM_RENAME, SHIM_REMOVE, SHIM_MAKE_FOLDER };

enum { SHIM_KILLS = -1 };

/// Words that both sides see at once.
struct shim_control {
    /// Nanoseconds by which the program's calendar clock is off.
    _Atomic int64_t clock_offset;
    /// The first call on watched files that fails, counted from 1 over all kinds; 0 for none. Those after it fail, too, as many as `failures`.
    _Atomic int64_t fail_first;
    _Atomic int64_t failures;
    /// What they fail with; `SHIM_KILLS` where the program is killed instead, before the call.
    _Atomic int64_t error;
    /// Calls so far, and how many of them were made to fail.
    _Atomic int64_t calls;
    _Atomic int64_t failed;
    /// The `shim_kind` of the first that failed.
    _Atomic int64_t failed_kind;
    /// Nanoseconds that the machine was asleep, which only the clock that counts them shows.
    _Atomic int64_t asleep;
};

/// What stands in the journal before the two names and the bytes.
struct shim_record {
    uint32_t kind;
    uint32_t name_bytes;
    uint32_t other_bytes;
    uint32_t data_bytes;
    /// The file's number in its file system.
    uint64_t file;
    /// Where bytes were written; the new length; of a sync, how long the journal was when it began.
    int64_t offset;
};
