// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

extension World {
    /// Sends a message and returns its ID.
    func send(_ message: String) async throws -> String {
        let answer = try await api.post("/v1/messages", key: keys.send, message)
        try #require(answer.status == 200, "\(answer.text)")
        return try JSON(answer)["id"].text
    }

    /// The number of a message's deliveries by state.
    func counts(_ message: String) async throws -> JSON {
        try JSON(await api.get("/v1/messages/\(message)", key: keys.send))["counts"]
    }

    /// The number of devices that a message to a user reaches.
    func audience(of user: String) async throws -> Int {
        try JSON(await api.post("/v1/messages", key: keys.send, #"{"user": "\#(user)", "notification": {"title": "Hello"}}"#))["audience"].number
    }

    func device(_ token: String) async throws -> JSON {
        try JSON(await api.get("/v1/devices/\(token)", key: keys.send))
    }

    func topics(of app: SignalboxApp) async throws -> [String] {
        try await device(app.messaging.getToken())["topics"].items.map(\.text)
    }

    /// The number of subscribers of a topic.
    func topic(_ name: String) async throws -> Int {
        try JSON(await api.get("/v1/topics/\(name)", key: keys.send))["subscribers"].number
    }

    /// The number of streams open at the daemon.
    func streams() async throws -> Int {
        let lines = try await api.get("/metrics").text.split(separator: "\n")
        return try #require(lines.first { $0.hasPrefix("signalbox_streams ") }.flatMap { Double($0.dropFirst(18)) }.map(Int.init))
    }

    /// An app in its own process that prints the messages it receives.
    func receivingApp(at address: String) throws -> (app: ChildProcess, output: LineReader) {
        let ends = try ChildProcess.pipe()
        defer { close(ends.writing) }
        let arguments = [appFolder.path, "receiving", address, keys.ingest, "0", "0"]
        return (try ProgramUnderTest.loggingApp.start(arguments, output: ends.writing), LineReader(ends.reading))
    }
}
