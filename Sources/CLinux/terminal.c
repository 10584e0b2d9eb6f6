// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinuxTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The state used by signal handlers. It is set before they are installed; they call async-signal-safe functions only, see signal-safety(7).
static struct {
    // The spare descriptor refers to the same terminal.
    int terminal, spare, wake;
    struct termios before, raw;
    char enter[128], leave[128];
} screen;
static volatile sig_atomic_t taken;

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGXCPU};

// Does not wait for the terminal to be read: its reader may be gone, and a terminating process must not block.
enum { PATIENCE = 1000 };

static int takes_more(void) {
    struct pollfd wait = {.fd = screen.terminal, .events = POLLOUT};
    return poll(&wait, 1, PATIENCE) > 0 && wait.revents == POLLOUT;
}

static void say(const char *text) {
    size_t left = strlen(text);
    while (left > 0 && takes_more()) {
        ssize_t count = write(screen.terminal, text, left);
        if (count < 0 && errno != EINTR) return;
        if (count > 0) text += count, left -= (size_t)count;
    }
}

static void set(const struct termios *settings) {
    // TCSANOW: the settings do not concern output already written.
    while (tcsetattr(screen.terminal, TCSANOW, settings) < 0 && errno == EINTR) {}
}

static void take(void) {
    set(&screen.raw);
    say(screen.enter);
    taken = 1;
}

static void give_back(void) {
    if (!taken) return;
    taken = 0;
    say(screen.leave);
    set(&screen.before);
}

static void wake(void) {
    ssize_t ignored = write(screen.wake, "", 1);
    (void)ignored;
}

static void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

// Other threads run until the process ends. Their output goes to the pipe and not to the restored terminal.
static void keep_to_ourselves(void) {
    if (!taken || screen.spare < 0) return;
    int terminal = screen.terminal;
    screen.terminal = screen.spare;
    dup2(screen.wake, terminal);
}

// The default action follows, so that the parent sees the signal.
static void on_end(int number) {
    keep_to_ourselves();
    give_back();
    raise(number);
}

static void on_stop(int number) {
    (void)number;
    int reason = errno;
    give_back();
    raise(SIGSTOP);
    errno = reason;
}

static void on_continue(int number) {
    (void)number;
    int reason = errno;
    // A process continued in the background must not change the terminal; it is stopped again, and returns here in the foreground.
    if (tcgetpgrp(screen.terminal) == getpgrp()) {
        take();
        wake();
    } else {
        // After SIGSTOP, which has no handler, the screen is lost to the shell as well.
        taken = 0;
        raise(SIGTTOU);
    }
    errno = reason;
}

static void on_resize(int number) {
    (void)number;
    int reason = errno;
    wake();
    errno = reason;
}

static void copy(char *to, size_t size, const char *from) {
    strncpy(to, from, size - 1);
    to[size - 1] = 0;
}

// Stops a process in the background until it continues in the foreground. An orphaned one gets EIO instead, as no shell could continue it.
static int await_foreground(int terminal) {
    // A thread that blocks SIGTTOU may change the terminal from the background, and threads of Dispatch do.
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    // Resuming output that is not paused changes nothing, but the kernel checks the process group first.
    int result = tcflow(terminal, TCOON);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return result;
}

int clinux_terminal_enter(int terminal, int wake, const char *enter, const char *leave) {
    if (await_foreground(terminal) < 0 || tcgetattr(terminal, &screen.before) < 0) return -1;
    screen.terminal = terminal;
    if (screen.spare <= 0) screen.spare = fcntl(terminal, F_DUPFD_CLOEXEC, 3);
    screen.wake = wake;
    screen.raw = screen.before;
    cfmakeraw(&screen.raw);
    copy(screen.enter, sizeof screen.enter, enter);
    copy(screen.leave, sizeof screen.leave, leave);
    // Handlers are installed before the first change, so that every exit restores the terminal.
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) handle(ending[i], on_end, SA_RESETHAND | SA_NODEFER);
    handle(SIGTSTP, on_stop, SA_RESTART);
    handle(SIGCONT, on_continue, SA_RESTART);
    handle(SIGWINCH, on_resize, SA_RESTART);
    take();
    return 0;
}

void clinux_terminal_leave(void) {
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) handle(ending[i], SIG_DFL, 0);
    handle(SIGTSTP, SIG_DFL, 0);
    handle(SIGCONT, SIG_DFL, 0);
    handle(SIGWINCH, SIG_DFL, 0);
    give_back();
}

int clinux_terminal_is_taken(void) {
    return taken;
}

void clinux_terminal_suspend(void) {
    give_back();
    kill(0, SIGTSTP);
}

int clinux_terminal_size(int terminal, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) < 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

int clinux_terminal_set_echo(int terminal, int on) {
    struct termios settings;
    if (tcgetattr(terminal, &settings) < 0) return -1;
    if (on) settings.c_lflag |= ECHO;
    else settings.c_lflag &= ~(tcflag_t)ECHO;
    return tcsetattr(terminal, TCSAFLUSH, &settings);
}
