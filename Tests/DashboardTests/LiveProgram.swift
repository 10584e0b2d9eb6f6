// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A program that goes on until it is ended, and what it writes meanwhile; after four minutes it is ended anyway, and whoever waits for a line fails.
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

    /// How it ended.
    func exitCode() async -> Int32 {
        await child.exitCode()
    }
}
