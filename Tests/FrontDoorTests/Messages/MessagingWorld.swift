// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// A running daemon with two apps, and requests about devices and messages. It does not send to webhooks.
struct MessagingWorld: Sendable {
    let live: LiveDaemon
    let ours: AppKeys
    let theirs: AppKeys

    var api: TestClient { live.api }

    static func use(clock: WallClock = .system, _ body: @Sendable (MessagingWorld) async throws -> Void) async throws {
        try await withDaemon(clock: clock, sends: false) { live in
            try await body(MessagingWorld(live: live, ours: live.api.makeApp("ours"), theirs: live.api.makeApp("theirs")))
        }
    }

    /// Registers a stream device and returns its token.
    static func stream(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        let made = try await api.post("/v1/devices", key: keys.send, #"{"platform": "linux", "endpoint": {"type": "stream"}}"#)
        #expect(made.status == 201)
        return try JSON(made)["token"].text
    }

    /// Publishes a message to a new device and returns its ID.
    static func message(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        let token = try await stream(api, keys)
        return try JSON(await api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
    }

    /// The deliveries of a message after its fan-out.
    static func deliveries(_ api: TestClient, _ keys: AppKeys, of message: String) async throws -> [JSON] {
        while true {
            let status = try JSON(await api.get("/v1/messages/\(message)", key: keys.send))
            try #require(status["stage"].exists)
            if status["stage"].text != "spreading" { break }
        }
        return try JSON(await api.get("/v1/deliveries?message=\(message)", key: keys.send))["items"].items
    }

    func stream() async throws -> String {
        try await Self.stream(api, ours)
    }

    /// Registers a webhook device without a server and returns its token.
    func webhook(_ path: String = "hook") async throws -> String {
        let made = try await post("/v1/devices", #"{"platform": "server", "endpoint": {"type": "webhook", "url": "http://127.0.0.1:9/\#(path)"}}"#)
        return try JSON(made)["token"].text
    }

    func post(_ target: String, as key: String? = nil, headers: [String: String] = [:], _ body: String) async throws -> Reply {
        try await api.post(target, key: key ?? ours.send, headers: headers, body)
    }

    func put(_ target: String, as key: String? = nil, _ body: String = "") async throws -> Reply {
        try await api.request("PUT", target, key: key ?? ours.send, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    func delete(_ target: String, as key: String? = nil) async throws -> Reply {
        try await api.request("DELETE", target, key: key ?? ours.send)
    }

    func get(_ target: String, as key: String? = nil) async throws -> JSON {
        try JSON(await api.get(target, key: key ?? ours.send))
    }

    func join(_ token: String, _ topics: String...) async throws {
        for topic in topics { #expect(try await put("/v1/topics/\(topic)/subscribers/\(token)").status == 204) }
    }
}

/// The first field error of a response.
struct Wrong: Equatable, CustomStringConvertible {
    var status: Int
    var field: String
    var code: String

    init(_ status: Int, _ field: String, _ code: String) {
        (self.status, self.field, self.code) = (status, field, code)
    }

    init(_ reply: Reply) throws {
        let problem = try JSON(reply)
        self.init(reply.status, problem["errors"][0]["field"].text, problem["errors"][0]["code"].text)
    }

    var description: String { "\(status) \(field) \(code)" }
}
