// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Rights and scopes that the headers of Debian 12 do not know.
enum {
    RIGHT_REFER = 1 << 13,
    RIGHT_TRUNCATE = 1 << 14,
    RIGHT_IOCTL = 1 << 15,
    RIGHTS_OF_FIRST_VERSION = (1 << 13) - 1,
    TCP_BIND_AND_CONNECT = 3,
    ABSTRACT_SOCKETS_AND_SIGNALS = 3,
};

/// The kernel's `landlock_ruleset_attr`, whose later members older kernels and headers do not have.
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

static long version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int clinux_has_landlock(void) {
    // A filter may allow one of the three calls only; the others fail for their arguments where they are allowed.
    if (version() < 1) return 0;
    int added = syscall(SYS_landlock_add_rule, -1, LANDLOCK_RULE_PATH_BENEATH, NULL, 0) == 0 || (errno != ENOSYS && errno != EPERM);
    int restricted = syscall(SYS_landlock_restrict_self, -1, 0) == 0 || errno == EBADF;
    return added && restricted;
}

/// Allows a file, or a folder and all beneath it. Returns 0, or -1 with errno.
static int allow(int rules, const char *path, uint64_t rights) {
    struct stat info;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode)) rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    int status = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(rule.parent_fd);
    errno = error;
    return status;
}

int clinux_landlock(char *const readable[], char *const executable[]) {
    long known = version();
    struct ruleset set = {.files = RIGHTS_OF_FIRST_VERSION};
    if (known >= 2) set.files |= RIGHT_REFER;
    if (known >= 3) set.files |= RIGHT_TRUNCATE;
    if (known >= 4) set.network = TCP_BIND_AND_CONNECT;
    if (known >= 5) set.files |= RIGHT_IOCTL;
    if (known >= 6) set.scopes = ABSTRACT_SOCKETS_AND_SIGNALS;
    size_t size = known >= 6 ? sizeof set : known >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
    int rules = syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0) return errno;
    uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    int status = 0;
    for (int place = 0; status == 0 && readable[place]; place++) status = allow(rules, readable[place], reading);
    for (int place = 0; status == 0 && executable[place]; place++)
        status = allow(rules, executable[place], LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE);
    if (status == 0) status = syscall(SYS_landlock_restrict_self, rules, 0);
    int error = status == 0 ? 0 : errno;
    close(rules);
    return error;
}
