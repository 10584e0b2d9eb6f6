// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int clinux_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t size = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

ssize_t clinux_read(int file, void *bytes, size_t count, int64_t offset, int waits) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    return preadv2(file, &part, 1, offset, waits ? 0 : RWF_NOWAIT);
}

int64_t clinux_clock(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void clinux_set_slice(uint64_t nanoseconds) {
    // The first version of the kernel's structure.
    struct {
        uint32_t size;
        uint32_t policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime;
        uint64_t deadline;
        uint64_t period;
    } attributes = {.size = sizeof attributes, .policy = SCHED_OTHER, .nice = getpriority(PRIO_PROCESS, 0), .runtime = nanoseconds};
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}
