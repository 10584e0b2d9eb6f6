// SPDX-License-Identifier: Apache-2.0

#include "CLinuxConfine.h"
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void limit(int resource, rlim_t most) {
    struct rlimit old, new = {most, most};
    // A hard limit that is lower already stays.
    if (getrlimit(resource, &old) == 0 && old.rlim_max < most) new.rlim_cur = new.rlim_max = old.rlim_max;
    setrlimit(resource, &new);
}

static void become_first_victim(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t ignored = write(file, "1000", 4);
    (void)ignored;
    close(file);
}

/// Gives all capabilities up. Without new privileges a program does not get them back. A process that has none, such as the daemon's under
/// its unit, may be forbidden to make the call.
static int drop_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0}}, none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &head, held) != 0) return errno;
    if (memcmp(held, none, sizeof none) == 0) return 0;
    return syscall(SYS_capset, &head, none) == 0 ? 0 : errno;
}

/// Waits for the end of a process, and kills its group, which this process belongs to.
static void end_group_after(int process) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    // The streams end with the program.
    for (int stream = 0; stream < 3; stream++) close(stream);
    struct pollfd end = {.fd = process, .events = POLLIN};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) {}
    kill(0, SIGKILL);
    _exit(0);
}

/// Starts a process that ends the group with this one. What the program starts would otherwise survive the daemon.
///
/// It is no child of the program, which may wait for all of its own.
static int end_group_with_self(void) {
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self < 0) return errno;
    pid_t child = fork();
    if (child == 0) {
        pid_t last = fork();
        if (last == 0) end_group_after(self);
        _exit(last < 0);
    }
    int error = child < 0 ? errno : 0;
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    close(self);
    return error != 0 ? error : status != 0 ? EAGAIN : 0;
}

int clinux_confine_worker(const struct clinux_worker *worker) {
    int support = clinux_confinement_support();
    if (worker->needs_landlock && !(support & CLINUX_CONFINES_FILES)) return ENOSYS;
    pid_t parent = getppid();
    int error = 0;
    // Fails only in a process that leads a group already, which then has other programs, too.
    if (setsid() >= 0) error = end_group_with_self();
    if (error != 0) return error;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    become_first_victim();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_DATA, worker->memory);
    limit(RLIMIT_NOFILE, worker->descriptors);
    limit(RLIMIT_NPROC, worker->processes);
    limit(RLIMIT_FSIZE, worker->file_size);
    error = drop_capabilities();
    if (error == 0 && worker->needs_landlock) error = clinux_landlock_worker(worker->readable, worker->writable, worker->devices);
    if (error == 0 && support & CLINUX_CONFINES_CALLS) error = clinux_filter_worker(parent);
    return error;
}
