// SPDX-License-Identifier: Apache-2.0

/// Demangles names in a child process, which may be lost if a name makes it crash or use too much memory.
package final class Demangler: Sendable {
    /// The time that a caller has.
    package enum Patience: Sendable {
        /// A request waits.
        case request
        /// Background work waits.
        case background
    }

    /// The readable names by their mangled ones.
    package struct Names: Sendable {
        package var texts: [String: String] = [:]
        /// Whether the program had a result for each name. Those it could not read may be tried again.
        package var isComplete = true
    }

    private static let longest = 4_096

    private let program: LineProgram

    /// Creates a demangler from a program that calls `Demangling.run`.
    package init(_ command: ReaderCommand, _ patience: Patience = .background) {
        program = LineProgram(command, in: "/", probe: "", limits: Demangler.limits(patience))
    }

    private static func limits(_ patience: Patience) -> LineProgram.Limits {
        let isRequest = patience == .request
        return LineProgram.Limits(
            line: isRequest ? .milliseconds(200) : .seconds(2), call: isRequest ? .milliseconds(500) : .seconds(30), resultBytes: 1 << 18,
            memoryBytes: 1 << 30, maxFailures: isRequest ? 0 : 4, linesPerChild: 1_000_000)
    }

    package func rest() {
        program.end()
    }

    func stop() {
        program.stop()
    }

    /// Whether the name is one that `names(of:)` reads.
    package static func reads(_ name: String) -> Bool {
        Demangling.isMangled(name) && name.utf8.count <= Demangler.longest && name.utf8.allSatisfy { $0 > 0x20 }
    }

    /// Returns the short readable form of the names that can be demangled.
    package func names(of names: [String]) throws(ProgramError) -> Names {
        let sorted = Set(names.filter(Demangler.reads)).sorted()
        guard !sorted.isEmpty else { return Names() }
        let results = try program.ask(sorted.map { Array($0.utf8) })
        var out = Names()
        for (name, result) in zip(sorted, results) {
            guard let result else {
                out.isComplete = false
                continue
            }
            guard let text = String(validating: result, as: UTF8.self), !text.isEmpty, text != name else { continue }
            out.texts[name] = Demangling.isSwift(name) ? DemangledSwiftName.short(text) : text
        }
        return out
    }
}
