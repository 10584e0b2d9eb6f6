// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import DocumentStore
@testable import EventStore

@Suite struct DocumentRemovalTests {
    private typealias World = DocumentWorld

    private static func rows(_ folder: TemporaryFolder, _ table: String) throws -> Int {
        try Connection(folder.path + "/documents.db", .read).statement("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? -1
    }

    private static func logBytes(_ folder: TemporaryFolder) throws -> (marked: Int, counted: Int) {
        let file = try Connection(folder.path + "/documents.db", .read)
        let marked = try file.statement("SELECT value FROM meta WHERE key = 'log_bytes'").first { $0.int(0) }
        let counted = try file.statement("SELECT sum(length(id) + coalesce(length(before), 0) + 64) FROM changes").first { $0.int(0) }
        return (marked ?? -1, counted ?? 0)
    }

    @Test func `a deleted app leaves nothing, and another one everything`() async throws {
        let folder = TemporaryFolder()
        var bounds = DocumentBounds()
        bounds.removedAtOnce = 7
        try await World.run(in: folder, ManualClock(World.start), bounds) { world async throws in
            let other = try await world.stores.events.createAppWithKeys(named: "other").0.id
            for app in [world.app, other] {
                _ = try await world.store.setRules("service cloud.firestore { }", app: app, by: .operator)
                try await world.store.setPersonPatterns([], app: app)
                for part in 0..<3 {
                    var commit = DocumentCommit(try (0..<10).map { try World.set("a\(part)/d\($0)", [("n", .integer(Int64($0)))]) })
                    commit.batch = .init(client: "phone\(part)", number: 1)
                    _ = try await world.store.commit(commit, app: app)
                }
            }
            _ = try await world.store.retain(Array(world.stores.events.directory.now.apps.values))
            try await world.stores.deleteApp(world.app)
            #expect(try await world.store.run(World.query("a1"), app: other).documents.count == 10)
        }
        let tables = ["documents", "changes", "collections", "clients", "rules", "settings", "sizes"]
        #expect(try tables.map { try Self.rows(folder, $0) } == [30, 30, 3, 3, 1, 1, 4])
        let bytes = try Self.logBytes(folder)
        #expect(bytes.marked == bytes.counted && bytes.counted > 0)
    }

    @Test func `the log forgets by age and size, and says how far it reaches`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        var bounds = DocumentBounds()
        (bounds.removedAtOnce, bounds.logBytes) = (3, 1_000)
        try await World.run(in: folder, clock, bounds) { world async throws in
            var stamps: [DocumentTime] = []
            for number in 0..<20 {
                stamps.append(try await world.commit(World.set("a/d", [("n", .integer(Int64(number)))])).stamp)
                clock.advance(by: .seconds(1))
            }
            #expect(try await world.store.retain([]) > 0)
            let early = stamps[1]
            await #expect(throws: ReadFault.tooOld) { try await world.document("a/d", at: early) }
            #expect(try await world.document("a/d", at: stamps[18])?.fields["n"] == .integer(18))
            // A commit that depends on a state before the log cannot know whether it is still true.
            var commit = DocumentCommit([])
            commit.conditions = [.init(World.query("never"), at: stamps[1])]
            #expect(await world.fault(of: commit) == .conflict)
            clock.advance(by: .days(2))
            #expect(try await world.store.retain([]) > 0)
            #expect(try await world.document("a/d")?.fields["n"] == .integer(19))
        }
        #expect(try Self.rows(folder, "changes") == 0 && Self.logBytes(folder) == (0, 0))
    }

    @Test func `answers of clients go after half a year`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        try await World.run(in: folder, clock) { world async throws in
            var commit = DocumentCommit([try World.set("a/x", [])])
            commit.batch = .init(client: "phone", number: 1)
            _ = try await world.store.commit(commit, app: world.app)
            clock.advance(by: .days(181))
            _ = try await world.store.retain([])
        }
        #expect(try Self.rows(folder, "clients") == 0)
    }

    @Test func `a client that writes nothing is forgotten after an hour, and an empty batch of another one shortens nothing`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        try await World.run(in: folder, clock) { world async throws in
            let send = { (client: String, number: Int64, writes: [DocumentWrite]) in
                var commit = DocumentCommit(writes)
                commit.batch = .init(client: client, number: number)
                _ = try await world.store.commit(commit, app: world.app)
            }
            try await send("phone", 1, [try World.set("a/x", [])])
            try await send("phone", 2, [])
            try await send("other", 1, [])
            clock.advance(by: .minutes(59))
            try await send("other", 2, [])
            _ = try await world.store.retain([])
            #expect(try Self.rows(folder, "clients") == 2)
            clock.advance(by: .minutes(61))
            _ = try await world.store.retain([])
            #expect(try Self.rows(folder, "clients") == 1)
        }
    }

    @Test func `beyond a number of clients that write nothing the oldest are forgotten, and no other one`() async throws {
        let (folder, clock, most) = (TemporaryFolder(), ManualClock(World.start), DocumentBounds.clientsWithoutWrites)
        try await World.run(in: folder, clock) { world async throws in
            let send = { @Sendable (client: String, number: Int64, writes: [DocumentWrite]) async throws -> Int in
                var commit = DocumentCommit(writes)
                commit.batch = .init(client: client, number: number)
                return try await world.store.commit(commit, app: world.app).writes.count
            }
            let write = try World.set("a/x", [])
            #expect(try await send("phone", 1, [write]) == 1)
            #expect(try await send("first", 1, []) == 0)
            clock.advance(by: .seconds(1))
            for part in 0..<20 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<(most / 20) { group.addTask { try await send("\(part) \(number)", 1, []) } }
                    for try await count in group { #expect(count == 0) }
                }
            }
            #expect(try Self.rows(folder, "clients") == 1 + most - DocumentBounds.clientsForgottenAtOnce + 1)
            clock.advance(by: .seconds(1))
            #expect(try await send("last", 1, []) == 0)
            #expect(try await send("phone", 2, []) == 0)
            // The number of a client that is known stays taken; that of a forgotten one is not.
            #expect(try await send("last", 1, [write]) == 0)
            #expect(try await send("phone", 2, [write]) == 0)
            #expect(try await send("first", 1, [write]) == 1)
            // One that has written counts no longer.
            #expect(try Self.rows(folder, "clients WHERE without_writes = 1") == most - DocumentBounds.clientsForgottenAtOnce + 2)
            clock.advance(by: .minutes(61))
            _ = try await world.store.retain([])
            #expect(try Self.rows(folder, "clients") == 2)
            let removals = try await world.store.change { $0.file.connection.preparedTexts }.filter { $0.hasPrefix("DELETE FROM clients") }
            let plans = try StatementPlans { try DocumentDB.schema.apply(to: $0) }
            let ofAll = try removals.filter { sql in
                try plans.steps(sql).contains { $0.hasPrefix("SCAN clients") || $0.hasSuffix("clients USING PRIMARY KEY (app=?)") }
            }
            #expect(removals.count == 2 && ofAll == [], "no removal reads all clients")
        }
    }

    @Test func `a restored file has the documents and another epoch`() async throws {
        let (data, backup, restored) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let epoch = try await World.run(in: data) { world async throws in
            _ = try await world.commit(World.set("a/x", [("n", .integer(1))]))
            _ = try await world.store.retain(Array(world.stores.events.directory.now.apps.values))
            _ = try await world.stores.backUp(to: backup.path + "/b")
            return try await world.store.epoch()
        }
        _ = try Backup.restore(backup.path + "/b", into: restored.path)
        try await World.run(in: restored) { world async throws in
            #expect(try await world.document("a/x")?.fields["n"] == .integer(1))
            #expect(try await world.store.epoch() != epoch)
            #expect(try Self.rows(restored, "sizes") == 2)
        }
        try await World.run(in: data) { world async throws in #expect(try await world.store.epoch() == epoch) }
    }
}
