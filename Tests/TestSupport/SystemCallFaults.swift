import Dispatch
import Foundation
package import Glibc

/// Makes system calls of a running process fail from outside, through strace, for as long as it is told to.
package final class SystemCallFaults: Sendable {
    package enum Failure: Error {
        case notAttached(String)
    }

    /// What fails: every such call on these files, from the one with this number on, counted for each thread by itself.
    package struct Fault: Sendable {
        package var call: String
        package var error: String
        package var first: Int
        package var files: [String]

        package init(_ call: String, _ error: String, from first: Int = 1, in files: [String]) {
            self.call = call
            self.error = error
            self.first = first
            self.files = files
        }
    }

    private static let program = "/usr/bin/strace"
    private let tracer: Process

    /// Whether there is a tracer here, and it may attach to a child of ours.
    package static let isPossible: Bool = {
        guard let child = try? Process.run(URL(fileURLWithPath: "/bin/sleep"), arguments: ["60"]) else { return false }
        defer { kill(child.processIdentifier, SIGKILL) }
        let faults = try? SystemCallFaults(Fault("pwrite64", "EIO", in: ["/nowhere"]), pid: child.processIdentifier)
        return faults != nil
    }()

    /// Answers when every thread of the process is watched.
    package static func begin(_ fault: Fault, in pid: pid_t) async throws -> SystemCallFaults {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try SystemCallFaults(fault, pid: pid) })
            }
        }
    }

    private init(_ fault: Fault, pid: pid_t) throws {
        let errors = Pipe()
        tracer = Process()
        tracer.executableURL = URL(fileURLWithPath: SystemCallFaults.program)
        tracer.arguments =
            [
                "-f", "-o", "/dev/null", "-p", String(pid), "-e", "trace=\(fault.call)",
                "-e", "inject=\(fault.call):error=\(fault.error):when=\(fault.first)+",
            ] + fault.files.flatMap { ["-P", $0] }
        tracer.standardError = errors
        try tracer.run()
        var said = ""
        while !said.contains(" attached") {
            let bytes = errors.fileHandleForReading.availableData
            if bytes.isEmpty { throw Failure.notAttached(said) }
            said += String(decoding: bytes, as: UTF8.self)
        }
    }

    deinit {
        stop()
    }

    /// Leaves the process to itself; answers when its calls work again.
    package func end() async {
        stop()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.tracer.waitUntilExit()
                continuation.resume()
            }
        }
    }

    /// A kill, because the tracer inherits the signal mask of the thread that started it; the system lets go of what it traced.
    private func stop() {
        if tracer.isRunning { kill(tracer.processIdentifier, SIGKILL) }
    }
}
