// SPDX-License-Identifier: Apache-2.0

// The calls that change files. Each can be made to fail and is recorded.

#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 65536

/// The open watched files: the inode number and, for folders, the path.
static struct {
    uint64_t file;
    char *folder;
} opened[MOST_DESCRIPTORS];

static uint64_t watched(int descriptor) { return descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? opened[descriptor].file : 0; }

static void forget(int descriptor) {
    free(opened[descriptor].folder);
    opened[descriptor].folder = NULL;
    opened[descriptor].file = 0;
}

static void remember(int descriptor, const char *path, bool is_new, int flags) {
    struct stat info;
    if (descriptor >= MOST_DESCRIPTORS || fstat(descriptor, &info) != 0) return;
    forget(descriptor);
    opened[descriptor].file = info.st_ino;
    if (S_ISDIR(info.st_mode)) opened[descriptor].folder = strdup(path);
    if (is_new) shim_note(SHIM_CREATE, info.st_ino, 0, path, NULL, NULL, 0);
    else if (flags & O_TRUNC) shim_note(SHIM_TRUNCATE, info.st_ino, 0, NULL, NULL, NULL, 0);
}

static int open_file(const char *path, int flags, mode_t mode) {
    if (!shim_watches(path)) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    bool may_write = (flags & O_ACCMODE) != O_RDONLY;
    shim_lock();
    bool is_new = (flags & O_CREAT) && faccessat(AT_FDCWD, path, F_OK, 0) != 0;
    int descriptor = -1;
    if (!may_write || !shim_fails(SHIM_CREATE)) descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor >= 0) remember(descriptor, path, is_new, flags);
    shim_unlock();
    return descriptor;
}

#define OPEN(name)                                            \
    int name(const char *path, int flags, ...) {              \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                         \
        return open_file(path, flags, mode);                  \
    }
OPEN(open)
OPEN(open64)

#define OPEN_IN_FOLDER(name)                                      \
    int name(int folder, const char *file, int flags, ...) {      \
        va_list rest;                                             \
        va_start(rest, flags);                                    \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                             \
        char path[PATH_MAX];                                      \
        if (!shim_place(folder, file, path, sizeof path)) return (int)syscall(SYS_openat, folder, file, flags, mode); \
        return open_file(path, flags, mode);                      \
    }
OPEN_IN_FOLDER(openat)
OPEN_IN_FOLDER(openat64)

int close(int descriptor) {
    if (watched(descriptor)) {
        shim_lock();
        forget(descriptor);
        shim_unlock();
    }
    return (int)syscall(SYS_close, descriptor);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
    ssize_t done = -1;
    shim_lock();
    if (!shim_fails(SHIM_WRITE)) done = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (done > 0) shim_note(SHIM_WRITE, watched(descriptor), offset, NULL, NULL, bytes, (size_t)done);
    shim_unlock();
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    if (!watched(descriptor)) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (!watched(descriptor)) return syscall(SYS_write, descriptor, bytes, count);
    ssize_t done = write_at(descriptor, bytes, count, lseek(descriptor, 0, SEEK_CUR));
    if (done > 0) lseek(descriptor, done, SEEK_CUR);
    return done;
}

int ftruncate(int descriptor, off_t length) {
    if (!watched(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, length);
    int result = -1;
    shim_lock();
    if (!shim_fails(SHIM_TRUNCATE)) result = (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0) shim_note(SHIM_TRUNCATE, watched(descriptor), length, NULL, NULL, NULL, 0);
    shim_unlock();
    return result;
}

int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

/// Writes that precede the call are durable after it; other threads may keep writing.
static int sync_file(long call, int descriptor) {
    if (!watched(descriptor)) return (int)syscall(call, descriptor);
    shim_lock();
    int64_t before = shim_position();
    const char *folder = opened[descriptor].folder;
    enum shim_kind kind = folder ? SHIM_SYNC_FOLDER : SHIM_SYNC;
    bool fails = shim_fails(kind);
    shim_unlock();
    if (fails) return -1;
    int result = (int)syscall(call, descriptor);
    shim_lock();
    if (result == 0) shim_note(kind, watched(descriptor), before, folder, NULL, NULL, 0);
    shim_unlock();
    return result;
}

int fsync(int descriptor) { return sync_file(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_file(SYS_fdatasync, descriptor); }
