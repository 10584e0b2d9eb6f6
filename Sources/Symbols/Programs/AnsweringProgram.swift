// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that answers each line with a line, kept open between questions.
///
/// It works on what strangers wrote, so it is expected to crash, to hang and to want all memory: then it is killed, the question it was at has no answer,
/// and the next one goes to a new child. One caller at a time; a call takes no longer than `Limits` say.
final class AnsweringProgram: Sendable {
    struct Limits: Sendable {
        /// How long a line's answer may take, and all of a call's.
        var answer: Duration = .seconds(20)
        var call: Duration = .seconds(120)
        var answerBytes = 1 << 20
        /// Of the answers that one child may give to a call.
        var callBytes = 32 << 20
        var memoryBytes: UInt64 = 4 << 30
        /// Questions that may go without an answer in one call; behind them the rest goes without.
        var losses = 2
        /// Answers after which a child has kept enough in its memory to make way for a new one.
        var answersPerChild = 100_000
    }

    private let program: String
    private let arguments: [String]
    private let folder: String
    private let limits: Limits
    /// A line that does no harm to a program in order.
    private let probe: [UInt8]
    private let child = Mutex<Child?>(nil)
    private let ending = Ending()

    init(_ program: String, _ arguments: [String], in folder: String, probe: String, limits: Limits = Limits()) {
        self.program = program
        self.arguments = arguments
        self.folder = folder
        self.limits = limits
        self.probe = Array(probe.utf8)
    }

    deinit {
        end()
    }

    /// The child's number, for tests that end it.
    var process: pid_t? { child.withLock { $0?.process } }

    /// Ends the child until the next question, and with it the memory it has.
    func end() {
        child.withLock { child in
            child?.end()
            child = nil
        }
    }

    /// Ends the call under way, from any thread; from then on nothing is asked any more.
    func stop() {
        ending.come()
    }

    /// The answer to each line, which holds no line's end; nil for one that the program did not live through.
    func ask(_ lines: [[UInt8]]) throws(ProgramFailure) -> [[UInt8]?] {
        try child.withLock { (child: inout sending Child?) throws(ProgramFailure) in
            let answers = try ask(lines, of: &child)
            guard !ending.hasCome else { throw .stopped(program) }
            // Whether it is the lines or the program that is of no use is seen by a line that is known.
            if !lines.isEmpty && answers.allSatisfy({ $0 == nil }) {
                guard try ask([probe], of: &child) != [nil] else { throw .ends(program) }
            }
            return answers
        }
    }

    private func ask(_ lines: [[UInt8]], of child: inout Child?) throws(ProgramFailure) -> [[UInt8]?] {
        let deadline = ContinuousClock.now + limits.call
        var answers: [[UInt8]?] = []
        var losses = 0
        while answers.count < lines.count && losses <= limits.losses && !ending.hasCome {
            if child == nil { child = try Child(program, arguments, in: folder, memory: limits.memoryBytes) }
            answers += child?.answers(to: lines[answers.count...], limits, until: deadline, or: ending) ?? []
            let isLost = answers.count < lines.count
            if isLost || child?.answered ?? 0 >= limits.answersPerChild {
                child?.end()
                child = nil
            }
            guard isLost else { break }
            answers.append(nil)
            losses += 1
        }
        return answers + [[UInt8]?](repeating: nil, count: lines.count - answers.count)
    }
}

/// Why nothing can be asked of a program.
package enum ProgramFailure: Error, Equatable, CustomStringConvertible {
    case notStarted(String, Int32)
    /// It answers nothing at all.
    case ends(String)
    /// Nothing is to be asked of it any more.
    case stopped(String)

    package var description: String {
        switch self {
        case .notStarted(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        case .ends(let program): "\(program) ends without an answer"
        case .stopped(let program): "\(program) is not asked any more"
        }
    }
}
