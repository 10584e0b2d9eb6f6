// SPDX-License-Identifier: Apache-2.0

#include "CChecksum.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static uint32_t tables[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
        tables[0][i] = crc;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++) tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 255];
}

uint32_t cchecksum_crc32c_tables(uint32_t crc, const void *bytes, size_t count) {
    pthread_once(&made, make_tables);
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; count >= 8; at += 8, count -= 8) {
        uint32_t low = crc ^ (at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24);
        crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^ tables[3][at[4]] ^
              tables[2][at[5]] ^ tables[1][at[6]] ^ tables[0][at[7]];
    }
    for (; count > 0; at++, count--) crc = crc >> 8 ^ tables[0][(crc ^ *at) & 255];
    return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t with_instruction(uint32_t crc, const uint8_t *at, size_t count) {
    uint64_t sum = ~crc;
    for (; count >= 8; at += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        sum = _mm_crc32_u64(sum, word);
    }
    uint32_t rest = (uint32_t)sum;
    for (; count > 0; at++, count--) rest = _mm_crc32_u8(rest, *at);
    return ~rest;
}

static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static uint32_t with_instruction(uint32_t crc, const uint8_t *at, size_t count) {
    crc = ~crc;
    for (; count >= 8; at += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        crc = __crc32cd(crc, word);
    }
    for (; count > 0; at++, count--) crc = __crc32cb(crc, *at);
    return ~crc;
}

static bool has_instruction(void) { return true; }
#else
static uint32_t with_instruction(uint32_t crc, const uint8_t *at, size_t count) { return cchecksum_crc32c_tables(crc, at, count); }

static bool has_instruction(void) { return false; }
#endif

uint32_t cchecksum_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return has_instruction() ? with_instruction(crc, bytes, count) : cchecksum_crc32c_tables(crc, bytes, count);
}
