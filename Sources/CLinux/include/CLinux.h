// SPDX-License-Identifier: Apache-2.0

#pragma once

// Functions that Swift's Glibc module does not export.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <malloc.h>
#include "CLinuxSpawn.h"
#include "CLinuxTerminal.h"

/// accept4(2), non-blocking and close-on-exec. A wrapper, because its declaration needs _GNU_SOURCE, which would change types that Swift
/// has imported without it.
int clinux_accept(int listener, struct sockaddr_storage *peer);
