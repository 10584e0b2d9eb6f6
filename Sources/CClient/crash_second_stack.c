// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "crash.h"

#include <pthread.h>
#include <sys/mman.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && (TARGET_OS_TV || TARGET_OS_WATCH)
// These systems do not allow signal stacks.
void csignalbox_crash_cover_thread(void) {}
#else

enum { SECOND_STACK = 128 << 10, ENOUGH = 32 << 10 };

static pthread_key_t ours;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int is_covered;

static void take_back(void *room) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(room, SECOND_STACK);
}

static void prepare(void) { pthread_key_create(&ours, take_back); }

void csignalbox_crash_cover_thread(void) {
    stack_t now;
    if (is_covered) return;
    is_covered = 1;
    if (sigaltstack(NULL, &now) < 0 || (!(now.ss_flags & SS_DISABLE) && now.ss_size >= ENOUGH)) return;
    void *room = mmap(NULL, SECOND_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room == MAP_FAILED) return;
    stack_t second = {.ss_sp = room, .ss_size = SECOND_STACK};
    sigaltstack(&second, NULL);
    pthread_once(&once, prepare);
    pthread_setspecific(ours, room);
}
#endif
