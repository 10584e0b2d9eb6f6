import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

@Suite struct CrashPersonTests {
    private static let app = CrashWorld.app

    private static func fill(_ world: CrashWorld) async throws {
        for number in 0..<30 {
            let user = ["leaving", "staying", nil][number % 3]
            let report = world.report(
                "\(number)", at: world.clock.now - .minutes(Int64(number)), user: user, installation: user == "staying" ? "other" : "phone",
                session: "s")
            try await world.take([report], CrashWorld.group(number < 20 ? "both" : number % 3 == 1 ? "only staying" : "only leaving"))
        }
    }

    @Test func `whoever is erased leaves no report, and numbers are as if they had sent none`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            let leaving = PersonID(.user, "leaving")
            #expect(try await world.store.erase(leaving, of: Self.app, dryRun: true).crashes == 20)
            #expect(try await world.issues().count == 3)
            // With the user goes the installation that never named anybody else.
            #expect(try await world.store.erase(leaving, of: Self.app, block: true).crashes == 20)
            let issues = try await world.issues()
            #expect(Dictionary(uniqueKeysWithValues: issues.map { ($0.title, $0.count) }) == ["both": 7, "only staying": 3])
            #expect(issues.allSatisfy { $0.users == 1 && $0.kept == $0.count })
            let verdict = try await world.take("0", "both")
            #expect(verdict.isBlocked)
            try await world.expectWhole()
            #expect(try await world.store.unblock(leaving, of: Self.app))
            #expect(try await world.take("0", "both").isDuplicate, "the id counts once though its report is gone")
        }
    }

    @Test func `nothing of the erased is left in the file or its log`() async throws {
        let folder = TemporaryFolder()
        try await CrashWorld.run(in: folder) { world in
            let report = world.report("1", user: "leaving", installation: "leaving's-phone")
            try await world.take([report], CrashWorld.group("a"), payload: "who: leaving-by-name")
            try await world.take("2", "a")
            _ = try await world.store.erase(PersonID(.user, "leaving"), of: Self.app)
            let key = world.store.hash(.user, app: Self.app, Array("leaving".utf8).span)
            #expect(try await world.query("SELECT user FROM crashes UNION SELECT person FROM issue_people") { $0.key(0) }.contains(key) == false)
        }
        for name in ["crashes.db", "crashes.db-wal"] where Folder.exists("\(folder.path)/\(name)") {
            let file = try File("\(folder.path)/\(name)", .read)
            let bytes = try file.read(at: 0, count: try file.size)
            let sought = Array("leaving-by-name".utf8)
            #expect(!bytes.indices.contains { bytes[$0...].starts(with: sought) }, "\(name)")
        }
    }

    @Test func `whoever is anonymised is counted as before, under keys that nothing leads to`() async throws {
        var bounds = CrashBounds()
        bounds.anonymise = { $0.count < 20 ? Array("nameless".utf8) : nil }
        try await CrashWorld.run(bounds) { world in
            try await Self.fill(world)
            try await world.take([world.report("long", user: "leaving")], CrashWorld.group("both"), payload: String(repeating: "x", count: 30))
            let before = try await world.issues()
            let report = try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app)
            #expect(report.crashes == 21)
            let after = try await world.issues()
            #expect(before.map(\.count) == after.map(\.count) && before.map(\.users) == after.map(\.users))
            let crash = try #require(try await world.crashes.crash("0", app: Self.app))
            #expect(crash.payload == Array("nameless".utf8))
            #expect(try await world.crashes.crash("long", app: Self.app)?.payload == nil)
            #expect(try await world.crashes.crash("1", app: Self.app)?.payload == Array(#"{"id":"1"}"#.utf8))
            #expect(try await world.store.erase(PersonID(.user, "leaving"), of: Self.app, dryRun: true).crashes == 0)
            try await world.expectWhole()
        }
    }

    @Test func `a document that cannot be read any more goes when its person is anonymised`() async throws {
        var bounds = CrashBounds()
        bounds.anonymise = { _ in Array("nameless".utf8) }
        try await CrashWorld.run(bounds) { world in
            for id in ["damaged", "whole"] { try await world.take([world.report(id, user: "leaving")], CrashWorld.group("a")) }
            let row = try #require(try await world.crashes.crash("damaged", app: Self.app)).crash.row
            try await world.crashes.change { try $0.file.execute("UPDATE payloads SET body = x'00' WHERE crash = \(row)") }
            #expect(try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app).crashes == 2)
            let damaged = try #require(try await world.crashes.crash("damaged", app: Self.app))
            #expect(damaged.payload == nil && !damaged.crash.isWhole)
            #expect(try await world.crashes.crash("whole", app: Self.app)?.payload == Array("nameless".utf8))
            try await world.expectWhole()
        }
    }

    @Test func `who is anonymised while a report is looked up is not brought back with it`() async throws {
        var bounds = CrashBounds()
        bounds.anonymise = { _ in Array("nameless".utf8) }
        try await CrashWorld.run(bounds) { world in
            let id = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
            _ = try await world.crashes.bring([SymbolicationTests.symbols(id)], app: Self.app)
            var report = SymbolicationTests.report(world, "1", SymbolicationTests.image(id))
            report.user = "leaving"
            try await world.take([report], CrashWorld.group("a"))
            let before = try await SymbolicationTests.claim(world)
            try #require(before.count == 1)
            #expect(try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app).crashes == 1)
            try await world.crashes.symbolicated(before[0].row, payload: before[0].payload, group: CrashWorld.group("a"))
            #expect(try await world.crashes.crash("1", app: Self.app)?.payload == Array("nameless".utf8))
            let again = try await SymbolicationTests.claim(world)
            #expect(again.map(\.payload) == [Array("nameless".utf8)])
        }
    }

    @Test func `a person of whom only crashes are known is known, with their reports`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            let person = try #require(try await world.store.person(PersonID(.user, "staying"), of: Self.app))
            var found: [StoredCrash] = []
            while case let page = try await world.crashes.crashes(of: person.records, before: found.last?.row ?? .max, limit: 4),
                !page.isEmpty
            {
                found += page
            }
            #expect(found.map(\.id) == ["28", "25", "22", "19", "16", "13", "10", "7", "4", "1"])
            #expect(try await world.store.person(PersonID(.user, "nobody"), of: Self.app) == nil)
        }
    }
}
