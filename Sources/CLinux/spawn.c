// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinuxSpawn.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                 const int streams[3], pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    for (int place = 0; place < 3; place++) {
        if (streams[place] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[place], place);
        else
            posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    int error = posix_spawn(child, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

void clinux_confine(pid_t process, unsigned long long bytes) {
    struct rlimit room = {bytes, bytes}, none = {0, 0};
    prlimit(process, RLIMIT_AS, &room, NULL);
    prlimit(process, RLIMIT_CORE, &none, NULL);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", process);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t ignored = write(file, "1000", 4);
    (void)ignored;
    close(file);
}

void clinux_allow(pid_t process, unsigned seconds) {
    clockid_t clock;
    struct timespec used;
    struct rlimit room;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
    if (prlimit(process, RLIMIT_CPU, NULL, &room) != 0) return;
    rlim_t wanted = (rlim_t)used.tv_sec + seconds + 1;
    room.rlim_cur = wanted < room.rlim_max ? wanted : room.rlim_max;
    prlimit(process, RLIMIT_CPU, &room, NULL);
}

int clinux_stream(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int clinux_process_descriptor(pid_t process) {
    // The header of glibc 2.36 conflicts with that of the kernel. Such descriptors are close-on-exec.
    return (int)syscall(SYS_pidfd_open, process, 0);
}

int clinux_unread(int descriptor) {
    int bytes = 0;
    return ioctl(descriptor, FIONREAD, &bytes) == 0 ? bytes : -1;
}

int clinux_never_wait(int descriptor) {
    return fcntl(descriptor, F_SETFL, O_NONBLOCK);
}
