// SPDX-License-Identifier: Apache-2.0

import Events
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

@Suite struct PersonRemovalTests {
    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)
    private static let app = AppID(rawValue: 1)

    /// Returns a folder whose first day ended by a kill before presence was folded.
    private static func folderOfAKill(_ clock: ManualClock) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try await withStore(in: folder, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            var builder = SubmissionBuilder(store: store, received: clock.now)
            for user in ["leaving", "staying"] { builder.add("a", id: user, user: user) }
            _ = try await store.events.submit(builder.submission())
        }
        clock.advance(by: .days(1))
        return folder
    }

    private static func people(_ store: Stores) throws -> [String] {
        try Connection(store.paths.main, .read).statement("SELECT id FROM people ORDER BY id").all { $0.text(0) }
    }

    @Test func `finishing a day does not restore a person whose erasure was interrupted`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(in: try await Self.folderOfAKill(clock), clock: clock.clock) { store in
            // The state after a kill between the changes of the main file and the day's file.
            let leaving = PersonID(.user, "leaving").key(in: Self.app, store.events.hash)
            let removal = PersonRemoval(
                app: Self.app, person: leaving, kind: .erasure, keys: PersonKeys(app: Self.app, user: leaving),
                members: [.init(key: leaving, kind: .user, id: "leaving")])
            try await store.events.change { try $0.main.keep(removal) }
            try await store.events.finishDays()
            #expect(try Self.people(store) == ["staying"])
            #expect(try await store.erase(PersonID(.user, "leaving"), of: Self.app)[.events] == 1)
            #expect(try Self.people(store) == ["staying"])
        }
    }

    @Test func `presence read before an erasure is not folded after it`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(in: try await Self.folderOfAKill(clock), clock: clock.clock) { store in
            try await store.events.turn()
            let day = Day(of: Self.start)
            let erasures = store.events.erasures.now
            let stale = try #require(try await store.events.sealedDays.write(to: day) { try Unfolded(leftIn: $0) })
            #expect(stale.people.count == 2)
            _ = try await store.erase(PersonID(.user, "leaving"), of: Self.app)
            #expect(try await !store.events.fold(stale, of: day, since: erasures))
            try await store.events.finishDays()
            #expect(try Self.people(store) == ["staying"])
        }
    }

    @Test func `events between finding and removing rows keep their presence and IDs`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            func post(_ id: String) async throws {
                var builder = SubmissionBuilder(store: store, received: clock.now)
                builder.add("a", id: id, user: "leaving", session: "session")
                _ = try await store.events.submit(builder.submission())
            }
            try await post("before")
            let removal = try await store.removal(of: PersonID(.user, "leaving"), from: Self.app, .erasure)
            let day = Day(of: Self.start)
            let rows = try #require(
                try await store.readers.read { try $0.day(day)?.rowsToRemove(removal, after: 0, through: 1, sessionTimeout: .minutes(30)) })
            clock.advance(by: .hours(1))
            try await post("after")
            let hash = store.events.hash
            let removed = try await store.events.change { try $0.today.remove(rows, removal, hash, withdrawn: WithdrawnRows(day: day)) }
            #expect(removed[.events] == 1)
            let file = try Connection(store.paths.file(of: day), .read)
            #expect(try file.statement("SELECT early FROM actives").all { $0.key(0) } == [1 << 40])
            #expect(try file.statement("SELECT id FROM ids ORDER BY id").all { $0.text(0) } == ["leaving", "session"])
        }
    }

    @Test(arguments: [false, true])
    func `an erasure does not end while a reader needs the WAL of a day`(isSealed: Bool) async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            var builder = SubmissionBuilder(store: store, received: clock.now)
            builder.add("a", id: "leaving", user: "leaving")
            _ = try await store.events.submit(builder.submission())
            if isSealed {
                clock.advance(by: .days(1))
                try await store.events.turn()
                #expect(try store.events.sealedDays.days() == [Day(of: Self.start)])
            }
            let path = store.paths.file(of: Day(of: Self.start))
            let reader = try Connection(path, .read)
            try reader.execute("BEGIN; SELECT count(*) FROM events")
            await #expect(throws: Refusal.logInUse) { try await store.erase(PersonID(.user, "leaving"), of: Self.app) }
            #expect(try File(path + "-wal", .read).size > 0)
            try reader.execute("COMMIT")
            #expect(try await store.erase(PersonID(.user, "leaving"), of: Self.app)[.events] == 0)
            #expect(try File(path + "-wal", .read).size == 0)
        }
    }

    @Test func `one removal runs at a time`() async throws {
        try await withStore { store in
            try store.removalGate.enter()
            await #expect(throws: Refusal.self) { try await store.erase(PersonID(.user, "a"), of: Self.app) }
            store.removalGate.leave()
            #expect(try await store.erase(PersonID(.user, "a"), of: Self.app)[.events] == 0)
        }
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"b":2}"#), (#"{"a" : "x,}" , "b": [1, {"a": 2}]}"#, #"{"b": [1, {"a": 2}]}"#), (#"{"a":1}"#, "{}"),
        (#"{"\u0061":1,"c":"\"a\""}"#, #"{"c":"\"a\""}"#), (#"{ "c": 1.50 }"#, #"{ "c": 1.50 }"#), ("{}", "{}"), ("", ""),
        // Only a damaged file has these.
        (#"{"b"#, #"{"b"#), (#"{"b":"#, #"{"b":"#), (#"{"b":"x\"#, #"{"b":"x\"#),
    ])
    func `members are removed from an object, and the rest is unchanged`(json: String, rest: String) {
        #expect(String(decoding: ParamText.removing(["a"], from: Array(json.utf8)), as: UTF8.self) == rest)
    }
}
