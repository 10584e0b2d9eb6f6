// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSignalboxCrash.h"

#include <signal.h>

#define NAME(constant) case constant: return #constant

const char *csignalbox_signal_name(int signal) {
    switch (signal) {
        NAME(SIGSEGV); NAME(SIGBUS); NAME(SIGILL); NAME(SIGFPE); NAME(SIGABRT); NAME(SIGTRAP); NAME(SIGSYS);
        default: return 0;
    }
}

static const char *memory(int code) {
    switch (code) { NAME(SEGV_MAPERR); NAME(SEGV_ACCERR); default: return 0; }
}

static const char *bus(int code) {
    switch (code) { NAME(BUS_ADRALN); NAME(BUS_ADRERR); NAME(BUS_OBJERR); default: return 0; }
}

static const char *instruction(int code) {
    switch (code) {
        NAME(ILL_ILLOPC); NAME(ILL_ILLOPN); NAME(ILL_ILLADR); NAME(ILL_ILLTRP); NAME(ILL_PRVOPC); NAME(ILL_PRVREG); NAME(ILL_COPROC); NAME(ILL_BADSTK);
        default: return 0;
    }
}

static const char *arithmetic(int code) {
    switch (code) {
        NAME(FPE_INTDIV); NAME(FPE_INTOVF); NAME(FPE_FLTDIV); NAME(FPE_FLTOVF); NAME(FPE_FLTUND); NAME(FPE_FLTRES); NAME(FPE_FLTINV); NAME(FPE_FLTSUB);
        default: return 0;
    }
}

const char *csignalbox_code_name(int signal, int code) {
    switch (signal) {
        case SIGSEGV: return memory(code);
        case SIGBUS: return bus(code);
        case SIGILL: return instruction(code);
        case SIGFPE: return arithmetic(code);
        default: return 0;
    }
}
