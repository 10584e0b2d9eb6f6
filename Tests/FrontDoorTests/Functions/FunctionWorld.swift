// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// A running daemon with an app, and a receiver at the addresses of its functions.
struct FunctionWorld: Sendable {
    let live: LiveDaemon
    let keys: AppKeys
    let sink: WebhookSink

    var api: TestClient { live.api }

    static func use(
        clock: WallClock = .system, retries: [Timestamp.Span] = [.init(milliseconds: 5), .init(milliseconds: 5)],
        configure: (inout Configuration) -> Void = { _ in }, answer: @escaping @Sendable (Hook) -> WebhookSink.Manner = { _ in .status(200) },
        _ body: @Sendable (FunctionWorld) async throws -> Void
    ) async throws {
        let sink = try WebhookSink(answer)
        try await withDaemon(
            clock: clock,
            configure: { configuration in
                configuration.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init)
                configuration.delivery.retries.waits = retries
                configure(&configuration)
            }
        ) { live in
            try await body(FunctionWorld(live: live, keys: live.api.makeApp(), sink: sink))
        }
    }

    /// Sets a function whose address is a path of the receiver.
    @discardableResult
    func put(_ name: String, _ fields: String = "") async throws -> JSON {
        let body = #"{"url": "\#(sink.url("/\(name)"))"\#(fields.isEmpty ? "" : ", ")\#(fields)}"#
        let reply = try await api.request("PUT", "/v1/functions/\(name)", key: keys.admin, body: Array(body.utf8))
        try #require([200, 201].contains(reply.status), "\(reply.text)")
        return try JSON(reply)
    }

    /// Adds a task and returns its ID.
    @discardableResult
    func task(_ name: String, _ body: String = "{}", headers: [String: String] = [:]) async throws -> String {
        let reply = try await api.post("/v1/functions/\(name)/tasks", key: keys.send, headers: headers, body)
        try #require([200, 201].contains(reply.status), "\(reply.text)")
        return try JSON(reply)["id"].text
    }

    /// A time in the JSON of a task.
    static func later(hours: Int64) -> String { (WallClock.system.now() + .hours(hours)).rfc3339 }

    func runs(_ name: String, _ query: String = "") async throws -> [JSON] {
        try JSON(await api.get("/v1/functions/\(name)/runs?\(query)", key: keys.read))["items"].items
    }

    func run(_ id: String) async throws -> JSON { try JSON(await api.get("/v1/runs/\(id)", key: keys.read)) }

    /// Returns once so many runs of a function are in a state.
    func settled(_ name: String, _ count: Int, in state: String = "done") async throws -> Bool {
        try await eventually { try await self.runs(name, "limit=1000&state=\(state)").count == count }
    }
}
