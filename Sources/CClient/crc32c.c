// SPDX-License-Identifier: Apache-2.0

#include "CSignalbox.h"

#include <pthread.h>

static const uint32_t polynomial = 0x82f63b78u;

static uint32_t tables[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
        tables[0][i] = crc;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++) tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 255];
}

uint32_t csignalbox_crc32c(uint32_t crc, const uint8_t *at, size_t count) {
    pthread_once(&made, make_tables);
    crc = ~crc;
    for (; count >= 8; at += 8, count -= 8) {
        uint32_t low = crc ^ (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^ tables[3][at[4]] ^
              tables[2][at[5]] ^ tables[1][at[6]] ^ tables[0][at[7]];
    }
    for (; count > 0; at++, count--) crc = crc >> 8 ^ tables[0][(crc ^ *at) & 255];
    return ~crc;
}
