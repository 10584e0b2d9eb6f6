// SPDX-License-Identifier: Apache-2.0

#ifndef CWORK_H
#define CWORK_H

#include <stddef.h>
#include <stdint.h>

/* Counters of work, for a build whose Swift, C and C++ is instrumented with trace-pc-guard. One thread at a time. */

/* Edges of the control flow taken in instrumented code since `work_reset`. */
uint64_t work_edges(void);
/* Bytes handed to code without instrumentation since `work_reset`: copies, comparisons, searches, and the libraries for JSON and compression. */
uint64_t work_bytes(void);
void work_reset(void);
/* Resets the counters and calls `run`. The name is what `callgrind --toggle-collect` is given. */
void work_measure(void (*run)(void)) __attribute__((noinline));

typedef struct {
    /* The linker's name of the function, or NULL. It lives as long as the program. */
    const char *function;
    uint64_t edges;
} work_place;

/* The functions with the most edges since `work_reset`, most first; returns how many were written. */
size_t work_hottest(work_place *places, size_t capacity);

#endif
