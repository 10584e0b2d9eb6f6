// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// The lines of a file that an import refused: their number, and the first ones with the reason.
struct RefusedLines: Sendable {
    private let maxListed: Int
    private(set) var count = 0
    private var listed: [(line: Int, detail: String)] = []

    /// - Parameter maxListed: The most lines whose reasons are kept.
    init(maxListed: Int) { self.maxListed = maxListed }

    mutating func add(_ line: Int, _ detail: String) {
        count += 1
        if listed.count < maxListed { listed.append((line, detail)) }
    }

    /// Adds the refused lines of a part, of which the daemon lists only the first with reasons.
    mutating func add(_ reply: ControlReply, firstLine: Int) {
        let errors = reply["errors"]?.elements ?? []
        for error in errors { add(Int(error["line"]?.integer ?? 1) + firstLine - 1, error.text("detail")) }
        count += Int(reply["failed"]?.integer ?? 0) - errors.count
    }

    /// Prints the sum of an import, such as `Wrote 3 documents; 1 line was refused.`, and the reasons.
    func print(_ verb: String, _ made: Int, _ noun: String, _ arguments: Arguments) throws {
        if arguments.has(.json) {
            return try Console.printJSON(("\(noun)s", made), failed: count, listed) { json, error in
                json.field("line", error.line)
                json.field("detail", error.detail)
            }
        }
        try Console.print("\(verb) \(made.of(noun)); \(count.refused("line")).")
        if !listed.isEmpty { try Console.print(TextTable.lines(["LINE", "REASON"], listed.map { [String($0.line), $0.detail] })) }
    }

    /// Fails a command whose import refused lines.
    func check(hint: String = "Correct the listed lines and import them again.") throws {
        if count > 0 { throw Failure("\(count.refused("line")).", hint: hint) }
    }
}
