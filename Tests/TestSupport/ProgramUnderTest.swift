// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A program of this package, run as a user would.
package struct ProgramUnderTest: Sendable {
    package let name: String

    package static let ingestd = ProgramUnderTest(name: "ingestd")
    package static let dashboard = ProgramUnderTest(name: "dashboard-cli")
    /// An app that logs until it is killed.
    package static let loggingApp = ProgramUnderTest(name: "logging-app")
    /// An app that queues writes of documents.
    package static let writingApp = ProgramUnderTest(name: "writing-app")
    /// An app that crashes on command.
    package static let crashingApp = ProgramUnderTest(name: "crashing-app")

    /// The exit code and output of a run.
    package struct Ended: Sendable {
        package let code: Int32
        package let output: String
        package let complaint: String
        fileprivate let name: String

        /// Whether the error output is one line, as for every failed command.
        package var complaintIsOneLine: Bool {
            complaint.hasPrefix("\(name): ") && complaint.hasSuffix("\n") && complaint.filter(\.isNewline).count == 1
        }

        package func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }

        /// Returns the items of a list.
        package func items() throws -> [[String: Any]] {
            try json()["items"] as? [[String: Any]] ?? []
        }
    }

    /// Runs the program to its end. Standard input is empty unless given.
    package func run(
        _ arguments: [String], in folder: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:], input: String? = nil
    ) async throws -> Ended {
        let files = TemporaryFolder()
        try Data((input ?? "").utf8).write(to: URL(fileURLWithPath: files.path + "/input"))
        let streams = try ["input", "output", "error"].map { try descriptor(files.path + "/" + $0) }
        defer { for stream in streams { close(stream) } }
        let child = try start(
            arguments, in: folder.path, environment: environment, input: streams[0], output: streams[1], complaints: streams[2])
        // Long enough for an import beside many other programs.
        let code = await child.exitCode(within: 300)
        return Ended(
            code: code, output: try String(contentsOfFile: files.path + "/output", encoding: .utf8),
            complaint: try String(contentsOfFile: files.path + "/error", encoding: .utf8), name: name)
    }

    package func start(
        _ arguments: [String], in folder: String = "/", environment: [String: String] = [:],
        input: Int32? = nil, output: Int32? = nil, complaints: Int32? = nil
    ) throws -> ChildProcess {
        try ChildProcess(path, arguments, in: folder, environment: environment, input: input, output: output, complaints: complaints)
    }

    /// The path of the program, which is beside the test program.
    package var path: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
    }

    private func descriptor(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }
}
