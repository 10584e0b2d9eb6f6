import Foundation
import Synchronization
import TestSupport

/// A program that goes on until it is ended, and what it writes meanwhile; after four minutes it is ended anyway, and whoever waits for a line fails.
final class LiveProgram: Sendable {
    let output: LineReader
    let complaints: LineReader
    private let exit: ExitCode
    private let id: pid_t
    private let isOver = Mutex(false)
    private let watchdog: Task<Void, any Error>

    init(_ program: ProgramUnderTest, _ arguments: [String], _ environment: [String: String]) throws {
        let process = program.process(arguments, in: "/", environment)
        let (output, complaints) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, complaints)
        exit = try ExitCode(of: process)
        id = process.processIdentifier
        watchdog = Task { [id] in
            try await Task.sleep(for: .seconds(240))
            kill(id, SIGKILL)
        }
        self.output = LineReader(dup(output.fileHandleForReading.fileDescriptor))
        self.complaints = LineReader(dup(complaints.fileHandleForReading.fileDescriptor))
    }

    deinit {
        watchdog.cancel()
        // A test that failed half-way leaves nobody running.
        if !isOver.withLock({ $0 }) { kill(id, SIGKILL) }
    }

    func signal(_ number: Int32) {
        kill(id, number)
    }

    /// How it ended, at most half a minute from now.
    func exitCode() async -> Int32 {
        let code = await exit.value()
        watchdog.cancel()
        isOver.withLock { $0 = true }
        return code
    }
}
