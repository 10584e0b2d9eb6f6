// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import Platform
import Synchronization

/// A child process that inherits no descriptors but its three standard streams.
///
/// Foundation's `Process` lets children that start at the same time inherit each other's pipes and sockets, which then never report their
/// end.
package final class ChildProcess: Sendable {
    package enum Failure: Error {
        case notStarted(Int32)
    }

    package let pid: Int32
    private let exit: ExitWatch

    /// The standard streams are descriptors owned by the caller. One that is nil is `/dev/null`.
    package init(
        _ program: String, _ arguments: [String], in folder: String = "/", environment: [String: String] = [:],
        input: Int32? = nil, output: Int32? = nil, complaints: Int32? = nil
    ) throws {
        let streams = [input ?? -1, output ?? -1, complaints ?? -1]
        var pid = pid_t()
        let error = withCStrings([program] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                clinux_spawn(program, arguments, environment, folder, streams, &pid)
            }
        }
        guard error == 0 else { throw Failure.notStarted(error) }
        self.pid = pid
        exit = ExitWatch(pid)
    }

    deinit {
        // Kills the child of a failed test. The process ID cannot be reused before `waitpid`.
        if !exit.isOver { kill(pid, SIGKILL) }
    }

    /// Runs a program to its end and returns its exit code and output. It is killed after the timeout.
    package static func run(
        _ program: String, _ arguments: [String], in folder: String = "/", environment: [String: String] = [:], within seconds: Int = 60
    ) async throws -> (code: Int32, output: String) {
        let ends = try pipe()
        let output = LineReader(ends.reading)
        let child = try {
            defer { close(ends.writing) }
            return try ChildProcess(program, arguments, in: folder, environment: environment, output: ends.writing)
        }()
        return (await child.exitCode(within: seconds), await output.whole())
    }

    /// Creates a pipe that no child inherits.
    package static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard clinux_pipe(&ends) == 0 else { throw Failure.notStarted(errno) }
        return (ends[0], ends[1])
    }

    /// The times that the process has given up a processor to wait.
    package var wakeUps: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.reduce(0) { sum, task in
            let status = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
        }
    }

    package func signal(_ number: Int32) {
        if !exit.isOver { kill(pid, number) }
    }

    /// Returns the exit code, or 128 plus the signal's number. The process is killed after the timeout.
    package func exitCode(within seconds: Int = 60) async -> Int32 {
        let watchdog = Task {
            try await Task.sleep(for: .seconds(seconds))
            signal(SIGKILL)
        }
        defer { watchdog.cancel() }
        return await exit.code()
    }
}

/// Waits for a child on its own thread. Dispatch has only 255 threads per process.
private final class ExitWatch: Sendable {
    private struct State {
        var code: Int32?
        var waiters: [CheckedContinuation<Int32, Never>] = []
    }

    private let state = Mutex(State())

    init(_ pid: pid_t) {
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            self.ended(status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f)
        }
    }

    var isOver: Bool { state.withLock { $0.code != nil } }

    func code() async -> Int32 {
        await withCheckedContinuation { continuation in
            let code = state.withLock { state in
                if state.code == nil { state.waiters.append(continuation) }
                return state.code
            }
            if let code { continuation.resume(returning: code) }
        }
    }

    private func ended(_ code: Int32) {
        let waiters = state.withLock { state in
            state.code = code
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: code) }
    }
}
