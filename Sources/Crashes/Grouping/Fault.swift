// SPDX-License-Identifier: Apache-2.0

/// The fault as a word that does not depend on the reporter: a Mach exception, a signal or an exception type.
enum Fault {
    /// The names that kernels and processors use for one fault. A Swift trap is a breakpoint on one processor and an illegal instruction on
    /// another.
    private static let families: [(word: String, names: [String])] = [
        (
            "bad access",
            [
                "EXC_BAD_ACCESS", "SIGSEGV", "SIGBUS", "EXCEPTION_ACCESS_VIOLATION", "EXCEPTION_ACCESS_VIOLATION_READ",
                "EXCEPTION_ACCESS_VIOLATION_WRITE",
            ]
        ),
        ("trap", ["EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION", "SIGTRAP", "SIGILL", "EXCEPTION_BREAKPOINT", "EXCEPTION_ILLEGAL_INSTRUCTION"]),
        ("abort", ["SIGABRT", "EXC_CRASH"]),
        ("arithmetic", ["EXC_ARITHMETIC", "SIGFPE", "EXCEPTION_INT_DIVIDE_BY_ZERO"]),
        ("overflow", ["EXCEPTION_STACK_OVERFLOW"]),
    ]
    private static let words = Dictionary(uniqueKeysWithValues: families.flatMap { family in family.names.map { ($0, family.word) } })

    /// Adds the fault to a hash. For a synthetic type, the signal is used because the type only names the mechanism.
    static func add(_ exception: CrashException?, type: String, to hash: inout StableHash) {
        let mechanism = exception?.mechanism
        if let domain = mechanism?.errorDomain {
            hash.add(part: domain)
            hash.add(part: mechanism?.errorCode.map(String.init) ?? "")
            return
        }
        if mechanism?.isSynthetic == true {
            let native = mechanism?.machException ?? mechanism?.signal ?? type
            hash.add(part: word(native, signal: mechanism?.signal) ?? "")
        } else if let word = word(type, signal: mechanism?.signal) {
            hash.add(part: word)
        } else {
            hash.add(part: MessagePattern.of(type))
        }
    }

    /// Returns the fault's word. `EXC_CRASH` only states that the process was terminated, so the signal replaces it.
    private static func word(_ type: String, signal: String?) -> String? {
        let name = String(decoding: type.utf8.prefix { $0.isWord }, as: UTF8.self)
        if name == "EXC_CRASH", let signal { return words[signal] ?? signal }
        return words[name]
    }
}
