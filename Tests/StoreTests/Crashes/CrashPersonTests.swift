// SPDX-License-Identifier: Apache-2.0

import Compression
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

@Suite struct CrashPersonTests {
    private static let app = CrashWorld.app

    private static func fill(_ world: CrashWorld) async throws {
        for number in 0..<30 {
            let user = ["leaving", "staying", nil][number % 3]
            let report = world.report(
                "\(number)", at: world.clock.now - .minutes(Int64(number)), user: user, installation: user == "staying" ? "other" : "phone",
                session: "s")
            let name = number < 20 ? "both" : number % 3 == 1 ? "only staying" : "only leaving"
            try await world.take([report], CrashWorld.group(name), payload: name)
        }
    }

    /// Limits whose documents contain only a reason.
    private static var readable: CrashBounds {
        var bounds = CrashBounds()
        bounds.report = { document in
            var report = CrashReport(id: "", kind: .fatal, level: .fatal, time: CrashWorld.start, type: "Boom")
            report.reason = String(decoding: document, as: UTF8.self)
            return report
        }
        return bounds
    }

    @Test func `erasing a person removes their reports and their share of every count`() async throws {
        try await CrashWorld.run(Self.readable) { world in
            try await Self.fill(world)
            let leaving = PersonID(.user, "leaving")
            #expect(try await world.store.erase(leaving, of: Self.app, dryRun: true)[.crashes] == 20)
            #expect(try await world.issues().count == 3)
            // The installation that named only this user is erased too.
            #expect(try await world.store.erase(leaving, of: Self.app, block: true)[.crashes] == 20)
            let issues = try await world.issues()
            #expect(Dictionary(uniqueKeysWithValues: issues.map { ($0.title, $0.count) }) == ["Boom: both": 7, "only staying": 3])
            #expect(issues.allSatisfy { $0.users == 1 && $0.kept == $0.count })
            let verdict = try await world.take("0", "both")
            #expect(verdict.isBlocked)
            try await world.expectWhole()
            #expect(try await world.store.events.unblock(leaving, of: Self.app))
            #expect(try await world.take("0", "both").isDuplicate, "an erased report still counts as a duplicate")
        }
    }

    private static func titles(_ world: CrashWorld) async throws -> Set<String> {
        Set(try await world.query("SELECT title FROM issues UNION SELECT title FROM groupings") { $0.text(0) })
    }

    @Test func `an issue without reports of others keeps only the type as its title`() async throws {
        var bounds = Self.readable
        bounds.payloadsOfIssue = 1
        try await CrashWorld.run(bounds) { world in
            // The quota of one evicts the older document.
            for user in ["staying", "leaving"] {
                try await world.take([world.report(user, user: user, installation: nil)], CrashWorld.group("no account for leaving"), payload: user)
            }
            #expect(try await eventually { try await world.issues().map(\.kept) == [1] })
            #expect(try await world.crashes.crash("staying", app: Self.app)?.payload == nil)
            #expect(try await world.store.erase(PersonID(.user, "leaving"), of: Self.app)[.crashes] == 1)
            #expect(try await world.issues().map(\.count) == [1])
            #expect(try await Self.titles(world) == ["Boom"])
            try await world.expectWhole()
        }
    }

    @Test func `a merged issue keeps titles of others and loses those of the erased person`() async throws {
        try await CrashWorld.run(Self.readable) { world in
            for user in ["leaving", "staying"] {
                let group = CrashWorld.group("Boom: \(user)")
                try await world.take([world.report(user, user: user, installation: nil)], group, payload: user)
            }
            let (other, kept) = (try await world.issue("Boom: leaving"), try await world.issue("Boom: staying"))
            try await world.crashes.merge([other.id], into: kept.id, app: Self.app)
            #expect(try await world.store.erase(PersonID(.user, "leaving"), of: Self.app)[.crashes] == 1)
            #expect(try await world.issues().map(\.id) == [kept.id])
            #expect(try await Self.titles(world) == ["Boom: staying"])
            try await world.expectWhole()
        }
    }

    @Test func `the file and its WAL contain nothing of an erased person`() async throws {
        let folder = TemporaryFolder()
        try await CrashWorld.run(in: folder) { world in
            let report = world.report("1", user: "leaving", installation: "leaving's-phone")
            try await world.take([report], CrashWorld.group("a"), payload: "who: leaving-by-name")
            try await world.take("2", "a")
            _ = try await world.store.erase(PersonID(.user, "leaving"), of: Self.app)
            let key = world.store.events.hash(.user, app: Self.app, Array("leaving".utf8).span)
            #expect(try await world.query("SELECT user FROM crashes UNION SELECT person FROM issue_people") { $0.key(0) }.contains(key) == false)
        }
        #expect(try Self.count("leaving-by-name".utf8, in: folder) == 0)
    }

    @Test func `the file contains no evicted report of an erased person`() async throws {
        let folder = TemporaryFolder()
        var bounds = CrashBounds()
        bounds.payloadsOfIssue = 1
        // Random bytes do not compress, so each document takes several pages.
        let documents = (1...4).map { _ in String((0..<40_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x30...0x5a))) }) }
        try await CrashWorld.run(in: folder, bounds) { world in
            for (number, document) in zip(1..., documents) {
                try await world.take([world.report("\(number)", user: "\(number)", installation: nil)], CrashWorld.group("a"), payload: document)
            }
            #expect(try await eventually { try await world.issues().map(\.kept) == [1] })
            for number in 1...4 { #expect(try await world.store.erase(PersonID(.user, "\(number)"), of: Self.app)[.crashes] == 1) }
        }
        for document in documents { #expect(try Self.count(compress(Array(document.utf8)).suffix(16), in: folder) == 0) }
    }

    private static func count(_ sought: some Collection<UInt8>, in folder: TemporaryFolder) throws -> Int {
        try ["crashes.db", "crashes.db-wal"].map { "\(folder.path)/\($0)" }.filter(Folder.exists).reduce(0) { count, path in
            let file = try File(path, .read)
            let bytes = try file.read(at: 0, count: try file.size)
            return count + bytes.indices.count { bytes[$0...].starts(with: sought) }
        }
    }

    @Test func `an anonymised person is counted as before under unlinkable keys`() async throws {
        var bounds = CrashBounds()
        bounds.anonymise = { $0.count < 20 ? Array("nameless".utf8) : nil }
        try await CrashWorld.run(bounds) { world in
            try await Self.fill(world)
            try await world.take([world.report("long", user: "leaving")], CrashWorld.group("both"), payload: String(repeating: "x", count: 30))
            let before = try await world.issues()
            let report = try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app)
            #expect(report[.crashes] == 21)
            let after = try await world.issues()
            #expect(before.map(\.count) == after.map(\.count) && before.map(\.users) == after.map(\.users))
            let crash = try #require(try await world.crashes.crash("0", app: Self.app))
            #expect(crash.payload == Array("nameless".utf8))
            #expect(try await world.crashes.crash("long", app: Self.app)?.payload == nil)
            #expect(try await world.crashes.crash("1", app: Self.app)?.payload == Array("both".utf8))
            #expect(try await world.store.erase(PersonID(.user, "leaving"), of: Self.app, dryRun: true)[.crashes] == 0)
            try await world.expectWhole()
        }
    }

    @Test func `a corrupt report is dropped when its person is anonymised`() async throws {
        var bounds = CrashBounds()
        bounds.anonymise = { _ in Array("nameless".utf8) }
        try await CrashWorld.run(bounds) { world in
            for id in ["damaged", "whole"] { try await world.take([world.report(id, user: "leaving")], CrashWorld.group("a")) }
            let row = try #require(try await world.crashes.crash("damaged", app: Self.app)).crash.row
            try await world.crashes.change { try $0.file.execute("UPDATE payloads SET body = x'00' WHERE crash = \(row)") }
            #expect(try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app)[.crashes] == 2)
            let damaged = try #require(try await world.crashes.crash("damaged", app: Self.app))
            #expect(damaged.payload == nil && !damaged.crash.isWhole)
            #expect(try await world.crashes.crash("whole", app: Self.app)?.payload == Array("nameless".utf8))
            try await world.expectWhole()
        }
    }

    @Test func `a symbolicated report does not undo an anonymisation that happened meanwhile`() async throws {
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
            #expect(try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app)[.crashes] == 1)
            try await world.crashes.symbolicated(before[0].row, payload: before[0].payload, group: CrashWorld.group("a"))
            #expect(try await world.crashes.crash("1", app: Self.app)?.payload == Array("nameless".utf8))
            let again = try await SymbolicationTests.claim(world)
            #expect(again.map(\.payload) == [Array("nameless".utf8)])
        }
    }

    @Test func `a person known only by crashes is found with their reports`() async throws {
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
