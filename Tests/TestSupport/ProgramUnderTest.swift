package import Foundation
import Testing

/// A program of ours, as somebody runs it.
package struct ProgramUnderTest: Sendable {
    package let name: String

    package static let ingestd = ProgramUnderTest(name: "ingestd")
    package static let dashboard = ProgramUnderTest(name: "dashboard-cli")

    /// How a run ended and what it said.
    package struct Ended: Sendable {
        package let code: Int32
        package let output: String
        package let complaint: String
        fileprivate let name: String

        /// What every command that did not do its work says: one line.
        package var complaintIsOneLine: Bool {
            complaint.hasPrefix("\(name): ") && complaint.hasSuffix("\n") && complaint.filter(\.isNewline).count == 1
        }

        package func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }

        /// The elements of a list.
        package func items() throws -> [[String: Any]] {
            try json()["items"] as? [[String: Any]] ?? []
        }
    }

    /// Runs to the end, with nobody at its standard input, or what is given there.
    package func run(
        _ arguments: [String], in folder: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:], input: String? = nil
    ) async throws -> Ended {
        let files = TemporaryFolder()
        let process = process(arguments, in: folder.path, environment)
        if let input {
            try Data(input.utf8).write(to: URL(fileURLWithPath: files.path + "/input"))
            process.standardInput = FileHandle(forReadingAtPath: files.path + "/input")
        }
        process.standardOutput = try writable(files.path + "/output")
        process.standardError = try writable(files.path + "/error")
        let code = try await ExitCode(of: process).value()
        return Ended(
            code: code, output: try String(contentsOfFile: files.path + "/output", encoding: .utf8),
            complaint: try String(contentsOfFile: files.path + "/error", encoding: .utf8), name: name)
    }

    package func process(_ arguments: [String], in folder: String, _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Beside the program of the tests.
    package var path: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
    }

    private func writable(_ path: String) throws -> FileHandle {
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        return try #require(FileHandle(forWritingAtPath: path))
    }
}

/// Starts a process and waits for its end, at most for half a minute.
package final class ExitCode: Sendable {
    private let ends: AsyncStream<Int32>
    private let id: Int32

    package init(of process: Process) throws {
        let (ends, continuation) = AsyncStream<Int32>.makeStream()
        self.ends = ends
        process.terminationHandler = { process in
            continuation.yield(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
            continuation.finish()
        }
        try process.run()
        id = process.processIdentifier
    }

    package func value() async -> Int32 {
        let watchdog = Task { [id] in
            try await Task.sleep(for: .seconds(30))
            kill(id, SIGKILL)
        }
        defer { watchdog.cancel() }
        return await ends.first { _ in true } ?? -1
    }
}
