// SPDX-License-Identifier: Apache-2.0

/// The fault that ended the process, in the terms of its system.
///
///     Linux, 11, 1                      →  SIGSEGV / SEGV_MAPERR
///     macOS, 1, 1                       →  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS
///     Windows, 0xc0000005, parameter 1  →  EXCEPTION_ACCESS_VIOLATION_WRITE
struct CrashReason {
    let text: String
    /// The signal's name, of systems that have signals.
    private(set) var signal: String?
    private(set) var machException: String?
    /// The address that was accessed or executed; nil if the fault has none.
    private(set) var address: UInt64?

    init(_ exception: DumpException, _ system: DumpSystem) {
        switch system.platform {
        case .windows:
            text = WindowsFault.name(of: exception)
            address = WindowsFault.isAccess(exception.code) && exception.parameters.count > 1 ? exception.parameters[1] : nil
        case .macOS, .iOS:
            let name = MachFault.name(exception.code)
            machException = name
            signal = MachFault.signal(exception)
            text = [name, MachFault.detail(exception, system)].compactMap(\.self).joined(separator: " / ")
            address = exception.code == 1 ? exception.address : nil
        case .linux, .android, .other:
            let name = LinuxFault.name(exception.code)
            signal = name
            text = [name, LinuxFault.detail(exception)].compactMap(\.self).joined(separator: " / ")
            address = LinuxFault.hasAddress(exception) ? exception.address : nil
        }
    }
}

/// Signals of Linux and Android with their `si_code`.
enum LinuxFault {
    private static let signals: [UInt32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV",
        13: "SIGPIPE", 15: "SIGTERM", 16: "SIGSTKFLT", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS", 0xffff_ffff: "DUMP_REQUESTED",
    ]
    private static let details: [UInt32: [String]] = [
        4: ["ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK"],
        5: ["TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT"],
        7: ["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"],
        8: ["FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB"],
        11: [
            "SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR", "SEGV_ACCADI", "SEGV_ADIDERR", "SEGV_ADIPERR", "SEGV_MTEAERR", "SEGV_MTESERR",
        ],
        31: ["SYS_SECCOMP"],
    ]

    static func name(_ code: UInt32) -> String { signals[code] ?? "signal \(code)" }

    static func detail(_ exception: DumpException) -> String? {
        switch Int32(bitPattern: exception.flags) {
        case -1: "SI_QUEUE"
        case -6: "SI_TKILL"
        case 0x80: "SI_KERNEL"
        case let code where code > 0: details[exception.code].flatMap { $0.indices.contains(Int(code) - 1) ? $0[Int(code) - 1] : nil }
        default: nil
        }
    }

    /// Whether the kernel filled in an address. It does so for faults, not for signals that a process sent.
    static func hasAddress(_ exception: DumpException) -> Bool {
        [4, 5, 7, 8, 11].contains(exception.code) && Int32(bitPattern: exception.flags) >= 0
    }
}

/// Exceptions of Apple's kernel.
enum MachFault {
    private static let names = [
        "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE", "EXC_BREAKPOINT", "EXC_SYSCALL",
        "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH", "EXC_RESOURCE", "EXC_GUARD", "EXC_CORPSE_NOTIFY",
    ]

    static func name(_ code: UInt32) -> String {
        switch code {
        case 1...13: names[Int(code) - 1]
        // Crashpad's own codes.
        case 0x4350_7378: "Simulated Exception"
        case 0x4350_6e78: "Uncaught NSException"
        default: "EXC_\(code)"
        }
    }

    static func detail(_ exception: DumpException, _ system: DumpSystem) -> String? {
        switch (exception.code, exception.flags) {
        case (1, 1): "KERN_INVALID_ADDRESS"
        case (1, 2): "KERN_PROTECTION_FAILURE"
        case (1, 8): "KERN_NO_ACCESS"
        case (1, 9): "KERN_MEMORY_FAILURE"
        case (1, 10): "KERN_MEMORY_ERROR"
        case (1, 0x32): "KERN_CODESIGN_ERROR"
        case (1, 13): "EXC_I386_GPFLT"
        case (2, 1): isARM(system) ? "EXC_ARM_UNDEFINED" : "EXC_I386_INVOP"
        case (3, 1) where !isARM(system): "EXC_I386_DIV"
        case (5, 0x10000): "EXC_BAD_SYSCALL"
        case (5, 0x10001): "EXC_BAD_PIPE"
        case (5, 0x10002): "EXC_ABORT"
        case (5, 0xdead_c0de), (5, 0xffff_ffff): "UNCAUGHT_NS_EXCEPTION"
        case (6, 1): isARM(system) ? "EXC_ARM_BREAKPOINT" : "EXC_I386_SGL"
        case (6, 2) where !isARM(system): "EXC_I386_BPT"
        case (10, _): signal(exception)
        default: nil
        }
    }

    /// Returns the signal that an abort raised. The code of `EXC_CRASH` contains its number.
    static func signal(_ exception: DumpException) -> String? {
        switch (exception.code, exception.flags) {
        case (5, 0x10002): "SIGABRT"
        case (10, let code):
            [3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGBUS", 11: "SIGSEGV"][(code >> 24) & 0xff]
        default: nil
        }
    }

    private static func isARM(_ system: DumpSystem) -> Bool { system.processor == .arm || system.processor == .arm64 }
}
