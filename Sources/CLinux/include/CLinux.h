// SPDX-License-Identifier: Apache-2.0

#pragma once

// Functions that Swift's Glibc module does not export.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "CLinuxConfine.h"
#include "CLinuxSpawn.h"
#include "CLinuxTerminal.h"

/// accept4(2), non-blocking and close-on-exec. A wrapper, because its declaration needs _GNU_SOURCE, which would change types that Swift
/// has imported without it.
int clinux_accept(int listener, struct sockaddr_storage *peer);

/// Reads at an offset as pread(2) does. Unless it `waits`, it fails instead of waiting for the disk. A wrapper, because preadv2(2) needs
/// _GNU_SOURCE, too.
ssize_t clinux_read(int file, void *bytes, size_t count, int64_t offset, int waits);

/// Returns the time of a clock in nanoseconds. In C, because which Swift module owns `struct timespec` depends on
/// what else a build imports.
int64_t clinux_clock(int clock);

/// Sends a datagram to a path, or to an abstract name after '@'; waits at most a second. Failures are ignored.
void clinux_send_datagram(const char *name, const void *bytes, size_t count);

/// Sets the time for which the scheduler lets this thread run at a stretch, as sched_setattr(2) with the policy SCHED_OTHER, up to 100 ms.
///
/// Since Linux 6.12 a waking thread preempts one with longer slices at once. Older kernels ignore it, and a failure is ignored. In C, because
/// the C library has no wrapper.
void clinux_set_slice(uint64_t nanoseconds);
