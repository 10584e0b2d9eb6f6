// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A child process that returns a line for each line and is kept open between calls.
///
/// Its input is untrusted, so it may crash, hang or exhaust memory. It is then killed, the current line has no result, and the next line
/// goes to a new child. There is one caller at a time; `Limits` bound the duration of a call.
final class LineProgram: Sendable {
    struct Limits: Sendable {
        /// The time limit of one line, and of a call.
        var line: Duration = .seconds(20)
        var call: Duration = .seconds(120)
        var resultBytes = 1 << 20
        /// The limit of bytes from one child during a call.
        var callBytes = 32 << 20
        var memoryBytes: UInt64 = 4 << 30
        /// The number of lines that may fail in one call. The remaining lines are then not asked.
        var maxFailures = 2
        /// The number of lines after which a child is replaced, because its memory grows.
        var linesPerChild = 100_000
    }

    private let command: ReaderCommand
    private let folder: String
    private let limits: Limits
    /// A harmless line that a working program handles.
    private let probe: [UInt8]
    private let child = Mutex<Child?>(nil)
    private let ending = Cancellation()

    init(_ command: ReaderCommand, in folder: String, probe: String, limits: Limits = Limits()) {
        self.command = command
        self.folder = folder
        self.limits = limits
        self.probe = Array(probe.utf8)
    }

    deinit {
        end()
    }

    /// The child's process ID, for tests that kill it.
    var process: pid_t? { child.withLock { $0?.process } }

    /// Ends the child until the next call, which frees its memory.
    func end() {
        child.withLock { child in
            child?.end()
            child = nil
        }
    }

    /// Cancels the current call, from any thread, and rejects further ones.
    func stop() {
        ending.cancel()
    }

    /// Returns the result of each line; nil for a line that the program did not survive.
    func ask(_ lines: [[UInt8]]) throws(ProgramError) -> [[UInt8]?] {
        try child.withLock { (child: inout sending Child?) throws(ProgramError) in
            let results = try ask(lines, of: &child)
            guard !ending.isCancelled else { throw .stopped(command.program) }
            // A known line shows whether the lines or the program is at fault.
            if !lines.isEmpty && results.allSatisfy({ $0 == nil }) {
                guard try ask([probe], of: &child) != [nil] else { throw .ends(command.program) }
            }
            return results
        }
    }

    private func ask(_ lines: [[UInt8]], of child: inout Child?) throws(ProgramError) -> [[UInt8]?] {
        let deadline = ContinuousClock.now + limits.call
        var results: [[UInt8]?] = []
        var failures = 0
        while results.count < lines.count && failures <= limits.maxFailures && !ending.isCancelled {
            if child == nil { child = try Child(command, in: folder, memory: limits.memoryBytes) }
            results += child?.results(to: lines[results.count...], limits, until: deadline, or: ending) ?? []
            let isLost = results.count < lines.count
            if isLost || child?.completed ?? 0 >= limits.linesPerChild {
                child?.end()
                child = nil
            }
            guard isLost else { break }
            results.append(nil)
            failures += 1
        }
        return results + [[UInt8]?](repeating: nil, count: lines.count - results.count)
    }
}

/// The reason why a program cannot be used.
package enum ProgramError: Error, Equatable, CustomStringConvertible {
    case notStarted(String, Int32)
    /// It returns nothing at all.
    case ends(String)
    /// It was stopped.
    case stopped(String)
    /// Its input could not be written.
    case withoutInput(String)

    package var description: String {
        switch self {
        case .notStarted(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        case .ends(let program): "\(program) exits without a result"
        case .stopped(let program): "\(program) was stopped"
        case .withoutInput(let reason): "cannot write the input of a program: \(reason)"
        }
    }
}
