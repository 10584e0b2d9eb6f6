// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// A client of one app's database.
struct FirestoreClient: Sendable {
    let documents: DocumentClient
    var root: String { "projects/\(documents.keys.app)/databases/(default)/documents" }

    func send(_ method: String, _ path: String, _ body: String = "", key: String? = nil) async throws -> Reply {
        let text = body.replacing("~/", with: root + "/")
        let headers = ["Content-Type": "text/plain", "Authorization": "Bearer \(key ?? documents.key)"]
        return try await documents.live.api.request(method, "/v1/\(root)\(path)", headers: headers, body: Array(text.utf8))
    }

    /// The answer of a request that must succeed.
    func json(_ method: String, _ path: String, _ body: String = "") async throws -> JSON {
        let reply = try await send(method, path, body)
        #expect(reply.status == 200, "\(path) \(body): \(reply.text)")
        return try JSON(reply)
    }

    func commit(_ writes: String) async throws -> JSON { try await json("POST", ":commit", #"{"writes":["# + writes + "]}") }

    static func use(clock: WallClock = .system, _ body: @Sendable (FirestoreClient) async throws -> Void) async throws {
        try await DocumentClient.use(clock: clock) { try await body(FirestoreClient(documents: $0)) }
    }

    /// A write of a document with one number. `~/` is the root of names.
    static func set(_ path: String, _ number: Int) -> String {
        #"{"update":{"name":"~/\#(path)","fields":{"n":{"integerValue":"\#(number)"}}}}"#
    }

    /// The parts of the names behind a collection's path.
    static func ids(_ documents: JSON) -> [String] { documents.items.map { String($0["name"].text.split(separator: "/").last ?? "") } }
}
