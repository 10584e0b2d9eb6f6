// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/// Fills in the address of a path, or of an abstract name after '@'. Returns its size; 0 if the name is neither or too long.
static socklen_t set_address(struct sockaddr_un *address, const char *name) {
    size_t length = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || length >= sizeof address->sun_path) return 0;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, name, length);
    // An abstract name begins with a zero byte and has its exact length; a path is zero-terminated by the memset.
    if (name[0] == '@') address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

void clinux_send_datagram(const char *name, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t size = set_address(&address, name);
    if (size == 0) return;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return;
    struct timeval patience = {.tv_sec = 1};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sendto(descriptor, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    close(descriptor);
}
