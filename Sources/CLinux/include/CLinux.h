// SPDX-License-Identifier: Apache-2.0

#pragma once

// What Glibc's Swift overlay does not export.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <malloc.h>
#include "CLinuxSpawn.h"
#include "CLinuxTerminal.h"

/// accept4(2), non-blocking and close-on-exec. A function of ours because its declaration needs _GNU_SOURCE, which would
/// change types that Swift has already seen without it.
int clinux_accept(int listener, struct sockaddr_storage *peer);
