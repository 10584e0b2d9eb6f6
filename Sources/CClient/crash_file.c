// SPDX-License-Identifier: Apache-2.0

#include "crash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    char path[1024];
    int descriptor;
    dev_t device;
    ino_t number;
    size_t used;
    uint8_t bytes[4096];
} file = {.descriptor = -1};

static const char magic[] = "SBCRASH1";

// The file is opened in advance, so that a process without free descriptors can report.
int crash_file_open(const char *path) {
    struct stat found;
    if (strlen(path) >= sizeof file.path) return -1;
    strcpy(file.path, path);
    file.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file.descriptor < 0 || fstat(file.descriptor, &found) < 0) return -1;
    file.device = found.st_dev;
    file.number = found.st_ino;
    return 0;
}

static int is_ours(void) {
    struct stat found;
    return fstat(file.descriptor, &found) == 0 && found.st_dev == file.device && found.st_ino == file.number;
}

void crash_file_delete(void) {
    if (file.descriptor >= 0 && is_ours()) close(file.descriptor);
    file.descriptor = -1;
    unlink(file.path);
}

int crash_file_begin(void) {
    // The app may have closed our descriptor, and the number may belong to another file.
    if (file.descriptor < 0 || !is_ours()) file.descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file.descriptor < 0) return -1;
    crash_file_put(magic, sizeof magic - 1);
    return 0;
}

static void flush(void) {
    size_t done = 0;
    while (done < file.used) {
        ssize_t count = write(file.descriptor, file.bytes + done, file.used - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    file.used = 0;
}

void crash_file_put(const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0) {
        size_t room = sizeof file.bytes - file.used;
        size_t part = count < room ? count : room;
        memcpy(file.bytes + file.used, next, part);
        file.used += part;
        next += part;
        count -= part;
        if (file.used == sizeof file.bytes) flush();
    }
}

void crash_file_record(enum csignalbox_record kind, size_t count) {
    uint32_t head[2] = {kind, (uint32_t)count};
    crash_file_put(head, sizeof head);
}

void crash_file_finish(void) {
    crash_file_record(CSIGNALBOX_END, 0);
    flush();
}

void crash_file_withdraw(void) {
    if (ftruncate(file.descriptor, 0) == 0) lseek(file.descriptor, 0, SEEK_SET);
}
