// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "crash.h"

#if defined(__APPLE__)
#include <mach/mach.h>
#include <mach/vm_map.h>

int crash_read(uint64_t address, void *room, size_t count) {
    vm_size_t copied = 0;
    return vm_read_overwrite(mach_task_self(), (vm_address_t)address, count, (vm_address_t)room, &copied) == KERN_SUCCESS && copied == count;
}
#else
#include <sys/uio.h>
#include <unistd.h>

int crash_read(uint64_t address, void *room, size_t count) {
    struct iovec to = {room, count}, from = {(void *)(uintptr_t)address, count};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)count;
}
#endif
