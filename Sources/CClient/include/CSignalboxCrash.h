// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// A report on the disk: eight bytes `SBCRASH1`, then records as the machine lays out its numbers: a kind and a count of bytes, each a `uint32_t`, and so
/// many bytes. The last is an END; a report without one is torn, and what is whole of it counts.
enum csignalbox_record {
    /// One `csignalbox_crash`.
    CSIGNALBOX_CRASH = 1,
    /// Addresses, each a `uint64_t`: the crashing thread's from where it was, and the beginning of a stack of which those are not all.
    CSIGNALBOX_FRAMES = 2,
    CSIGNALBOX_FIRST_FRAMES = 3,
    /// One `csignalbox_image` and its path.
    CSIGNALBOX_IMAGE = 4,
    /// Notes, as they were given.
    CSIGNALBOX_APP = 16,
    CSIGNALBOX_SESSION = 17,
    CSIGNALBOX_USER = 18,
    CSIGNALBOX_NAMED_USER = 19,
    CSIGNALBOX_VALUES = 20,
    CSIGNALBOX_LOG = 21,
    CSIGNALBOX_END = 255,
};

/// What happened, and to whom.
typedef struct {
    /// Since 1970.
    uint64_t microseconds;
    uint64_t address;
    uint64_t pc, sp, fp;
    uint64_t thread;
    int32_t signal, code;
    char name[32];
} csignalbox_crash;

/// A binary that was loaded: a build id or a UUID of so many bytes; the path is what follows.
typedef struct {
    uint64_t address, size;
    uint32_t is_main, id_count;
    uint8_t id[32];
} csignalbox_image;

/// From now on a crash of this process is written into this file, which is made new, and handed on to whoever handled it before. Of several that ask, the
/// first has it until it says `csignalbox_crash_end`. Answers 0, or -1 where the file cannot be made or another has it.
int csignalbox_crash_begin(const char *path);

/// Crashes are nobody's business here any more; the file is deleted.
void csignalbox_crash_end(void);

/// A stack that has run over has no room for the handler: gives this thread a second one, unless it has one.
void csignalbox_crash_cover_thread(void);

/// Replaces what a report will say; notes of one kind come one after the other. What is too long for its place is left out.
void csignalbox_crash_note(enum csignalbox_record kind, const uint8_t *bytes, size_t count);

/// Adds a line; the last 64,000 bytes of them are reported.
void csignalbox_crash_log(const uint8_t *bytes, size_t count);

/// The calls that this thread is in, from the newest: where they go on when they return. Answers how many there is room for, or are.
size_t csignalbox_calls(uint64_t *room, size_t count);

/// Tells of each binary that one of these addresses lies in.
void csignalbox_images(
    const uint64_t *addresses, size_t count, void (*tell)(void *whom, const csignalbox_image *image, const char *path), void *whom);

/// `SIGSEGV` and its like; NULL for a signal that is no crash.
const char *csignalbox_signal_name(int signal);

/// `SEGV_MAPERR` and its like; NULL where the code has no name, or none of this signal's.
const char *csignalbox_code_name(int signal, int code);
