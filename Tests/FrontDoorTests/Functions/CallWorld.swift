// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// An app whose functions are at a receiver on loopback, and calls of its clients.
struct CallWorld: Sendable {
    let accounts: AccountWorld
    let target: WebhookSink

    var live: LiveDaemon { accounts.live }
    var keys: AppKeys { accounts.keys }

    static func use(
        _ manner: @escaping @Sendable (Hook) -> WebhookSink.Manner,
        _ body: @Sendable (CallWorld) async throws -> Void
    ) async throws {
        let target = try WebhookSink(manner)
        try await AccountWorld.use(configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }) { accounts in
            try await body(CallWorld(accounts: accounts, target: target))
        }
    }

    /// Stores a function at the receiver's path of the same name, and returns its secret.
    @discardableResult
    func define(_ name: String = "f", _ more: String = #""auth": "none""#) async throws -> String {
        try await CallWorld.define(name, #"{"url": "\#(target.url("/" + name))", \#(more)}"#, live.api, keys)
    }

    @discardableResult
    static func define(_ name: String, _ definition: String, _ api: TestClient, _ keys: AppKeys) async throws -> String {
        let reply = try await api.request("PUT", "/v1/functions/\(name)", key: keys.admin, body: Array(definition.utf8))
        #expect([200, 201].contains(reply.status), "\(reply.text)")
        return try JSON(reply)["secret"].text
    }

    func call(
        _ name: String = "f", _ body: String = #"{"data": null}"#, as bearer: String? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        try await live.api.post("/v1/call/\(keys.app)/\(name)", key: bearer, headers: headers, body)
    }

    /// Sends a call without waiting for its response.
    func send(_ name: String = "f", headers: [String: String] = [:]) async throws -> HTTPConnection {
        let connection = try live.api.connect()
        let fields = ["Content-Type": "application/json"].merging(headers) { $1 }
        try await connection.send(TestClient.bytes("POST", "/v1/call/\(keys.app)/\(name)", headers: fields, body: Array(#"{"data": 1}"#.utf8)))
        return connection
    }

    /// Waits until this number of calls is under way, and this one waits.
    func reaches(underWay: Int, waiting: Int = 0) async throws -> Bool {
        try await eventually { live.daemon.callDesk.figures == (underWay, waiting) }
    }

    static func answer(_ status: Int, _ body: String, type: String = "application/json") -> WebhookSink.Manner {
        .status(status, "Content-Type: \(type)", body: body)
    }
}

/// The status word, message and HTTP status of an error of the callable protocol.
struct CallFault: Equatable, CustomStringConvertible {
    var http: Int
    var word: String

    init(_ http: Int, _ word: String) { (self.http, self.word) = (http, word) }

    init(_ reply: Reply) throws { self.init(reply.status, try JSON(reply)["error"]["status"].text) }

    var description: String { "\(http) \(word)" }
}
