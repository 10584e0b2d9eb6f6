import Foundation
import Synchronization
import TestSupport
import Testing

/// The program itself, as somebody runs it.
enum Program {
    /// How a run ended and what it said.
    struct Ended: Sendable {
        let code: Int32
        let output: String
        let complaint: String

        /// What every command that did not do its work says: one line.
        var complaintIsOneLine: Bool {
            complaint.hasPrefix("ingestd: ") && complaint.hasSuffix("\n") && complaint.filter(\.isNewline).count == 1
        }

        func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }

        /// The elements of a list.
        func items() throws -> [[String: Any]] {
            try json()["items"] as? [[String: Any]] ?? []
        }
    }

    /// Runs to the end, with nobody at its standard input.
    static func run(_ arguments: [String], in folder: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:]) async throws -> Ended
    {
        let files = TemporaryFolder()
        let process = process(arguments, in: folder.path, environment)
        process.standardOutput = try writable(files.path + "/output")
        process.standardError = try writable(files.path + "/error")
        let code = try await ExitCode(of: process).value()
        return Ended(
            code: code, output: try String(contentsOfFile: files.path + "/output", encoding: .utf8),
            complaint: try String(contentsOfFile: files.path + "/error", encoding: .utf8))
    }

    static func run(_ arguments: String..., in folder: TemporaryFolder = TemporaryFolder()) async throws -> Ended {
        try await run(arguments, in: folder)
    }

    static func process(_ arguments: [String], in folder: String, _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Beside the program of the tests.
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/ingestd"

    private static func writable(_ path: String) throws -> FileHandle {
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        return try #require(FileHandle(forWritingAtPath: path))
    }
}

/// Starts a process and waits for its end, at most for half a minute.
final class ExitCode: Sendable {
    private let ends: AsyncStream<Int32>
    private let id: Int32

    init(of process: Process) throws {
        let (ends, continuation) = AsyncStream<Int32>.makeStream()
        self.ends = ends
        process.terminationHandler = { process in
            continuation.yield(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
            continuation.finish()
        }
        try process.run()
        id = process.processIdentifier
    }

    func value() async -> Int32 {
        let watchdog = Task { [id] in
            try await Task.sleep(for: .seconds(30))
            kill(id, SIGKILL)
        }
        defer { watchdog.cancel() }
        return await ends.first { _ in true } ?? -1
    }
}
