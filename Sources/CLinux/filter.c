// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int clinux_has_filters(void) {
#ifdef ARCHITECTURE
    // Without a program the call fails for its address where filters are supported.
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0, 0, 0) != 0 && errno == EFAULT;
#else
    return 0;
#endif
}

#ifdef ARCHITECTURE

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
// The low half of an argument, which comes first in both architectures.
#define ARGUMENT(place) FIELD(args[place])
#define ARGUMENT_HIGH(place) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[place]) + 4)
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)
#define FORBID END(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), END(SECCOMP_RET_ALLOW)
// Runs the next instructions for one call only.
#define FOR(name, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, count)
// Allows the call if the loaded value has none of the bits; both forbid it otherwise.
#define ALLOW_WITHOUT(bits) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), END(SECCOMP_RET_ALLOW), FORBID
#define ALLOW_WITH(bits) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), END(SECCOMP_RET_ALLOW), FORBID

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

int clinux_filter(int mayExecute) {
    struct sock_filter steps[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        END(SECCOMP_RET_KILL_PROCESS),
        FIELD(nr),
        // Landlock decides which program.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 0, 1), END(mayExecute ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM),
        // Streams and memory.
        ALLOW(read), ALLOW(write), ALLOW(readv), ALLOW(writev), ALLOW(pread64), ALLOW(lseek), ALLOW(close), ALLOW(recvfrom), ALLOW(sendto),
        ALLOW(futex), ALLOW(mmap), ALLOW(munmap), ALLOW(mprotect), ALLOW(mremap), ALLOW(madvise), ALLOW(brk), ALLOW(dup), ALLOW(dup3),
        ALLOW(fcntl), ALLOW(ppoll),
        // Properties of files, which Landlock does not hide.
        ALLOW(fstat), ALLOW(newfstatat), ALLOW(statx), ALLOW(statfs), ALLOW(fstatfs), ALLOW(faccessat), ALLOW(faccessat2), ALLOW(readlinkat),
        ALLOW(getdents64), ALLOW(getcwd),
        // Time, signals and the process itself.
        ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(gettimeofday), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(restart_syscall),
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(rt_sigtimedwait), ALLOW(rt_sigsuspend), ALLOW(sigaltstack), ALLOW(getpid), ALLOW(gettid),
        ALLOW(getppid), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid), ALLOW(uname), ALLOW(sysinfo), ALLOW(getrusage),
        ALLOW(getrandom), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(getcpu), ALLOW(set_tid_address), ALLOW(set_robust_list), ALLOW(rseq),
        ALLOW(membarrier), ALLOW(umask), ALLOW(exit), ALLOW(exit_group),
#ifdef __x86_64__
        ALLOW(arch_prctl), ALLOW(access), ALLOW(stat), ALLOW(lstat), ALLOW(readlink), ALLOW(dup2), ALLOW(poll), ALLOW(time), ALLOW(getrlimit),
        FOR(open, 4), ARGUMENT(1), ALLOW_WITHOUT(WRITING),
#endif
        FOR(openat, 4), ARGUMENT(2), ALLOW_WITHOUT(WRITING),
        // Threads, no processes. The flags of clone3 are in memory, which a filter cannot read; the C library then uses clone.
        FOR(clone3, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
        FOR(clone, 4), ARGUMENT(0), ALLOW_WITH(CLONE_THREAD),
        // Limits are read only: the third argument, the new limit, is null.
        FOR(prlimit64, 7), ARGUMENT_HIGH(2), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), FORBID, ARGUMENT(2), ALLOW_WITHOUT(0xffffffff),
        // Names of threads.
        FOR(prctl, 4), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NAME, 0, 1), END(SECCOMP_RET_ALLOW), FORBID,
        // Signals to this process only, as abort(3) sends.
        FOR(tgkill, 4), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1), END(SECCOMP_RET_ALLOW), FORBID,
        // C libraries do without calls that the kernel does not know, such as those newer than this list.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, __NR_faccessat2, 0, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
        FORBID,
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

// Fails one call, whatever its arguments.
#define REFUSE(name, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), END(SECCOMP_RET_ERRNO | (error))

int clinux_filter_worker(int parent) {
    struct sock_filter steps[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        END(SECCOMP_RET_KILL_PROCESS),
        FIELD(nr),
        // The calls of x32, which have other numbers.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
        // All processes stay in the group that is killed.
        REFUSE(setsid, EPERM), REFUSE(setpgid, EPERM),
        // Its requests pass no filter.
        REFUSE(io_uring_setup, ENOSYS),
        // Landlock does not govern modes, owners and attributes of files. Those of open files can be changed.
        REFUSE(fchmodat, EPERM), REFUSE(fchownat, EPERM), REFUSE(setxattr, EPERM), REFUSE(lsetxattr, EPERM), REFUSE(removexattr, EPERM),
        REFUSE(lremovexattr, EPERM),
        // fchmodat2, which headers of older systems do not name.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 452, 0, 1), END(SECCOMP_RET_ERRNO | EPERM),
#ifdef __x86_64__
        REFUSE(chmod, EPERM), REFUSE(chown, EPERM), REFUSE(lchown, EPERM),
#endif
        // Limits of other processes are read only: of the daemon, too.
        FOR(prlimit64, 10), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), END(SECCOMP_RET_ALLOW),
        ARGUMENT_HIGH(2), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), FORBID, ARGUMENT(2), ALLOW_WITHOUT(0xffffffff),
        // The control socket is the operator's. A Landlock rule does not govern connecting to it.
        FOR(socket, 4), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1), END(SECCOMP_RET_ERRNO | EACCES), END(SECCOMP_RET_ALLOW),
        // Older versions of Landlock do not govern signals and truncation by path.
        FOR(kill, 6), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)parent, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)-getpgid(parent), 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)-1, 1, 0), END(SECCOMP_RET_ALLOW), FORBID,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_truncate, 0, 1),
        END(clinux_landlock_restricts_truncation() ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM),
        END(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

#else

int clinux_filter_worker(int parent) {
    (void)parent;
    return ENOSYS;
}

int clinux_filter(int mayExecute) {
    (void)mayExecute;
    return ENOSYS;
}

#endif
