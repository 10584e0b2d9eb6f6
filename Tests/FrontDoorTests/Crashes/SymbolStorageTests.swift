// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore
@testable import ingestd

/// Symbol files and their rows, which are stored in two places.
@Suite struct SymbolStorageTests {
    private static let build = "7193bee0-742a-21db-8cc9-05fce5275ed0"

    private static func file(_ name: String, of build: String = build) -> String {
        "MODULE Linux x86_64 \(build.filter { $0 != "-" }.uppercased())0 Probe\nFUNC 10 10 0 \(name)\n"
    }

    private static func put(_ api: TestClient, _ keys: AppKeys, _ name: String, of build: String = build) async throws -> Int {
        try await api.request("PUT", "/v1/symbols/\(build)", key: keys.admin, body: Array(file(name, of: build).utf8)).status
    }

    private static func files(_ live: LiveDaemon, _ keys: AppKeys) throws -> Set<String> {
        Set(try Folder.names(in: "\(live.daemon.store.paths.symbols)/\(keys.app)"))
    }

    @Test func `a replaced file is removed at once, a file without a row by the next sweep`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            #expect(try await Self.put(live.api, keys, "a") == 201)
            let first = try Self.files(live, keys)
            #expect(try await Self.put(live.api, keys, "b") == 200)
            let second = try Self.files(live, keys)
            #expect(second.count == 1 && second.isDisjoint(with: first))
            // The state after a kill between the file and its row.
            try File("\(live.daemon.store.paths.symbols)/\(keys.app)/\(first.first ?? "")", .create).write([1])
            try await live.daemon.symbols.sweep()
            #expect(try Self.files(live, keys) == second)
        }
    }

    @Test func `a deleted app's files are swept, and other apps' files stay`() async throws {
        try await withDaemon { live in
            let (keys, others) = (try await live.api.makeApp("one"), try await live.api.makeApp("two"))
            for keys in [keys, others] { #expect(try await Self.put(live.api, keys, "a") == 201) }
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/one").status == 204)
            let isGone = try await eventually {
                _ = try await live.daemon.store.retain()
                try await live.daemon.symbols.sweep()
                return try Self.files(live, keys).isEmpty
            }
            #expect(isGone)
            #expect(try Self.files(live, others).count == 1)
        }
    }

    @Test func `concurrent uploads, replacements and removals keep files and rows consistent`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            try await withThrowingTaskGroup { group in
                for client in 0..<8 {
                    group.addTask {
                        for round in 0..<30 {
                            // Two builds share the same two files.
                            if (client + round) % 4 == 0 {
                                _ = try await live.api.request("DELETE", "/v1/symbols/\(Self.build)", key: keys.admin)
                            } else {
                                #expect([200, 201].contains(try await Self.put(live.api, keys, "\(round % 2)")))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try StoredCrashes(of: live.folder).problems == [])
        }
    }

    @Test func `on a nearly full disk an upload is rejected before its body`() async throws {
        try await withDaemon(configure: { $0.storage.minFreeDisk = 1 << 60 }) { live in
            let keys = try await live.api.makeApp()
            let connection = try live.api.connect()
            let head = "PUT /v1/symbols/\(Self.build) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(keys.admin)\r\nContent-Length: 100000000\r\n\r\n"
            try await connection.send(Array(head.utf8))
            let refused = try await connection.reply()
            #expect(refused.status == 503)
            #expect(try JSON(refused)["code"].text == "storage_full")
        }
    }
}
