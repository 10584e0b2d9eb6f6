// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import DocumentStore
@testable import EventStore

/// The sizes of collections by day, and the growth that they show.
@Suite struct DocumentSizeTests {
    private typealias World = DocumentWorld

    /// Adds documents of some bytes to a collection.
    private static func add(_ numbers: Range<Int>, to collection: String, _ world: World) async throws {
        _ = try await world.store.commit(DocumentCommit(try numbers.map { try World.set("\(collection)/d\($0)", []) }), app: world.app)
    }

    private static func retain(_ world: World) async throws -> Int {
        try await world.store.retain(Array(world.stores.events.directory.now.apps.values))
    }

    private static func rows(_ folder: TemporaryFolder, _ condition: String = "1") throws -> Int {
        let file = try Connection(folder.path + "/documents.db", .read)
        return try file.statement("SELECT count(*) FROM sizes WHERE \(condition)").first { $0.int(0) } ?? -1
    }

    private static func growth(_ growth: [DocumentGrowth]) -> [[Int]] { growth.map { [$0.days, $0.change.documents] } }

    @Test func `growth is the change since the ends of earlier days, as far as sizes reach back`() async throws {
        let clock = ManualClock(World.start)
        try await World.run(clock) { world async throws in
            try await Self.add(0..<10, to: "users", world)
            _ = try await Self.retain(world)
            let first = try await world.store.statistics(of: world.app)
            #expect(first.growth.isEmpty && first.days.isEmpty && first.collections[0].growth.isEmpty)
            try await Self.add(10..<15, to: "users", world)
            _ = try await Self.retain(world)
            clock.advance(by: .days(1))
            try await Self.add(0..<3, to: "users/d1/orders", world)
            try await Self.add(0..<2, to: "users/d2/orders", world)
            _ = try await Self.retain(world)
            let second = try await world.store.statistics(of: world.app)
            #expect(second.size.documents == 20 && Self.growth(second.growth) == [[1, 5]])
            #expect(second.days.map(\.size.documents) == [15] && second.days[0].day == Day(of: World.start))
            let byID = Dictionary(uniqueKeysWithValues: second.collections.map { ($0.id, Self.growth($0.growth)) })
            #expect(byID == ["users": [[1, 0]], "orders": [[1, 5]]])
            // The daemon does not run for a month: the last sizes are those of the days in between.
            clock.advance(by: .days(31))
            _ = try await world.commit(DocumentWrite(try World.path("users/d0"), .delete))
            let last = try await world.store.statistics(of: world.app)
            #expect(Self.growth(last.growth) == [[1, -1], [7, -1], [30, -1]] && last.growth[0].change.bytes < 0)
            #expect(last.days.map(\.size.documents) == [15, 20])
        }
    }

    @Test func `the small collections are noted together, and their growth is not guessed`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        try await World.run(in: folder, clock) { world async throws in
            for number in 0..<104 { try await Self.add(0..<(number < 4 ? 1 : 2), to: "c\(number)", world) }
            _ = try await Self.retain(world)
            clock.advance(by: .days(1))
            try await Self.add(0..<9, to: "c0", world)
            try await Self.add(0..<9, to: "c50", world)
            let found = try await world.store.statistics(of: world.app)
            #expect(Self.growth(found.growth) == [[1, 15]])
            let byID = Dictionary(uniqueKeysWithValues: found.collections.map { ($0.id, Self.growth($0.growth)) })
            #expect(byID["c0"] == [] && byID["c50"] == [[1, 7]])
        }
        #expect(try Self.rows(folder) == 101 && Self.rows(folder, "grp = '' AND documents = 4") == 1)
    }

    @Test func `sizes go after ninety days, earlier if the app keeps events for less, and at once if they are of days to come`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        try await World.run(in: folder, clock) { world async throws in
            for day in 0..<100 {
                try await Self.add(day..<day + 1, to: "users", world)
                _ = try await Self.retain(world)
                clock.advance(by: .days(1))
            }
            #expect(try Self.rows(folder, "grp = 'users'") == 91)
            var app = try #require(world.stores.events.directory.now.apps[world.app])
            app.settings.retentionDays = 7
            #expect(try await world.store.noteSizes(of: app) == 2 * 84)
            #expect(try await world.store.statistics(of: world.app).growth.map(\.days) == [1, 7])
            clock.advance(by: .days(-3))
            try await Self.add(100..<101, to: "users", world)
            _ = try await Self.retain(world)
            #expect(try Self.rows(folder, "grp = 'users'") == 5)
        }
    }

    @Test func `sizes that stay as they are, and apps without documents, cost no write`() async throws {
        let folder = TemporaryFolder()
        try await World.run(in: folder) { world async throws in
            _ = try await world.stores.events.createAppWithKeys(named: "empty")
            try await Self.add(0..<1, to: "users", world)
            _ = try await Self.retain(world)
            let file = try Connection(folder.path + "/documents.db", .read)
            let version = try file.statement("PRAGMA data_version")
            let before = try version.first { $0.integer(0) }
            _ = try await Self.retain(world)
            #expect(try version.first { $0.integer(0) } == before)
            try await Self.add(1..<2, to: "users", world)
            _ = try await Self.retain(world)
            #expect(try version.first { $0.integer(0) } != before)
        }
        #expect(try Self.rows(folder) == 2)
    }

    @Test func `an erasure leaves no collection that is named like the person, and the app's sizes as they were`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        try await World.run(in: folder, clock) { world async throws in
            let path = try #require(PersonPath("users/{uid}/**"))
            try await world.store.setPersonPatterns([.path(path)], app: world.app)
            try await Self.add(0..<3, to: "users", world)
            try await Self.add(0..<2, to: "users/annsecret/chats-of-annsecret", world)
            _ = try await Self.retain(world)
            clock.advance(by: .days(1))
            #expect(try await world.stores.erase(PersonID(.user, "annsecret"), of: world.app)[.documents] == 2)
            #expect(try await world.store.statistics(of: world.app).days.map(\.size.documents) == [5])
        }
        #expect(try Self.rows(folder) == 2)
        for name in try Folder.names(in: folder.path) where name.hasPrefix("documents.db") {
            let file = try File(folder.path + "/" + name, .read)
            #expect(try !file.read(at: 0, count: file.size).holds(Array("annsecret".utf8)), "\(name)")
        }
    }
}
