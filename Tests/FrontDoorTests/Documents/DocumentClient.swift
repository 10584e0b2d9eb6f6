// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// A daemon with an app and a key with the role `data`.
struct DocumentClient: Sendable {
    let live: LiveDaemon
    let keys: AppKeys
    let key: String

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), clock: WallClock = .system, _ body: @Sendable (DocumentClient) async throws -> Void
    ) async throws {
        try await withDaemon(in: folder, clock: clock) { live in
            try await body(make(live))
        }
    }

    /// Makes an app with a key of this role.
    static func make(_ live: LiveDaemon, _ name: String = "ours") async throws -> DocumentClient {
        let keys = try await live.api.makeApp(name)
        let made = try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "data"}"#)
        return DocumentClient(live: live, keys: keys, key: try JSON(made)["key"].text)
    }

    func send(_ verb: String, _ body: String, key: String? = nil) async throws -> Reply {
        try await live.api.post("/v1/documents:\(verb)", key: key ?? self.key, body)
    }

    /// Sends a request that must succeed.
    func json(_ verb: String, _ body: String) async throws -> JSON {
        let reply = try await send(verb, body)
        #expect(reply.status == 200, "\(body): \(reply.text)")
        return try JSON(reply)
    }

    /// The text of a document's fields; nil if it is not there.
    func fields(_ path: String) async throws -> String? {
        let reply = try await send("get", #"{"paths": ["\#(path)"]}"#)
        guard let start = reply.text.range(of: "\"fields\":"), let end = reply.text.range(of: ",\"version\":") else { return nil }
        return String(reply.text[start.upperBound..<end.lowerBound])
    }

    /// The paths of a query's result.
    func paths(_ query: String) async throws -> [String] { try await json("query", query)["documents"].items.map { $0["path"].text } }
}
