// SPDX-License-Identifier: Apache-2.0

#if defined(__APPLE__)
#include "crash.h"

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// dyld calls back for each loaded image, including those loaded already. Its lists may be read only during the callback.

enum { MOST_IMAGES = 1500, LONGEST_PATH = 512 };

static struct {
    csignalbox_image image;
    char path[LONGEST_PATH];
} images[MOST_IMAGES];
static atomic_int image_count;

static void read_commands(const struct mach_header_64 *head, csignalbox_image *image) {
    const uint8_t *next = (const uint8_t *)(head + 1);
    for (uint32_t i = 0; i < head->ncmds; i++) {
        const struct load_command *command = (const void *)next;
        if (command->cmd == LC_UUID) {
            image->id_count = sizeof ((const struct uuid_command *)command)->uuid;
            memcpy(image->id, ((const struct uuid_command *)command)->uuid, image->id_count);
        }
        if (command->cmd == LC_SEGMENT_64 && strcmp(((const struct segment_command_64 *)command)->segname, SEG_TEXT) == 0) {
            image->size = ((const struct segment_command_64 *)command)->vmsize;
        }
        next += command->cmdsize;
    }
}

static void added(const struct mach_header *header, intptr_t slide) {
    (void)slide;
    // Called by dyld for one image at a time.
    int place = atomic_load(&image_count);
    Dl_info info;
    if (place == MOST_IMAGES || header->magic != MH_MAGIC_64) return;
    csignalbox_image image = {.address = (uint64_t)(uintptr_t)header, .is_main = header->filetype == MH_EXECUTE};
    read_commands((const struct mach_header_64 *)header, &image);
    images[place].image = image;
    images[place].path[0] = 0;
    if (dladdr(header, &info) && info.dli_fname) strlcpy(images[place].path, info.dli_fname, LONGEST_PATH);
    atomic_store(&image_count, place + 1);
}

static void prepare(void) { _dyld_register_func_for_add_image(added); }

void crash_images_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
}

void crash_images_write(void) {
    int count = atomic_load(&image_count);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(images[i].path);
        crash_file_record(CSIGNALBOX_IMAGE, sizeof images[i].image + length);
        crash_file_put(&images[i].image, sizeof images[i].image);
        crash_file_put(images[i].path, length);
    }
}

void csignalbox_images(
    const uint64_t *addresses, size_t count, void (*tell)(void *whom, const csignalbox_image *image, const char *path), void *whom) {
    crash_images_prepare();
    int known = atomic_load(&image_count);
    for (int i = 0; i < known; i++) {
        const csignalbox_image *image = &images[i].image;
        if (crash_lies_in(addresses, count, image->address, image->size)) tell(whom, image, images[i].path);
    }
}
#endif
