// SPDX-License-Identifier: Apache-2.0

// The shared parts of the interposed calls: the watched folder, the journal, and the memory shared with the test.

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char root[PATH_MAX];
static size_t root_length;
static int journal = -1;
static struct shim_control *control;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
    const char *folder = getenv("SIGNALBOX_SHIM_ROOT");
    if (folder && realpath(folder, root)) root_length = strlen(root);
    const char *file = getenv("SIGNALBOX_SHIM_JOURNAL");
    if (file) journal = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *shared = getenv("SIGNALBOX_SHIM_CONTROL");
    int words = shared ? (int)syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC) : -1;
    if (words < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, words, 0);
    if (mapped != MAP_FAILED) control = mapped;
    syscall(SYS_close, words);
}

// SQLite's WAL index is shared memory. It is never synced, and a failed write to it must not fail a commit.
static bool is_memory(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

bool shim_watches(const char *path) {
    return root_length > 0 && path && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0) &&
           !is_memory(path);
}

bool shim_place(int folder, const char *name, char *path, size_t size) {
    if (name[0] == '/' || folder == AT_FDCWD) return snprintf(path, size, "%s", name) < (int)size;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, size);
    if (length < 0 || (size_t)length >= size) return false;
    return snprintf(path + length, size - (size_t)length, "/%s", name) < (int)(size - (size_t)length);
}

bool shim_fails(enum shim_kind kind) {
    if (!control) return false;
    int64_t number = ++control->calls, first = control->fail_first;
    if (first == 0 || number < first || number - first >= control->failures) return false;
    if (control->failed++ == 0) control->failed_kind = kind;
    if (control->error == SHIM_KILLS) kill(getpid(), SIGKILL);
    errno = (int)control->error;
    return true;
}

void shim_lock(void) { pthread_mutex_lock(&order); }

void shim_unlock(void) { pthread_mutex_unlock(&order); }

void shim_note(enum shim_kind kind, uint64_t file, int64_t offset, const char *name, const char *other, const void *data, size_t size) {
    if (journal < 0) return;
    size_t name_bytes = name ? strlen(name) : 0, other_bytes = other ? strlen(other) : 0;
    struct shim_record record = {kind, (uint32_t)name_bytes, (uint32_t)other_bytes, (uint32_t)size, file, offset};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)name, name_bytes}, {(void *)other, other_bytes}, {(void *)data, size}};
    // A journal with a gap would be useless.
    if (syscall(SYS_writev, journal, parts, 4) != (long)(sizeof record + name_bytes + other_bytes + size)) abort();
}

int64_t shim_position(void) { return journal < 0 ? 0 : lseek(journal, 0, SEEK_END); }

int64_t shim_clock_offset(void) { return control ? control->clock_offset : 0; }

int64_t shim_asleep(void) { return control ? control->asleep : 0; }
