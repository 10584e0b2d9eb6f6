// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "names.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* `dladdr` knows exported functions alone, and most of ours are not; so the program's own symbol table is read. */

static const uint8_t *file;
static const Elf64_Sym *symbols, *symbols_end;
static const char *texts;

static const uint8_t *mapped(void) {
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0) return NULL;
    void *bytes = MAP_FAILED;
    if (fstat(descriptor, &status) == 0) bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static void open_symbols(void) {
    file = mapped();
    if (!file) return;
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
        symbols_end = (const Elf64_Sym *)(file + sections[i].sh_offset + sections[i].sh_size);
        texts = (const char *)(file + sections[sections[i].sh_link].sh_offset);
    }
}

/* The first object is the program itself. */
static int take_base(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

const char *work_name(const void *place) {
    uintptr_t base = 0;
    if (!file) open_symbols();
    dl_iterate_phdr(take_base, &base);
    uintptr_t address = (uintptr_t)place - base;
    for (const Elf64_Sym *symbol = symbols; symbol < symbols_end; symbol++) {
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
        if (symbol->st_value <= address && address < symbol->st_value + symbol->st_size) return texts + symbol->st_name;
    }
    return NULL;
}
