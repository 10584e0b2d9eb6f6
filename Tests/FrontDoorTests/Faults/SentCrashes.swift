// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// A client that sends crashes to a daemon with a failing disk and remembers the responses.
struct SentCrashes {
    static let batchSize = 10
    let keys: AppKeys
    private(set) var next = 0
    private(set) var acknowledged: Set<String> = []

    init(_ keys: AppKeys) {
        self.keys = keys
    }

    /// Sends the next reports with new IDs. They are repeated until they are accepted.
    mutating func post(_ api: TestClient) async throws -> Reply {
        let reply = try await post(next, api)
        if reply.status == 200 {
            acknowledged.formUnion(Self.ids(next).map { "\(keys.app)/\($0)" })
            next += 1
        }
        return reply
    }

    /// The first response that does not accept all reports.
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
            // Random text does not compress.
            let log = String((0..<2_000).map { _ in "0123456789abcdef".randomElement() ?? "0" })
            return #"{"id": "\#(id)", "type": "Boom\#(number % 3)", "user_id": "u\#(number % 9)", "frames": [{"function": "f"}], "logs": "\#(log)"}"#
        }
        return try await api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(reports.joined(separator: ","))]}"#)
    }

    private static func ids(_ number: Int) -> [String] { (0..<batchSize).map { "\(number)-\($0)" } }

    /// The differences between the stored and the acknowledged crashes.
    func verify(_ folder: String) throws -> [String] {
        let found = try StoredCrashes(of: folder)
        let stored = Set(found.crashes.keys)
        if stored == acknowledged { return found.problems }
        return found.problems + [
            "\(acknowledged.subtracting(stored).count) lost, \(stored.subtracting(acknowledged).count) kept against their answer"
        ]
    }

    /// The number of failed commits of the crash file.
    static func failedCommits(_ api: TestClient) async throws -> Int {
        let name = "signalbox_crashes_commits_failed_total "
        let line = try await api.get("/metrics").lines.first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }
}
