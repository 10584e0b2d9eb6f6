// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A running program with its output. It is killed after four minutes, which fails pending waits for a line.
final class LiveProgram: Sendable {
    let output: LineReader
    let complaints: LineReader
    private let child: ChildProcess
    private let watchdog: Task<Void, any Error>

    init(_ program: ProgramUnderTest, _ arguments: [String], _ environment: [String: String]) throws {
        let (output, complaints) = (try ChildProcess.pipe(), try ChildProcess.pipe())
        (self.output, self.complaints) = (LineReader(output.reading), LineReader(complaints.reading))
        defer { for end in [output.writing, complaints.writing] { close(end) } }
        let child = try program.start(arguments, environment: environment, output: output.writing, complaints: complaints.writing)
        self.child = child
        watchdog = Task { [weak child] in
            try await Task.sleep(for: .seconds(240))
            child?.signal(SIGKILL)
        }
    }

    deinit {
        watchdog.cancel()
    }

    func signal(_ number: Int32) {
        child.signal(number)
    }

    /// The exit code, once the program has ended.
    func exitCode() async -> Int32 {
        await child.exitCode()
    }
}
