// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Database
import EventStore
import HTTPClient
import HTTPServer
import Platform
import TestSupport

@testable import ingestd

/// A daemon on a free loopback port with its own data folder and one app.
struct RunningDaemon {
    let daemon: Daemon
    let api: TestClient
    private let address: String
    private let keys: [Role: String]
    private let client = HTTPClient()

    static func use(configure: (inout Configuration) -> Void = { _ in }, _ body: (RunningDaemon) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        var configuration = Configuration()
        configuration.storage.directory = folder.path
        configuration.server.listen = ListenAddress(IPAddress(v4: 0x7f00_0001), port: 0)
        configure(&configuration)
        let daemon = try Daemon(configuration, log: Log(level: .error))
        let server = try daemon.makeServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.work(behind: server) }
            defer { daemon.beginDrain() }
            let (_, keys) = try await daemon.store.events.createAppWithKeys(named: "tested")
            let running = RunningDaemon(
                daemon, TestClient(port: server.port, controlSocket: daemon.store.paths.controlSocket),
                keys: Dictionary(uniqueKeysWithValues: keys.map { ($0.role, $0.secret) }))
            try await body(running)
        }
    }

    private init(_ daemon: Daemon, _ api: TestClient, keys: [Role: String]) {
        (self.daemon, self.api, self.keys) = (daemon, api, keys)
        address = "http://127.0.0.1:\(api.port)"
    }

    func key(_ role: Role) -> String { keys[role] ?? "" }

    func get(_ path: String, as role: Role? = nil) async throws -> HTTPClientResponse {
        try await send("GET", path, role, [], nil)
    }

    func send(
        _ method: String, _ path: String, as role: Role, type: String = "application/json", _ body: [UInt8]
    ) async throws -> HTTPClientResponse {
        try await send(method, path, role, [("Content-Type", type)], body)
    }

    private func send(
        _ method: String, _ path: String, _ role: Role?, _ headers: [(name: String, value: String)], _ body: [UInt8]?
    ) async throws -> HTTPClientResponse {
        let key = role.flatMap { keys[$0] }.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return try await client.request(HTTPClientRequest(method, address + path, headers: headers + key, body: body))
    }
}
