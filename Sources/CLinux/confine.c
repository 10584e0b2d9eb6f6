// SPDX-License-Identifier: Apache-2.0

#include "CLinuxConfine.h"
#include "confine.h"
#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>

// Sanitizers read /proc and call what the filter forbids.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

int clinux_confinement_support(void) {
#ifdef IS_SANITIZED
    return 0;
#else
    return (clinux_has_landlock() ? CLINUX_CONFINES_FILES : 0) | (clinux_has_filters() ? CLINUX_CONFINES_CALLS : 0);
#endif
}

/// Whether this process has one thread: both restrictions are those of a thread, and of what it starts.
static int has_one_thread(void) {
    struct stat threads;
    // The folder has an entry for each thread, besides itself and its parent.
    return stat("/proc/self/task", &threads) != 0 || threads.st_nlink <= 3;
}

int clinux_confine_self(char *const readable[], char *const executable[]) {
    int support = clinux_confinement_support();
    if (support == 0) return 0;
    if (!has_one_thread()) return EBUSY;
    // Required by both, and keeps set-user-ID programs from regaining rights.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    int error = 0;
    if (support & CLINUX_CONFINES_FILES) error = clinux_landlock(readable, executable);
    // The filter forbids the calls of Landlock, so it comes second.
    if (error == 0 && support & CLINUX_CONFINES_CALLS) error = clinux_filter(executable[0] != 0);
    return error;
}
