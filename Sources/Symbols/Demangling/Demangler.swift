// SPDX-License-Identifier: Apache-2.0

/// Demangles names in a child process, which may be lost if a name makes it crash or use too much memory.
package final class Demangler: Sendable {
    private static let longest = 4_096
    private static let limits = LineProgram.Limits(
        answer: .seconds(2), call: .seconds(30), answerBytes: 1 << 18, memoryBytes: 1 << 30, maxFailures: 4, answersPerChild: 1_000_000)

    private let program: LineProgram

    /// Creates a demangler from a program that calls `Demangling.answerLines`.
    package init(_ program: String, _ arguments: [String]) {
        self.program = LineProgram(program, arguments, in: "/", probe: "", limits: Demangler.limits)
    }

    package func rest() {
        program.end()
    }

    func stop() {
        program.stop()
    }

    /// Returns the short readable form of the names that can be demangled.
    func names(of names: [String]) -> [String: String] {
        let mangled = Set(names.filter { Demangling.isMangled($0) && $0.utf8.count <= Demangler.longest && $0.utf8.allSatisfy { $0 > 0x20 } })
        let sorted = mangled.sorted()
        guard !sorted.isEmpty, let answers = try? program.ask(sorted.map { Array($0.utf8) }) else { return [:] }
        var out: [String: String] = [:]
        for (name, answer) in zip(sorted, answers) {
            guard let answer, let text = String(validating: answer, as: UTF8.self), !text.isEmpty, text != name else { continue }
            out[name] = name.hasPrefix("_Z") ? text : DemangledSwiftName.short(text)
        }
        return out
    }
}
