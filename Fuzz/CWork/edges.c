// SPDX-License-Identifier: Apache-2.0

#include "CWork.h"
#include "counters.h"
#include "names.h"

/* More guards than this share the last counter; the total stays right. */
enum { guard_limit = 1 << 20 };

static uint64_t edges;
static uint32_t guards;
static uint64_t hits[guard_limit];
static void *places[guard_limit];
uint64_t work_counted_bytes;

/* The names are the instrumentation's. Each module calls the first one once with its guards, which are zero until then. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *end) {
    if (first == end || *first) return;
    for (uint32_t *guard = first; guard < end; guard++) {
        if (guards < guard_limit - 1) guards++;
        *guard = guards;
    }
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    edges++;
    if (hits[*guard]++ == 0) places[*guard] = __builtin_return_address(0);
}

uint64_t work_edges(void) { return edges; }
uint64_t work_bytes(void) { return work_counted_bytes; }

void work_reset(void) {
    edges = 0;
    work_counted_bytes = 0;
    for (uint32_t guard = 0; guard <= guards; guard++) hits[guard] = 0;
}

static void add(work_place *list, size_t *count, size_t capacity, const char *function, uint64_t edges) {
    for (size_t i = 0; i < *count; i++) {
        if (list[i].function == function) {
            list[i].edges += edges;
            return;
        }
    }
    if (*count < capacity) list[(*count)++] = (work_place){function, edges};
}

static void sort(work_place *list, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && list[j - 1].edges < list[j].edges; j--) {
            work_place other = list[j];
            list[j] = list[j - 1];
            list[j - 1] = other;
        }
    }
}

size_t work_hottest(work_place *list, size_t capacity) {
    /* An edge counts only if it is a two-hundredth of all, so few functions compete. */
    work_place all[256];
    size_t count = 0;
    for (uint32_t guard = 0; guard <= guards; guard++) {
        if (hits[guard] * 200 > edges) add(all, &count, 256, work_name(places[guard]), hits[guard]);
    }
    sort(all, count);
    if (count > capacity) count = capacity;
    for (size_t i = 0; i < count; i++) list[i] = all[i];
    return count;
}

void work_measure(void (*run)(void)) {
    work_reset();
    run();
}
