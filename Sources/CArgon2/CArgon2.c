// SPDX-License-Identifier: Apache-2.0

#include "CArgon2.h"

#include <argon2.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { huge_page = 2 << 20 };

struct sba_arena {
    uint8_t *start;
    size_t count;
};

/// The arena of the hash that this thread computes. One lane after the other, so no other thread allocates.
static _Thread_local sba_arena *current;

sba_arena *sba_arena_create(void) { return calloc(1, sizeof(sba_arena)); }

void sba_arena_destroy(sba_arena *arena) {
    if (!arena) return;
    sba_arena_release(arena);
    free(arena);
}

void sba_arena_release(sba_arena *arena) {
    if (arena->start) munmap(arena->start, arena->count);
    arena->start = NULL;
    arena->count = 0;
}

size_t sba_arena_bytes(const sba_arena *arena) { return arena->count; }

static int take(uint8_t **memory, size_t count) {
    sba_arena *arena = current;
    if (count > arena->count) {
        sba_arena_release(arena);
        // Whole huge pages: page faults would otherwise be a third of a hash.
        size_t rounded = (count + huge_page - 1) / huge_page * huge_page;
        void *start = mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED) return ARGON2_MEMORY_ALLOCATION_ERROR;
        madvise(start, rounded, MADV_HUGEPAGE);
        madvise(start, rounded, MADV_DONTDUMP);
        arena->start = start;
        arena->count = rounded;
    }
    *memory = arena->start;
    return ARGON2_OK;
}

static void give_back(uint8_t *memory, size_t count) {
    (void)memory;
    (void)count;
}

int sba_argon2(sba_arena *arena, const sba_input *input, uint8_t *out, size_t out_count) {
    if (input->variant < 0 || input->variant > 2) return 0;
    argon2_context context = {
        .out = out,
        .outlen = (uint32_t)out_count,
        // libargon2 reads these; it clears password and secret only with flags that are not set.
        .pwd = (uint8_t *)input->password,
        .pwdlen = (uint32_t)input->password_count,
        .salt = (uint8_t *)input->salt,
        .saltlen = (uint32_t)input->salt_count,
        .secret = (uint8_t *)input->secret,
        .secretlen = (uint32_t)input->secret_count,
        .t_cost = input->passes,
        .m_cost = input->memory_kib,
        .lanes = input->lanes,
        .threads = 1,
        .version = ARGON2_VERSION_13,
        .allocate_cbk = take,
        .free_cbk = give_back,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    current = arena;
    int status = argon2_ctx(&context, (argon2_type)input->variant);
    current = NULL;
    return status == ARGON2_OK;
}
