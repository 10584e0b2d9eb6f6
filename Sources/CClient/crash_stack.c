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

// The words of the stack that are searched, and the greatest distance of two frames.
enum { SEARCHED_WORDS = 2048, FRAME_BYTES = 1 << 20, STACK_BYTES = 8 << 20 };

// Whether a frame record can be at the address: the caller's frame, then a return address outside the stack.
static int is_record(uint64_t here, uint64_t sp, uint64_t *next) {
    uint64_t saved[2];
    uint8_t instruction;
    if (!crash_read(here, saved, sizeof saved)) return 0;
    *next = frame(saved[0]);
    uint64_t caller = code(saved[1]);
    if (*next <= here || *next - here > FRAME_BYTES || *next % sizeof here || caller < 4096) return 0;
    if (caller >= sp && caller - sp < STACK_BYTES) return 0;
    return crash_read(caller - 1, &instruction, 1);
}

// Whether the record at the address can be that of a thread's first function.
static int is_first(uint64_t here) {
    uint64_t saved[2];
    return crash_read(here, saved, sizeof saved) && !saved[0] && code(saved[1]) >= 4096;
}

// Functions without frame pointers, such as glibc's abort, break the chain. It goes on at the first two records above them.
static uint64_t next_record(uint64_t sp) {
    for (int word = 0; word < SEARCHED_WORDS; word++) {
        uint64_t here = sp + (uint64_t)word * sizeof here, next, last;
        if (is_record(here, sp, &next) && is_record(next, sp, &last)) return here;
    }
    return 0;
}

void crash_walk(struct registers at, struct stack *stack) {
    add(stack, at.pc);
    uint64_t caller = caller_of_nothing(at), sp = at.sp & ~(uint64_t)(sizeof sp - 1), next;
    if (caller) add(stack, caller);
    uint64_t here = frame(at.fp);
    // Such functions also use the register of the frame pointer for something else.
    int is_frame = here >= sp && here - sp < STACK_BYTES && (is_record(here, sp, &next) || is_first(here));
    follow(is_frame ? here : next_record(sp), STEPS, stack);
}

__attribute__((noinline)) size_t csignalbox_calls(uint64_t *room, size_t count) {
    struct stack stack;
    stack.depth = 0;
    follow((uint64_t)(uintptr_t)__builtin_frame_address(0), count < KEPT_FRAMES ? (int)count : KEPT_FRAMES, &stack);
    memcpy(room, stack.newest, stack.depth * sizeof *room);
    return stack.depth;
}
