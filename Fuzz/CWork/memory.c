// SPDX-License-Identifier: Apache-2.0

#include "counters.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The C library's functions over memory, counting the bytes they look at. A program's own definitions come before those of shared libraries,
 * so the Swift runtime and the libraries for compression use these too. Each is written without a call that the compiler could turn into itself.
 */

static void copy_forwards(void *to, const void *from, size_t count) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static void copy_backwards(uint8_t *to, const uint8_t *from, size_t count) {
    for (; count >= 8; count -= 8) {
        uint64_t word;
        __builtin_memcpy(&word, from + count - 8, 8);
        __builtin_memcpy(to + count - 8, &word, 8);
    }
    while (count--) to[count] = from[count];
}

void *memcpy(void *to, const void *from, size_t count) {
    work_counted_bytes += count;
    copy_forwards(to, from, count);
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    work_counted_bytes += count;
    if ((uintptr_t)to - (uintptr_t)from >= count) {
        copy_forwards(to, from, count);
    } else {
        copy_backwards(to, from, count);
    }
    return to;
}

void *memset(void *to, int byte, size_t count) {
    work_counted_bytes += count;
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(byte) : "memory");
    return to;
}

int memcmp(const void *one, const void *other, size_t count) {
    const uint8_t *a = one, *b = other;
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            work_counted_bytes += i + 1;
            return a[i] - b[i];
        }
    }
    work_counted_bytes += count;
    return 0;
}

int bcmp(const void *one, const void *other, size_t count) { return memcmp(one, other, count); }

void *memchr(const void *bytes, int byte, size_t count) {
    const uint8_t *p = bytes;
    for (size_t i = 0; i < count; i++) {
        if (p[i] == (uint8_t)byte) {
            work_counted_bytes += i + 1;
            return (void *)(p + i);
        }
    }
    work_counted_bytes += count;
    return NULL;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    work_counted_bytes += count + 1;
    return count;
}
