// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

int clinux_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t size = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
