// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Memory for one hash at a time.
typedef struct sba_arena sba_arena;

/// Returns an empty arena; null if memory is exhausted. Its memory is mapped by the first hash.
sba_arena *sba_arena_create(void);
void sba_arena_destroy(sba_arena *arena);

/// Returns the memory to the system. The next hash maps it anew.
void sba_arena_release(sba_arena *arena);
size_t sba_arena_bytes(const sba_arena *arena);

typedef struct {
    /// 0: Argon2d, 1: Argon2i, 2: Argon2id.
    int variant;
    uint32_t memory_kib;
    uint32_t passes;
    uint32_t lanes;
    const uint8_t *password;
    size_t password_count;
    const uint8_t *salt;
    size_t salt_count;
    const uint8_t *secret;
    size_t secret_count;
} sba_input;

/// Computes Argon2, version 1.3, on this thread. Returns 0 for invalid parameters or if memory is exhausted.
int sba_argon2(sba_arena *arena, const sba_input *input, uint8_t *out, size_t out_count);
