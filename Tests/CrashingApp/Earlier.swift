// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A signal handler installed earlier. It resolves faults in one page, and lets all other signals end the process.
enum Earlier {
    /// A read-only page until the handler makes it writable.
    static let closedPage = UInt(bitPattern: mmap(nil, 4_096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))

    static func install() {
        _ = closedPage
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, info, _ in
            write(1, "handed on\n", 10)
            if signal == SIGSEGV, UInt(bitPattern: info?.pointee._sifields._sigfault.si_addr) == Earlier.closedPage {
                mprotect(UnsafeMutableRawPointer(bitPattern: Earlier.closedPage), 4_096, PROT_READ | PROT_WRITE)
                return
            }
            var standard = sigaction()
            standard.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(signal, &standard, nil)
        }
        action.sa_flags = SA_SIGINFO
        for signal in [SIGSEGV, SIGABRT, SIGILL] { sigaction(signal, &action, nil) }
    }
}
