// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import AuditStore
@testable import Database
@testable import EventStore

@Suite struct AuditStoreTests {
    private static let app = AppID(rawValue: 1)
    private static let start = Timestamp(milliseconds: 1_795_260_500_000)
    private static let caller = AuditCaller(key: 4, role: .admin, address: "192.0.2.7")

    private static func using<T: Sendable>(
        _ clock: ManualClock, in folder: TemporaryFolder = TemporaryFolder(), _ limits: AuditBounds = AuditBounds(),
        _ body: @Sendable (AuditStore) async throws -> T
    ) async throws -> T {
        let store = try AuditStore(.ofTest(folder.path, clock.clock), limits)
        async let running: Void = store.run()
        let result: Result<T, any Error>
        do { result = .success(try await body(store)) } catch { result = .failure(error) }
        store.close()
        await running
        return try result.get()
    }

    private static func add(_ store: AuditStore, _ number: Int, app: AppID? = AuditStoreTests.app) async throws {
        _ = try await store.begin(AuditEntry(.issueNote, app: app, by: caller, detail: "\(number)"))
    }

    @Test func `an entry is unfinished until its action ends, also after a restart`() async throws {
        let (clock, folder) = (ManualClock(Self.start), TemporaryFolder())
        let ids = try await Self.using(clock, in: folder) { store async throws in
            let first = try await store.begin(AuditEntry(.appCreate, app: nil, by: .operator))
            try await store.end(first, AuditEnding(status: 201, app: Self.app, detail: "shop"))
            return [first, try await store.begin(AuditEntry(.personErase, app: Self.app, by: Self.caller, person: 7))]
        }
        try await Self.using(clock, in: folder) { store async throws in
            let found = try await store.entries(AuditQuery())
            #expect(found.map(\.id) == ids.reversed() && found.map(\.outcome) == [.unfinished, .done] && found.map(\.status) == [0, 201])
            #expect(found.map(\.app) == [Self.app, Self.app] && found.map(\.detail) == ["", "shop"] && found.map(\.person) == [7, 0])
            try await store.end(ids[1], AuditEnding(status: 503))
            #expect(try await store.entries(AuditQuery()).first?.outcome == .failed)
        }
    }

    @Test func `entries go after a year, and the oldest of an app with too many`() async throws {
        let clock = ManualClock(Self.start)
        var limits = AuditBounds()
        (limits.entriesPerApp, limits.removedAtOnce) = (5, 2)
        try await Self.using(clock, limits) { store async throws in
            for number in 1...12 { try await Self.add(store, number) }
            for number in 1...3 { try await Self.add(store, number, app: AppID(rawValue: 2)) }
            for number in 1...7 { try await Self.add(store, number, app: nil) }
            #expect(try await store.retain([]) == 9)
            #expect(try await store.entries(AuditQuery(app: Self.app)).map(\.detail) == ["12", "11", "10", "9", "8"])
            #expect(try await store.entries(AuditQuery(app: AppID(rawValue: 2))).count == 3)
            #expect(try await store.retain([]) == 0)
            clock.advance(by: .days(365))
            #expect(try await store.retain([]) == 0)
            try await Self.add(store, 13)
            clock.advance(by: .minutes(1))
            #expect(try await store.retain([]) == 13)
            #expect(try await store.entries(AuditQuery()).map(\.detail) == ["13"])
        }
    }

    @Test func `a long detail is cut by scalars`() async throws {
        try await Self.using(ManualClock(Self.start)) { store async throws in
            let id = try await store.begin(
                AuditEntry(.issueDelete, app: Self.app, by: Self.caller, detail: String(repeating: "e\u{301}", count: 500)))
            #expect(try await store.entries(AuditQuery()).first?.detail.unicodeScalars.count == 200)
            try await store.end(id, AuditEnding(status: 200, detail: String(repeating: "x", count: 1_000)))
            #expect(try await store.entries(AuditQuery()).first?.detail.hasSuffix("x…") == true)
        }
    }

    @Test func `denials of a key in an hour are one row, whichever address they came from`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: Self.start.milliseconds / 3_600_000 * 3_600_000))
        let folder = TemporaryFolder()
        try await Self.using(clock, in: folder) { store async throws in
            for number in 0..<1_000 { store.denied(app: Self.app, AuditCaller(key: 9, role: .ingest, address: "192.0.2.\(number % 250)")) }
            #expect(try await store.entries(AuditQuery()).map(\.count) == [1_000])
            clock.advance(by: .minutes(59))
            store.denied(app: Self.app, AuditCaller(key: 9, role: .ingest, address: "198.51.100.1"))
            clock.advance(by: .minutes(1))
            store.denied(app: Self.app, AuditCaller(key: 9, role: .ingest, address: "198.51.100.1"))
        }
        try await Self.using(clock, in: folder) { store async throws in
            #expect(try await store.entries(AuditQuery(app: Self.app)).map(\.count).sorted() == [1, 1_001])
        }
    }

    @Test func `lists and removals use an index`() async throws {
        let plans = try StatementPlans { try AuditDB.schema.apply(to: $0) }
        for sql in [
            "SELECT * FROM entries WHERE id < ? AND app = ? AND person = ? ORDER BY id DESC LIMIT ?",
            "SELECT id FROM entries WHERE at < ? ORDER BY at LIMIT ?", "SELECT id FROM entries WHERE app = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
        ] {
            let steps = try plans.steps(sql)
            #expect(!steps.contains { $0.hasPrefix("SCAN ") || $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    @Test func `a backup has the log, and a restored folder an entry of the restoration`() async throws {
        let (data, backup, target) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        try await withStore(in: data) { store async throws in
            try await Self.add(store.audit, 1)
            _ = try await store.backUp(to: backup.path)
        }
        _ = try Backup.restore(backup.path, into: target.path)
        try await withStore(in: target) { store async throws in
            let found = try await store.audit.entries(AuditQuery())
            #expect(found.map(\.action) == [.backupRestore, .issueNote] && found[0].app == nil && found[0].outcome == .done)
        }
    }
}
