// SPDX-License-Identifier: Apache-2.0

// ThreadSanitizer sees a lock only where it sees its atomics. The standard library's Mutex takes and gives an uncontended lock in our own,
// instrumented code, but a contended one in its shared library, which is not instrumented: what happened before the unlock then seems to race with
// what happens after the lock. So these two functions stand before the library's own, and tell the sanitizer of each such hand-over. Nothing is
// suppressed: a race outside the lock is reported as ever.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef SWIFT void unlock_function(__attribute__((swift_context)) void *mutex);

SWIFT void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
SWIFT void unlock(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK);

static lock_function *library_lock;
static unlock_function *library_unlock;

__attribute__((constructor)) static void find_library(void) {
    library_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK);
    library_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
    if (!library_lock || !library_unlock) __builtin_trap();
}

SWIFT void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    library_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    library_unlock(mutex);
}

// Compiled in, because tests start the daemon with an environment of its own.
const char *__tsan_default_options(void) { return "log_path=" REPORTS ":exitcode=0"; }
