// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "crash.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// The dynamic linker's list for debuggers, read during the crash like memory that may be unmapped. It contains recently loaded libraries and
// needs no lock of the linker.

enum { MOST_IMAGES = 1000, MOST_HEADERS = 64, MOST_NOTES = 16, LONGEST_PATH = 512 };

static struct {
    char path[LONGEST_PATH];
    uint64_t headers, header_count, bias, list;
} program;

static uint64_t list_of(const ElfW(Phdr) * headers, uint64_t count, uint64_t bias) {
    for (uint64_t i = 0; i < count; i++) {
        if (headers[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(uintptr_t)(bias + headers[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_DEBUG) return entry->d_un.d_ptr;
        }
    }
    return 0;
}

static void prepare(void) {
    const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
    if (!headers) return;
    program.headers = (uint64_t)(uintptr_t)headers;
    program.header_count = getauxval(AT_PHNUM);
    for (uint64_t i = 0; i < program.header_count; i++) {
        if (headers[i].p_type == PT_PHDR) program.bias = program.headers - headers[i].p_vaddr;
    }
    program.list = list_of(headers, program.header_count, program.bias);
    ssize_t count = readlink("/proc/self/exe", program.path, sizeof program.path - 1);
    program.path[count > 0 ? count : 0] = 0;
}

void crash_images_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
}

// The build ID is one of the notes of a PT_NOTE segment.
static void find_id(uint64_t address, uint64_t size, csignalbox_image *image) {
    uint64_t end = address + size;
    for (int i = 0; i < MOST_NOTES && address + sizeof(ElfW(Nhdr)) <= end; i++) {
        ElfW(Nhdr) head;
        char name[4];
        if (!crash_read(address, &head, sizeof head) || !crash_read(address + sizeof head, name, sizeof name)) return;
        uint64_t content = address + sizeof head + ((head.n_namesz + 3ull) & ~3ull);
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof name && memcmp(name, "GNU", sizeof name) == 0) {
            if (head.n_descsz <= sizeof image->id && crash_read(content, image->id, head.n_descsz)) image->id_count = head.n_descsz;
            return;
        }
        address = content + ((head.n_descsz + 3ull) & ~3ull);
    }
}

// Reads address range and build ID from the program headers; returns whether it has a range.
static int describe(uint64_t headers, uint64_t count, uint64_t bias, csignalbox_image *image) {
    uint64_t lowest = UINT64_MAX, highest = 0;
    for (uint64_t i = 0; i < count && i < MOST_HEADERS; i++) {
        ElfW(Phdr) header;
        if (!crash_read(headers + i * sizeof header, &header, sizeof header)) return 0;
        if (header.p_type == PT_NOTE && !image->id_count) find_id(bias + header.p_vaddr, header.p_memsz, image);
        if (header.p_type != PT_LOAD) continue;
        uint64_t start = header.p_vaddr & ~0xfffull;
        if (start < lowest) lowest = start;
        if (header.p_vaddr + header.p_memsz > highest) highest = header.p_vaddr + header.p_memsz;
    }
    image->address = bias + lowest;
    image->size = highest - lowest;
    return lowest < highest;
}

static void put(const csignalbox_image *image, const char *path) {
    size_t count = strnlen(path, LONGEST_PATH);
    crash_file_record(CSIGNALBOX_IMAGE, sizeof *image + count);
    crash_file_put(image, sizeof *image);
    crash_file_put(path, count);
}

// Copies a string whose end may be unmapped.
static void read_path(uint64_t address, char path[LONGEST_PATH]) {
    size_t count = 0;
    while (count < LONGEST_PATH - 1 && crash_read(address + count, &path[count], 1) && path[count]) count++;
    path[count] = 0;
}

static void write_library(const struct link_map *library) {
    ElfW(Ehdr) head;
    csignalbox_image image = {0};
    char path[LONGEST_PATH];
    if (!crash_read(library->l_addr, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (!describe(library->l_addr + head.e_phoff, head.e_phnum, library->l_addr, &image)) return;
    read_path((uint64_t)(uintptr_t)library->l_name, path);
    put(&image, path);
}

void crash_images_write(void) {
    csignalbox_image image = {.is_main = 1};
    struct r_debug list;
    if (describe(program.headers, program.header_count, program.bias, &image)) put(&image, program.path);
    if (!program.list || !crash_read(program.list, &list, sizeof list)) return;
    uint64_t next = (uint64_t)(uintptr_t)list.r_map;
    for (int i = 0; i < MOST_IMAGES && next; i++) {
        struct link_map library;
        if (!crash_read(next, &library, sizeof library)) return;
        // The first entry is the program.
        if (i > 0) write_library(&library);
        next = (uint64_t)(uintptr_t)library.l_next;
    }
}

// Without a crash, dl_iterate_phdr is used; its lock keeps the libraries loaded.

struct search {
    const uint64_t *addresses;
    size_t count;
    void (*tell)(void *whom, const csignalbox_image *image, const char *path);
    void *whom;
};

static int look(struct dl_phdr_info *binary, size_t size, void *context) {
    (void)size;
    const struct search *search = context;
    int is_wanted = 0;
    for (int i = 0; i < binary->dlpi_phnum && !is_wanted; i++) {
        const ElfW(Phdr) *header = &binary->dlpi_phdr[i];
        is_wanted = header->p_type == PT_LOAD
            && crash_lies_in(search->addresses, search->count, binary->dlpi_addr + header->p_vaddr, header->p_memsz);
    }
    csignalbox_image image = {.is_main = (uint64_t)(uintptr_t)binary->dlpi_phdr == program.headers};
    if (!is_wanted || !describe((uint64_t)(uintptr_t)binary->dlpi_phdr, binary->dlpi_phnum, binary->dlpi_addr, &image)) return 0;
    search->tell(search->whom, &image, image.is_main ? program.path : binary->dlpi_name);
    return 0;
}

void csignalbox_images(
    const uint64_t *addresses, size_t count, void (*tell)(void *whom, const csignalbox_image *image, const char *path), void *whom) {
    struct search search = {addresses, count, tell, whom};
    crash_images_prepare();
    dl_iterate_phdr(look, &search);
}
#endif
