// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Minidumps beside their reports.
@Suite struct MinidumpStoreTests {
    private static let app = CrashWorld.app

    /// Bytes that do not compress.
    private static func dump(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @discardableResult
    private static func take(_ world: CrashWorld, _ id: String, _ dump: [UInt8], user: String? = nil, app: AppID = app) async throws -> CrashVerdict {
        var submission = CrashSubmission(
            index: 0, report: world.report(id, user: user, installation: nil), group: CrashWorld.group("a"), payload: Array("{}".utf8))
        submission.minidump = dump
        return try await world.crashes.take([submission], app: app)[0]
    }

    private static func rows(_ world: CrashWorld) async throws -> [Int64] {
        try await world.query("SELECT crash FROM minidumps ORDER BY crash") { $0.integer(0) }
    }

    /// Expects that the size of each app's dumps is the sum of their rows.
    private static func expectSums(_ world: CrashWorld) async throws {
        let wrong = try await world.query(
            "SELECT 1 FROM minidump_bytes b WHERE bytes <> (SELECT COALESCE(SUM(length(body)), 0) FROM minidumps m WHERE m.app = b.app)"
        ) { $0.integer(0) }
        #expect(wrong.isEmpty)
    }

    @Test func `a dump is stored with its report, once`() async throws {
        try await CrashWorld.run { world in
            let dump = Self.dump(5_000)
            try await Self.take(world, "1", dump)
            #expect(try await Self.take(world, "1", dump).isDuplicate)
            try await world.take("2", "a")
            let rows = try await Self.rows(world)
            #expect(rows.count == 1)
            #expect(try await world.crashes.minidump(of: rows[0]) == dump)
            #expect(try await world.crashes.minidump(of: rows[0] + 1) == nil)
            try await Self.expectSums(world)
        }
    }

    @Test func `the quota removes the oldest dumps of the app, not their reports`() async throws {
        var bounds = CrashBounds()
        bounds.minidumpBytes = 10_000
        try await CrashWorld.run(bounds) { world in
            try await Self.take(world, "theirs", Self.dump(4_000), app: AppID(rawValue: 99))
            for number in 0..<5 { try await Self.take(world, "\(number)", Self.dump(4_000, seed: UInt64(number))) }
            #expect(try await Self.rows(world).count == 3)
            #expect(world.crashes.gauges.evictedDumps.value == 3)
            #expect(try await world.issue("a").kept == 5)
            // A dump that is larger than the quota is not stored and evicts none.
            try await Self.take(world, "large", Self.dump(11_000))
            #expect(try await Self.rows(world).count == 3)
            try await Self.expectSums(world)
        }
    }

    @Test func `without a quota no dump is stored`() async throws {
        var bounds = CrashBounds()
        bounds.minidumpBytes = 0
        try await CrashWorld.run(bounds) { world in
            try await Self.take(world, "1", Self.dump(10))
            #expect(try await Self.rows(world).isEmpty)
        }
    }

    @Test func `a dump is removed with its report, its document, its person and its app`() async throws {
        var bounds = CrashBounds()
        bounds.payloadsOfIssue = 3
        bounds.report = { _ in CrashReport(id: "", kind: .fatal, level: .fatal, time: CrashWorld.start, type: "Boom") }
        try await CrashWorld.run(bounds) { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            _ = try await world.store.events.setApp(Self.app, [("retention_days", "2")])
            for number in 0..<6 { try await Self.take(world, "c\(number)", Self.dump(100), user: "uc\(number)") }
            #expect(try await eventually { try await Self.rows(world).count == 3 })
            let left = try await world.query("SELECT c.public FROM crashes c JOIN minidumps m ON m.crash = c.id ORDER BY c.id") { $0.text(0) }
            _ = try await world.store.erase(PersonID(.user, "u\(left[0])"), of: Self.app)
            #expect(try await Self.rows(world).count == 2)
            _ = try await world.store.anonymise(PersonID(.user, "u\(left[1])"), of: Self.app)
            #expect(try await Self.rows(world).count == 1)
            try await Self.expectSums(world)
            world.clock.advance(by: .days(4))
            _ = try await world.store.retain()
            #expect(try await Self.rows(world).isEmpty)
            try await Self.take(world, "new", Self.dump(100))
            try await world.store.deleteApp(Self.app)
            #expect(try await eventually { try await Self.rows(world).isEmpty })
            #expect(try await eventually { try await world.query("SELECT 1 FROM minidump_bytes") { $0.int(0) }.isEmpty })
        }
    }
}
