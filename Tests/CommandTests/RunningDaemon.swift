// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import TestSupport
import Testing

/// A running daemon on a folder. It is killed at the end of the test unless it was stopped.
final class RunningDaemon: Sendable {
    let port: Int
    private let child: ChildProcess
    private let log: LineReader

    /// Waits until the daemon serves; the environment can override settings.
    static func start(on data: String, arguments: [String] = [], environment: [String: String] = [:]) async throws -> RunningDaemon {
        let pipe = try ChildProcess.pipe()
        let log = LineReader(pipe.reading)
        let child = try {
            defer { close(pipe.writing) }
            return try ProgramUnderTest.ingestd.start(
                ["serve", "--data", data, "--listen", "127.0.0.1:0"] + arguments, environment: environment, complaints: pipe.writing)
        }()
        let line = try await log.line { $0.contains("msg=serving") }
        let port = line.split(separator: " ").first { $0.hasPrefix("address=") }?.split(separator: ":").last
        return RunningDaemon(child, log, port: try #require(port.flatMap { Int($0) }))
    }

    private init(_ child: ChildProcess, _ log: LineReader, port: Int) {
        self.child = child
        self.log = log
        self.port = port
    }

    /// Waits for a log line that contains the text.
    func says(_ text: String) async throws {
        _ = try await log.line { $0.contains(text) }
    }

    func stop(_ signal: Int32 = SIGTERM) async -> Int32 {
        child.signal(signal)
        return await child.exitCode()
    }

    /// Sends a request over TCP, as a client does.
    func ask(_ method: String, _ target: String, key: String, body: String? = nil) async throws -> (status: Int, body: String) {
        let headers = [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")]
        let response = try await HTTPClient().request(
            HTTPClientRequest(method, "http://127.0.0.1:\(port)\(target)", headers: headers, body: body.map { Array($0.utf8) }))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// Stores one event for each name.
    func take(_ names: [String], key: String, user: String = "anna") async throws {
        let events = names.map { "{\"name\":\"\($0)\",\"user_id\":\"\(user)\",\"params\":{\"text\":\"\(String(repeating: "x", count: 80))\"}}" }
        let response = try await ask("POST", "/v1/events", key: key, body: "[\(events.joined(separator: ","))]")
        try #require(response.status == 200 && response.body.contains("\"accepted\":\(names.count),"), "\(response.body.prefix(500))")
    }
}
