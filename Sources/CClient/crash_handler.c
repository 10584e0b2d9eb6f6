// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "crash.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

enum { NOTHING, WRITING, WRITTEN };
static atomic_int taken, armed, installed, progress = NOTHING;
static atomic_uintptr_t reporter;
static pid_t process;
static struct sigaction before[CRASHES];

int crash_is_written(void) { return atomic_load(&progress) != NOTHING; }

static int place(int signal) {
    int i = 0;
    while (crashes[i] != signal) i++;
    return i;
}

// Waits, for a limited time, for another thread that is writing its report and then ends the process.
static void wait_for_other(void) {
    struct timespec moment = {0, 10000000};
    for (int i = 0; i < 300 && atomic_load(&progress) == WRITING; i++) nanosleep(&moment, NULL);
    // The other thread is ending the process.
    for (int i = 0; i < 100; i++) nanosleep(&moment, NULL);
}

// Reports the crash; returns whether this thread wrote the report. A forked child that did not call exec does not report.
static int report(int signal, const siginfo_t *info, const void *context) {
    int expected = NOTHING;
    if (!atomic_load(&armed) || getpid() != process) return 0;
    if (!atomic_compare_exchange_strong(&progress, &expected, WRITING)) {
        wait_for_other();
        return 0;
    }
    atomic_store(&reporter, (uintptr_t)pthread_self());
    crash_report_write(signal, info, context);
    atomic_store(&progress, WRITTEN);
    return 1;
}

static int is_nobody(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

// The signal mask that the system would set for the previous handler, which may rely on receiving further faults.
static sigset_t blocked_for(const struct sigaction *action, int signal, const ucontext_t *context) {
    sigset_t mask;
    sigemptyset(&mask);
    for (int i = 1; i < NSIG; i++) {
        int is_itself = i == signal && !(action->sa_flags & SA_NODEFER);
        if (is_itself || sigismember(&context->uc_sigmask, i) == 1 || sigismember(&action->sa_mask, i) == 1) sigaddset(&mask, i);
    }
    return mask;
}

static void hand_on(const struct sigaction *to, int signal, siginfo_t *info, void *context) {
    sigset_t theirs = blocked_for(to, signal, context), ours;
    pthread_sigmask(SIG_SETMASK, &theirs, &ours);
    if (to->sa_flags & SA_SIGINFO) {
        to->sa_sigaction(signal, info, context);
    } else {
        to->sa_handler(signal);
    }
    pthread_sigmask(SIG_SETMASK, &ours, NULL);
}

static void crashed(int signal, siginfo_t *info, void *context);

static int is_still_ours(int signal) {
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == crashed;
}

// The signal is blocked during the handler. It is delivered on return and ends the process with its status.
static void end_with(int signal) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
}

// Whether this is a second call for the same crash: a handler installed later passed on the signal that we raised.
static int comes_back(void) { return atomic_load(&progress) == WRITTEN && atomic_load(&reporter) == (uintptr_t)pthread_self(); }

// Calls the previous handler; returns whether it resolved the fault. An abort is never resolved.
static int is_mended(int signal, siginfo_t *info, void *context) {
    hand_on(&before[place(signal)], signal, info, context);
    if (is_still_ours(signal)) return signal != SIGABRT;
    // The previous handler restored another action.
    raise(signal);
    return 0;
}

static void crashed(int signal, siginfo_t *info, void *context) {
    int was = errno;
    int is_enough = comes_back();
    int is_reported = !is_enough && report(signal, info, context);
    if (is_enough || is_nobody(&before[place(signal)])) {
        end_with(signal);
    } else if (is_mended(signal, info, context) && is_reported) {
        crash_file_withdraw();
        atomic_store(&progress, NOTHING);
    }
    errno = was;
}

// Installed once and never removed: handlers installed later keep passing signals to us.
static void install(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = crashed;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CRASHES; i++) sigaddset(&action.sa_mask, crashes[i]);
    for (int i = 0; i < CRASHES; i++) {
        // Signals that the app ignores are not crashes; faults cannot be ignored.
        if (sigaction(crashes[i], NULL, &before[i]) < 0 || (is_nobody(&before[i]) && before[i].sa_handler == SIG_IGN)) continue;
        sigaction(crashes[i], &action, NULL);
    }
}

int csignalbox_crash_begin(const char *path) {
    if (atomic_exchange(&taken, 1)) return -1;
    atomic_store(&progress, NOTHING);
    crash_notes_clear();
    if (crash_file_open(path) < 0) {
        crash_file_delete();
        atomic_store(&taken, 0);
        return -1;
    }
    process = getpid();
    csignalbox_crash_cover_thread();
    if (!atomic_exchange(&installed, 1)) {
        crash_images_prepare();
        install();
    }
    atomic_store(&armed, 1);
    return 0;
}

void csignalbox_crash_end(void) {
    atomic_store(&armed, 0);
    crash_file_delete();
    atomic_store(&taken, 0);
}
