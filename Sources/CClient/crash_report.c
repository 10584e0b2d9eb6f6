// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "crash.h"

#include <pthread.h>
#include <time.h>

#if !defined(__APPLE__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Static, because the crashed stack may be full and the handler's stack is small.
static struct stack stack;

static uint64_t now(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void name_thread(csignalbox_crash *crash) {
#if defined(__APPLE__)
    pthread_threadid_np(NULL, &crash->thread);
#else
    crash->thread = (uint64_t)syscall(SYS_gettid);
    prctl(PR_GET_NAME, crash->name);
#endif
}

static void write_crash(int signal, const siginfo_t *info, struct registers at) {
    csignalbox_crash crash = {
        .microseconds = now(), .address = (uint64_t)(uintptr_t)info->si_addr, .pc = at.pc, .sp = at.sp, .fp = at.fp, .signal = signal, .code = info->si_code};
    name_thread(&crash);
    crash_file_record(CSIGNALBOX_CRASH, sizeof crash);
    crash_file_put(&crash, sizeof crash);
}

static void write_stack(struct registers at) {
    stack.depth = 0;
    crash_walk(at, &stack);
    size_t newest = stack.depth < KEPT_FRAMES ? (size_t)stack.depth : KEPT_FRAMES;
    crash_file_record(CSIGNALBOX_FRAMES, newest * sizeof stack.newest[0]);
    crash_file_put(stack.newest, newest * sizeof stack.newest[0]);
    uint64_t others = stack.depth - newest;
    size_t count = others < FIRST_FRAMES ? (size_t)others : FIRST_FRAMES;
    size_t start = (size_t)((stack.depth - count) % FIRST_FRAMES);
    size_t straight = count < FIRST_FRAMES - start ? count : FIRST_FRAMES - start;
    crash_file_record(CSIGNALBOX_FIRST_FRAMES, count * sizeof stack.first[0]);
    crash_file_put(stack.first + start, straight * sizeof stack.first[0]);
    crash_file_put(stack.first, (count - straight) * sizeof stack.first[0]);
}

// Parts that cannot fail come first, so that a torn report is as useful as possible.
void crash_report_write(int signal, const siginfo_t *info, const void *context) {
    struct registers at = crash_registers(context);
    if (crash_file_begin() < 0) return;
    crash_notes_write();
    write_crash(signal, info, at);
    write_stack(at);
    crash_images_write();
    crash_file_finish();
}
