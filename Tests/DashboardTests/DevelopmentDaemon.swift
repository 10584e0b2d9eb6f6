// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import TestSupport
import Testing

/// A daemon with the development app, and the environment that opens it to a role.
struct DevelopmentDaemon {
    let folder: TemporaryFolder
    let process: DaemonProcess
    let keys: JSONValue
    private let settings: [String: String]

    init(_ settings: [String: String] = [:]) async throws {
        try await self.init(TemporaryFolder(), settings, port: 0)
    }

    private init(_ folder: TemporaryFolder, _ settings: [String: String], port: UInt16) async throws {
        let environment = settings.merging(["INGESTD_MODE": "development", "INGESTD_SERVER_LISTEN": "127.0.0.1:\(port)"]) { $1 }
        process = try await DaemonProcess.start(in: folder.path, environment: environment)
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/development-keys.json"))
        keys = try #require(try JSONValue(Array(file))["keys"])
        (self.folder, self.settings) = (folder, settings)
    }

    /// The next daemon on the same folder, at the same address.
    func startedAgain() async throws -> DevelopmentDaemon {
        try await DevelopmentDaemon(folder, settings, port: process.api.port)
    }

    var url: String { "http://127.0.0.1:\(process.api.port)" }

    func environment(_ role: String) -> [String: String] {
        ["SIGNALBOX_URL": url, "SIGNALBOX_KEY": keys.text(role), "LANG": "C.UTF-8"]
    }

    func run(_ arguments: String..., as role: String = "read", input: String? = nil) async throws -> ProgramUnderTest.Ended {
        try await ProgramUnderTest.dashboard.run(arguments, environment: environment(role), input: input)
    }

    func run(_ arguments: [String], as role: String = "read") async throws -> ProgramUnderTest.Ended {
        try await ProgramUnderTest.dashboard.run(arguments, environment: environment(role))
    }

    func take(_ events: String) async throws {
        let answer = try await process.api.post("/v1/events", key: keys.text("ingest"), events)
        #expect(answer.status == 200, "\(answer.text)")
    }
}
