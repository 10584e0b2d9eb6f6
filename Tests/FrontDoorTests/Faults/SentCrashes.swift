// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// A client that sends crashes to a daemon whose disk fails, and remembers what it was told.
struct SentCrashes {
    static let batchSize = 10
    let keys: AppKeys
    private(set) var next = 0
    private(set) var acknowledged: Set<String> = []

    init(_ keys: AppKeys) {
        self.keys = keys
    }

    /// Sends the next reports, under ids of their own; they go on to be the next until they are taken.
    mutating func post(_ api: TestClient) async throws -> Reply {
        let reply = try await post(next, api)
        if reply.status == 200 {
            acknowledged.formUnion(Self.ids(next).map { "\(keys.app)/\($0)" })
            next += 1
        }
        return reply
    }

    /// The first answer that is not that all were taken.
    mutating func postUntilRefused(_ api: TestClient) async throws -> Reply? {
        for _ in 0..<1_000 {
            let reply = try await post(api)
            if reply.status != 200 { return reply }
        }
        return nil
    }

    func postFirstAgain(_ api: TestClient) async throws -> Taken {
        try Taken(await post(0, api))
    }

    private func post(_ number: Int, _ api: TestClient) async throws -> Reply {
        let reports = Self.ids(number).map { id in
            // What is random is as large when it is compressed.
            let log = String((0..<2_000).map { _ in "0123456789abcdef".randomElement() ?? "0" })
            return #"{"id": "\#(id)", "type": "Boom\#(number % 3)", "user_id": "u\#(number % 9)", "frames": [{"function": "f"}], "logs": "\#(log)"}"#
        }
        return try await api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(reports.joined(separator: ","))]}"#)
    }

    private static func ids(_ number: Int) -> [String] { (0..<batchSize).map { "\(number)-\($0)" } }

    /// What is wrong with the file, in words: exactly what was acknowledged is there, once.
    func judge(_ folder: String) throws -> [String] {
        let found = try StoredCrashes(of: folder)
        let stored = Set(found.crashes.keys)
        if stored == acknowledged { return found.problems }
        return found.problems + [
            "\(acknowledged.subtracting(stored).count) lost, \(stored.subtracting(acknowledged).count) kept against their answer"
        ]
    }

    /// How many commits to the crashes' file have failed.
    static func failedCommits(_ api: TestClient) async throws -> Int {
        let name = "signalbox_crashes_commits_failed_total "
        let line = try await api.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }
}
