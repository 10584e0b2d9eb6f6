// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Makes system calls of a running process fail, or take long, from outside, through strace, for as long as it is told to.
package final class SystemCallFaults: Sendable {
    package enum Failure: Error {
        case notAttached(String)
    }

    /// What fails: every such call on these files, from the one with this number on, counted for each thread by itself.
    package struct Fault: Sendable {
        package var call: String
        package var first: Int
        package var files: [String]
        fileprivate var effect: String

        package init(_ call: String, _ error: String, from first: Int = 1, in files: [String]) {
            self.call = call
            self.first = first
            self.files = files
            effect = "error=\(error)"
        }

        /// Does what it should, later.
        package init(_ call: String, lateBySeconds seconds: Int, in files: [String]) {
            self.init(call, "", in: files)
            effect = "delay_enter=\(seconds * 1_000_000)"
        }
    }

    private static let program = "/usr/bin/strace"
    private let tracer: ChildProcess

    /// Whether there is a tracer here, and it may attach to a child of ours.
    package static func isPossible() async -> Bool {
        guard let child = try? ChildProcess("/bin/sleep", ["60"]) else { return false }
        return await (try? begin(Fault("pwrite64", "EIO", in: ["/nowhere"]), in: child.pid)) != nil
    }

    /// Answers when every thread of the process is watched.
    package static func begin(_ fault: Fault, in pid: Int32) async throws -> SystemCallFaults {
        let complaints = try ChildProcess.pipe()
        let said = LineReader(complaints.reading)
        let tracer = try {
            defer { close(complaints.writing) }
            return try ChildProcess(program, arguments(fault, pid), complaints: complaints.writing)
        }()
        do {
            _ = try await said.line { $0.contains(" attached") }
        } catch {
            throw Failure.notAttached(await said.whole())
        }
        return SystemCallFaults(tracer)
    }

    private init(_ tracer: ChildProcess) {
        self.tracer = tracer
    }

    private static func arguments(_ fault: Fault, _ pid: Int32) -> [String] {
        let injection = "inject=\(fault.call):\(fault.effect):when=\(fault.first)+"
        let files = fault.files.flatMap { ["-P", $0] }
        return ["-f", "-o", "/dev/null", "-p", String(pid), "-e", "trace=\(fault.call)", "-e", injection] + files
    }

    /// Leaves the process to itself, also when this is let go of; answers when its calls work again.
    package func end() async {
        tracer.signal(SIGTERM)
        _ = await tracer.exitCode()
    }
}
