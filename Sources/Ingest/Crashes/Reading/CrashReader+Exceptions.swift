// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON

extension CrashReader {
    /// Reads a chain of exceptions, the outermost last.
    mutating func exceptions(_ place: Int?, _ images: ImageTable) -> [CrashException] {
        let all = entries(place, "exceptions")
        if all.count > CrashLimits.exceptions {
            cut(.tooManyEntries, "exceptions", "Has more than \(CrashLimits.exceptions) entries; the middle of the chain was omitted.")
        }
        return ends(of: all, limit: CrashLimits.exceptions).compactMap { exception($0, images) }
    }

    private mutating func exception(_ place: Int, _ images: ImageTable) -> CrashException? {
        guard tape[place].kind == .object else { return nil }
        var exception = CrashException()
        exception.type = text("type", of: place, limit: CrashLimits.typeCharacters)
        exception.value = text("value", of: place, limit: CrashLimits.reasonCharacters)
        exception.module = text("module", of: place)
        exception.thread = integer("thread_id", of: place)
        if let mechanism = tape.value("mechanism", of: place) { exception.mechanism = self.mechanism(mechanism) }
        exception.frames = frames(tape.value("stacktrace", of: place) ?? tape.value("frames", of: place), images)
        return exception == CrashException() ? nil : exception
    }

    private mutating func mechanism(_ place: Int) -> CrashMechanism {
        var mechanism = CrashMechanism()
        mechanism.type = text("type", of: place, limit: CrashLimits.typeCharacters)
        mechanism.handled = flag("handled", of: place)
        mechanism.isSynthetic = flag("synthetic", of: place) ?? false
        guard let meta = tape.value("meta", of: place) else { return mechanism }
        if let signal = tape.value("signal", of: meta) {
            mechanism.signal = text("name", of: signal, limit: CrashLimits.typeCharacters) ?? integer("number", of: signal).map(CrashNumbers.signal)
        }
        if let exception = tape.value("mach_exception", of: meta) {
            mechanism.machException =
                text("name", of: exception, limit: CrashLimits.typeCharacters) ?? integer("exception", of: exception).map(CrashNumbers.machException)
        }
        if let error = tape.value("ns_error", of: meta) {
            mechanism.errorDomain = text("domain", of: error)
            mechanism.errorCode = integer("code", of: error)
        }
        return mechanism
    }

    /// Reads the threads. If there are too many, crashed ones take precedence.
    mutating func threads(_ place: Int?, _ images: ImageTable) -> [CrashThread] {
        var all = entries(place, "threads").filter { tape[$0].kind == .object }
        if all.count > CrashLimits.threads {
            cut(.tooManyEntries, "threads", "Has more than \(CrashLimits.threads) entries; the first ones and a crashed one were kept.")
            let crashed = all.dropFirst(CrashLimits.threads).first { flag("crashed", of: $0) == true }
            all = all.prefix(CrashLimits.threads - (crashed == nil ? 0 : 1)) + (crashed.map { [$0] } ?? [])
        }
        return all.map { thread($0, images) }
    }

    private mutating func thread(_ place: Int, _ images: ImageTable) -> CrashThread {
        var thread = CrashThread()
        thread.id = integer("id", of: place)
        thread.name = text("name", of: place)
        thread.crashed = flag("crashed", of: place) ?? false
        thread.current = flag("current", of: place) ?? false
        thread.frames = frames(tape.value("stacktrace", of: place) ?? tape.value("frames", of: place), images)
        return thread
    }
}

/// The names of numeric exception codes without a name.
enum CrashNumbers {
    static func signal(_ number: Int) -> String {
        switch number {
        case 4: "SIGILL"
        case 5: "SIGTRAP"
        case 6: "SIGABRT"
        case 7, 10: "SIGBUS"
        case 8: "SIGFPE"
        case 9: "SIGKILL"
        case 11: "SIGSEGV"
        case 12, 31: "SIGSYS"
        case 13: "SIGPIPE"
        case 15: "SIGTERM"
        default: "signal \(number)"
        }
    }

    static func machException(_ number: Int) -> String {
        let names = [
            "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE", "EXC_BREAKPOINT", "EXC_SYSCALL",
            "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH", "EXC_RESOURCE", "EXC_GUARD", "EXC_CORPSE_NOTIFY",
        ]
        return names.indices.contains(number &- 1) ? names[number &- 1] : "EXC_\(number)"
    }
}
