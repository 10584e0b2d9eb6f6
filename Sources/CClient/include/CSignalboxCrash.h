// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// The report file: eight bytes `SBCRASH1`, then records in native byte order: kind and length, each a `uint32_t`, and the payload. The last
/// record is END; a report without it is torn, and its complete records are used.
enum csignalbox_record {
    /// One `csignalbox_crash`.
    CSIGNALBOX_CRASH = 1,
    /// Addresses, each a `uint64_t`: the newest frames of the crashed thread, and the oldest frames of a stack that is too deep.
    CSIGNALBOX_FRAMES = 2,
    CSIGNALBOX_FIRST_FRAMES = 3,
    /// One `csignalbox_image` and its path.
    CSIGNALBOX_IMAGE = 4,
    /// Notes as given.
    CSIGNALBOX_APP = 16,
    CSIGNALBOX_SESSION = 17,
    CSIGNALBOX_USER = 18,
    CSIGNALBOX_NAMED_USER = 19,
    CSIGNALBOX_VALUES = 20,
    CSIGNALBOX_LOG = 21,
    CSIGNALBOX_END = 255,
};

/// The crash: signal, fault address, registers and thread.
typedef struct {
    /// Since 1970.
    uint64_t microseconds;
    uint64_t address;
    uint64_t pc, sp, fp;
    uint64_t thread;
    int32_t signal, code;
    char name[32];
} csignalbox_crash;

/// A loaded binary with its build ID or UUID; the path follows the structure.
typedef struct {
    uint64_t address, size;
    uint32_t is_main, id_count;
    uint8_t id[32];
} csignalbox_image;

/// Installs the handler and creates the report file. The previous handlers are called after a report. Only one caller at a time owns the
/// handler, until `csignalbox_crash_end`. Returns 0, or -1 if the file cannot be created or the handler is owned already.
int csignalbox_crash_begin(const char *path);

/// Disarms the handler and deletes the file.
void csignalbox_crash_end(void);

/// Gives this thread a second signal stack, unless it has one, so that a stack overflow can be reported.
void csignalbox_crash_cover_thread(void);

/// Replaces a note. Calls for one kind must not overlap. A note that is too long is left out.
void csignalbox_crash_note(enum csignalbox_record kind, const uint8_t *bytes, size_t count);

/// Adds a log line; the last 64,000 bytes are reported.
void csignalbox_crash_log(const uint8_t *bytes, size_t count);

/// Writes the return addresses of this thread, newest first, and returns their number.
size_t csignalbox_calls(uint64_t *room, size_t count);

/// Calls back for each binary that contains one of the addresses.
void csignalbox_images(
    const uint64_t *addresses, size_t count, void (*tell)(void *whom, const csignalbox_image *image, const char *path), void *whom);

/// The name of a crash signal, such as `SIGSEGV`; NULL for other signals.
const char *csignalbox_signal_name(int signal);

/// The name of a signal code, such as `SEGV_MAPERR`; NULL if it has none for this signal.
const char *csignalbox_code_name(int signal, int code);
