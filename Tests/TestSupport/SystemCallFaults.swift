// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Injects failures or delays into system calls of a running process, by strace.
package final class SystemCallFaults: Sendable {
    package enum Failure: Error {
        case notAttached(String)
    }

    /// The calls that fail: all of this kind on these files, from the given number on, counted per thread.
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

        /// Delays the call, which then succeeds.
        package init(_ call: String, lateBySeconds seconds: Int, in files: [String]) {
            self.init(call, "", in: files)
            effect = "delay_enter=\(seconds * 1_000_000)"
        }
    }

    private static let program = "/usr/bin/strace"
    private let tracer: ChildProcess

    /// Whether strace is installed and may attach to child processes.
    package static func isPossible() async -> Bool {
        guard let child = try? ChildProcess("/bin/sleep", ["60"]) else { return false }
        return await (try? begin(Fault("pwrite64", "EIO", in: ["/nowhere"]), in: child.pid)) != nil
    }

    /// Returns when all threads of the process are traced.
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

    /// Detaches. Returns when the process runs untraced. Deinitialization detaches as well.
    package func end() async {
        tracer.signal(SIGTERM)
        _ = await tracer.exitCode()
    }
}
