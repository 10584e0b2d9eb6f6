// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"
#include <time.h>

int clinux_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t size = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int64_t clinux_clock(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
