// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// A client that listens and keeps the results of its targets, as versions by path.
actor DocumentFollower {
    private let stream: EventStream
    private(set) var id = ""
    private(set) var results: [Int: [String: Int]]
    private(set) var stamp = 0
    /// The newest stamp of a change of each target.
    private(set) var stamps: [Int: Int] = [:]
    private(set) var token: String?
    private(set) var current: Set<Int> = []
    private(set) var resets: Set<Int> = []
    /// Targets that the server removed, with the code of the error.
    private(set) var denied: [Int: String] = [:]
    /// The number of requests for a newer token.
    private(set) var renewals = 0
    /// The documents and removals that arrived.
    private(set) var received = 0

    init(_ client: DocumentClient, _ body: String, key: String? = nil, results: [Int: [String: Int]] = [:]) async throws {
        try await self.init(client.live.api, body, key: key ?? client.key, results: results)
    }

    init(_ api: TestClient, _ body: String, key: String, results: [Int: [String: Int]]) async throws {
        stream = try await EventStream(api, "/v1/documents:listen", key: key, body: body)
        self.results = results
        let opening = try await stream.next()
        id = try opening?.json["id"].text ?? ""
    }

    nonisolated var status: Int { stream.head.status }

    /// Applies messages until a condition holds. Returns false at the end of the stream.
    @discardableResult
    func follow(until isSo: @Sendable (isolated DocumentFollower) -> Bool) async throws -> Bool {
        while !isSo(self) {
            guard let message = try await stream.next() else { return false }
            try apply(message)
        }
        return true
    }

    /// Applies messages until all of some targets are current.
    func follow(untilCurrent targets: Set<Int>) async throws {
        #expect(try await follow { $0.current.isSuperset(of: targets) })
    }

    /// Returns the next message without applying it; nil at the end.
    func message() async throws -> EventStream.Message? { try await stream.next() }

    func close() async { await stream.close() }

    private func apply(_ message: EventStream.Message) throws {
        token = message.id ?? token
        let json = try message.json
        switch (message.event, json["state"].text) {
        case ("change", _):
            stamp = json["stamp"].number
            for change in json["changes"].items { apply(change) }
        case ("target", "current"):
            let target = json["target"].number
            current.insert(target)
            results[target] = results[target] ?? [:]
        case ("target", "reset"):
            resets.insert(json["target"].number)
            results[json["target"].number] = [:]
        case ("target", "removed"):
            current.remove(json["target"].number)
            results[json["target"].number] = nil
            if json["error"].exists { denied[json["target"].number] = json["error"]["code"].text }
        case ("target", "added"): denied[json["target"].number] = nil
        case ("renew", _): renewals += 1
        default: break
        }
    }

    private func apply(_ change: JSON) {
        received += 1
        for number in change["targets"].items {
            let target = number.number
            stamps[target] = stamp
            let path = change["document"].exists ? change["document"]["path"].text : change["path"].text
            let isKnown = results[target]?[path] != nil
            #expect(isKnown == (change["kind"].text != "added"), "\(change["kind"].text) \(path)")
            results[target, default: [:]][path] = change["document"].exists ? change["document"]["version"].number : nil
        }
    }
}
