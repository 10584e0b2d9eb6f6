// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "crash.h"

#include <string.h>

#if defined(__APPLE__)
#include <mach/thread_status.h>
#endif

struct registers crash_registers(const void *context) {
    const ucontext_t *here = context;
#if defined(__APPLE__) && defined(__arm64__)
    return (struct registers){
        __darwin_arm_thread_state64_get_pc(here->uc_mcontext->__ss), __darwin_arm_thread_state64_get_sp(here->uc_mcontext->__ss),
        __darwin_arm_thread_state64_get_fp(here->uc_mcontext->__ss), __darwin_arm_thread_state64_get_lr(here->uc_mcontext->__ss)};
#elif defined(__APPLE__) && defined(__x86_64__)
    return (struct registers){here->uc_mcontext->__ss.__rip, here->uc_mcontext->__ss.__rsp, here->uc_mcontext->__ss.__rbp, 0};
#elif defined(__aarch64__)
    return (struct registers){here->uc_mcontext.pc, here->uc_mcontext.sp, here->uc_mcontext.regs[29], here->uc_mcontext.regs[30]};
#elif defined(__x86_64__)
    const greg_t *all = here->uc_mcontext.gregs;
    return (struct registers){(uint64_t)all[REG_RIP], (uint64_t)all[REG_RSP], (uint64_t)all[REG_RBP], 0};
#else
    (void)here;
    return (struct registers){0, 0, 0, 0};
#endif
}

// The step limit, above the depth of any stack of megabytes; it takes a fraction of a second.
enum { STEPS = 400000 };

// Swift marks frames of async functions with a bit that addresses do not have.
static uint64_t frame(uint64_t value) { return value & ~(1ull << 60); }

// On arm64 the upper bits of a return address may be a pointer authentication code.
static uint64_t code(uint64_t value) {
#if defined(__aarch64__) || defined(__arm64__)
    return value & ((1ull << 47) - 1);
#else
    return value;
#endif
}

static void add(struct stack *stack, uint64_t address) {
    if (stack->depth < KEPT_FRAMES) {
        stack->newest[stack->depth] = address;
    } else {
        stack->first[stack->depth % FIRST_FRAMES] = address;
    }
    stack->depth++;
}

// A call to an invalid address has no frame yet.
static uint64_t caller_of_nothing(struct registers at) {
    uint8_t instruction;
    if (crash_read(at.pc, &instruction, 1)) return 0;
    uint64_t caller = at.lr;
    if (!caller && !crash_read(at.sp, &caller, sizeof caller)) return 0;
    return code(caller);
}

static void follow(uint64_t here, int steps, struct stack *stack) {
    for (int step = 0; step < steps; step++) {
        uint64_t saved[2];
        if (here % sizeof here || !crash_read(here, saved, sizeof saved) || !code(saved[1])) return;
        add(stack, code(saved[1]));
        // Frames of callers have higher addresses; anything else would loop.
        if (frame(saved[0]) <= here) return;
        here = frame(saved[0]);
    }
}

void crash_walk(struct registers at, struct stack *stack) {
    add(stack, at.pc);
    uint64_t caller = caller_of_nothing(at);
    if (caller) add(stack, caller);
    follow(frame(at.fp), STEPS, stack);
}

__attribute__((noinline)) size_t csignalbox_calls(uint64_t *room, size_t count) {
    struct stack stack;
    stack.depth = 0;
    follow((uint64_t)(uintptr_t)__builtin_frame_address(0), count < KEPT_FRAMES ? (int)count : KEPT_FRAMES, &stack);
    memcpy(room, stack.newest, stack.depth * sizeof *room);
    return stack.depth;
}
