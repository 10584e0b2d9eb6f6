// SPDX-License-Identifier: Apache-2.0

// The wall clock, which a test can set while the program runs, and the clock that includes sleep.

#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static int64_t shifted(clockid_t clock, int64_t offset) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * SECOND + now.tv_nsec + offset;
}

static int64_t shifted_now(void) { return shifted(CLOCK_REALTIME, shim_clock_offset()); }

int clock_gettime(clockid_t clock, struct timespec *out) {
    int64_t now;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now = shifted_now();
    else if (clock == CLOCK_BOOTTIME) now = shifted(clock, shim_asleep());
    else return (int)syscall(SYS_clock_gettime, clock, out);
    out->tv_sec = now / SECOND;
    out->tv_nsec = now % SECOND;
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    int64_t now = shifted_now();
    out->tv_sec = now / SECOND;
    out->tv_usec = now % SECOND / 1000;
    return 0;
}

time_t time(time_t *out) {
    time_t now = (time_t)(shifted_now() / SECOND);
    if (out) *out = now;
    return now;
}

// Like the kernel, waits until the wall clock shows a time, also if the clock is changed meanwhile.
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    while (sem_trywait(semaphore) != 0) {
        if (errno != EAGAIN && errno != EINTR) return -1;
        int64_t left = until->tv_sec * SECOND + until->tv_nsec - shifted_now();
        if (left <= 0) {
            errno = ETIMEDOUT;
            return -1;
        }
        struct timespec soon;
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &soon);
        int64_t end = soon.tv_sec * SECOND + soon.tv_nsec + (left < SECOND / 50 ? left : SECOND / 50);
        soon.tv_sec = end / SECOND;
        soon.tv_nsec = end % SECOND;
        if (sem_clockwait(semaphore, CLOCK_MONOTONIC, &soon) == 0) return 0;
        if (errno != ETIMEDOUT && errno != EINTR) return -1;
    }
    return 0;
}
