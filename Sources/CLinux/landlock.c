// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Rights and scopes that the headers of Debian 12 do not know.
enum {
    RIGHT_REFER = 1 << 13,
    RIGHT_TRUNCATE = 1 << 14,
    RIGHT_IOCTL = 1 << 15,
    RIGHTS_OF_FIRST_VERSION = (1 << 13) - 1,
    RIGHTS_OF_FILES = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE | RIGHT_TRUNCATE,
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
    // Without CAP_SYS_ADMIN the call also fails until new privileges are denied, as they are before it is made.
    int isTooEarly = errno == EPERM && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
    return added && (restricted || isTooEarly);
}

/// Allows a file, or a folder and all beneath it. Returns 0, or -1 with errno.
static int allow(int rules, const char *path, uint64_t rights) {
    struct stat info;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode)) rule.allowed_access &= RIGHTS_OF_FILES;
    int status = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(rule.parent_fd);
    errno = error;
    return status;
}

/// A ruleset that restricts all rights that this kernel knows. Returns its descriptor, or -1 with errno.
static int begin(uint64_t network) {
    long known = version();
    struct ruleset set = {.files = RIGHTS_OF_FIRST_VERSION};
    if (known >= 2) set.files |= RIGHT_REFER;
    if (known >= 3) set.files |= RIGHT_TRUNCATE;
    if (known >= 4) set.network = network;
    if (known >= 5) set.files |= RIGHT_IOCTL;
    if (known >= 6) set.scopes = ABSTRACT_SOCKETS_AND_SIGNALS;
    size_t size = known >= 6 ? sizeof set : known >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
    return syscall(SYS_landlock_create_ruleset, &set, size, 0);
}

static int allow_all(int rules, char *const paths[], uint64_t rights) {
    int status = 0;
    for (int place = 0; status == 0 && paths[place]; place++) status = allow(rules, paths[place], rights);
    return status;
}

/// Applies a ruleset unless adding to it failed, and closes it. Returns 0 or an error number.
static int apply(int rules, int status) {
    if (status == 0) status = syscall(SYS_landlock_restrict_self, rules, 0);
    int error = status == 0 ? 0 : errno;
    close(rules);
    return error;
}

int clinux_landlock(char *const readable[], char *const executable[]) {
    int rules = begin(TCP_BIND_AND_CONNECT);
    if (rules < 0) return errno;
    int status = allow_all(rules, readable, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    if (status == 0) status = allow_all(rules, executable, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE);
    return apply(rules, status);
}

int clinux_landlock_worker(char *const readable[], char *const writable[], char *const devices[]) {
    long known = version();
    uint64_t all = RIGHTS_OF_FIRST_VERSION;
    if (known >= 2) all |= RIGHT_REFER;
    if (known >= 3) all |= RIGHT_TRUNCATE;
    int rules = begin(0);
    if (rules < 0) return errno;
    int status = allow_all(rules, readable, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE);
    if (status == 0) status = allow_all(rules, writable, all);
    if (status == 0) status = allow_all(rules, devices, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    return apply(rules, status);
}

int clinux_landlock_restricts_truncation(void) {
    return version() >= 3;
}
