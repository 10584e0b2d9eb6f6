// SPDX-License-Identifier: Apache-2.0

// The calls that change the contents of a folder.

#define _GNU_SOURCE
#include "shim.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int rename(const char *from, const char *to) {
    if (!shim_watches(to)) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    int result = -1;
    shim_lock();
    if (!shim_fails(SHIM_RENAME)) result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0) shim_note(SHIM_RENAME, 0, 0, from, to, NULL, 0);
    shim_unlock();
    return result;
}

int unlink(const char *path) {
    if (!shim_watches(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int result = -1;
    shim_lock();
    if (!shim_fails(SHIM_REMOVE)) result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0) shim_note(SHIM_REMOVE, 0, 0, path, NULL, NULL, 0);
    shim_unlock();
    return result;
}

int mkdir(const char *path, mode_t mode) {
    if (!shim_watches(path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    int result = -1;
    shim_lock();
    if (!shim_fails(SHIM_MAKE_FOLDER)) result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0) shim_note(SHIM_MAKE_FOLDER, 0, 0, path, NULL, NULL, 0);
    shim_unlock();
    return result;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    char source[PATH_MAX], target[PATH_MAX];
    if (!shim_place(from_folder, from, source, sizeof source) || !shim_place(to_folder, to, target, sizeof target))
        return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
    return rename(source, target);
}

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    if (flags != 0 || !shim_place(folder, name, path, sizeof path)) return (int)syscall(SYS_unlinkat, folder, name, flags);
    return unlink(path);
}

int mkdirat(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    if (!shim_place(folder, name, path, sizeof path)) return (int)syscall(SYS_mkdirat, folder, name, mode);
    return mkdir(path, mode);
}

// A further name is not in the journal: no test cuts the power after one.
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    char target[PATH_MAX];
    if (!shim_place(to_folder, to, target, sizeof target) || !shim_watches(target))
        return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    int result = -1;
    shim_lock();
    if (!shim_fails(SHIM_CREATE)) result = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    shim_unlock();
    return result;
}
