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

@Suite struct EarlinessTests {
    /// Sends a session per number that started `before` ago.
    private static func begin(
        _ sessions: Range<Int>, in world: CrashWorld, user: String? = nil, before: Timestamp.Span = .seconds(60)
    ) async throws {
        var request = SubmissionBuilder(app: CrashWorld.app, store: world.store, received: world.clock.now)
        for number in sessions {
            for place in 0..<2 {
                let time = world.clock.now - before + .seconds(Int64(20 * place))
                request.add(
                    "here", id: "\(user ?? "")\(number)-\(place)", time: time, user: user, installation: user ?? "phone", session: "\(number)")
            }
        }
        _ = try await world.store.events.submit(request.submission())
    }

    /// Sends a crash per session, `after` its start.
    private static func crash(
        _ sessions: Range<Int>, _ name: String, after age: Timestamp.Span, in world: CrashWorld, session: (Int) -> String? = { "\($0)" }
    ) async throws {
        for number in sessions {
            let time = world.clock.now - .seconds(60) + age
            try await world.take([world.report("\(name)-\(number)", at: time, session: session(number))], CrashWorld.group(name))
        }
    }

    private static func isEarly(_ name: String, _ world: CrashWorld) async throws -> Bool {
        try await world.issue(name).signals.contains(.early)
    }

    /// The result must not depend on the size of a read.
    @Test(arguments: [1, 7, 1 << 18])
    func `an issue is early if most crashes follow the start of their session within 5 seconds`(atOnce: Int) async throws {
        try await CrashWorld.run { world in
            try await Self.begin(0..<10, in: world)
            // Another user's sessions with the same IDs, which started earlier.
            try await Self.begin(0..<10, in: world, user: "other", before: .minutes(10))
            try await Self.crash(0..<6, "soon", after: .seconds(5), in: world)
            try await Self.crash(6..<10, "soon", after: .seconds(30), in: world)
            try await Self.crash(0..<4, "later", after: .seconds(0), in: world)
            try await Self.crash(4..<10, "later", after: .init(milliseconds: 5_001), in: world)
            try await Self.crash(0..<4, "few", after: .seconds(1), in: world)
            try await Self.crash(0..<9, "nowhere", after: .seconds(1), in: world) { $0 < 5 ? nil : "unknown" }
            #expect(try await Self.isEarly("soon", world) == false)
            try await world.store.updateEarliness(atMost: 10, atOnce: atOnce)
            for (name, expected) in [("soon", true), ("later", false), ("few", false), ("nowhere", false)] {
                #expect(try await Self.isEarly(name, world) == expected, "\(name)")
            }
        }
    }

    @Test func `earliness is computed again, from the newest crashes, after an issue grows by half`() async throws {
        try await CrashWorld.run { world in
            try await Self.begin(0..<60, in: world)
            try await Self.crash(0..<20, "a", after: .seconds(1), in: world)
            try await world.store.updateEarliness(atMost: 10)
            #expect(try await Self.isEarly("a", world))
            try await Self.crash(20..<29, "a", after: .seconds(50), in: world)
            try await world.store.updateEarliness(atMost: 10)
            #expect(try await world.query("SELECT judged FROM issues") { $0.int(0) } == [20])
            try await Self.crash(29..<40, "a", after: .seconds(50), in: world)
            try await world.store.updateEarliness(atMost: 10)
            #expect(try await world.query("SELECT judged, in_session, early FROM issues") { [$0.int(0), $0.int(1), $0.int(2)] } == [[40, 20, 0]])
            #expect(try await Self.isEarly("a", world) == false)
            try await world.expectWhole()
        }
    }

    @Test func `with a bounded read a crash counts only if its session's start was surely read`() async throws {
        try await CrashWorld.run { world in
            func judged() async throws -> [[Int]] {
                try await world.query("SELECT in_session, early FROM issues ORDER BY id") { [$0.int(0), $0.int(1)] }
            }
            try await Self.begin(0..<10, in: world, user: "long before", before: .minutes(20))
            world.clock.advance(by: .minutes(20))
            try await Self.begin(0..<10, in: world)
            try await Self.crash(0..<5, "soon", after: .seconds(1), in: world)
            try await Self.crash(5..<10, "later", after: .seconds(21), in: world)
            try await world.store.updateEarliness(atMost: 10, depth: 20, atOnce: 5)
            #expect(try await judged() == [[0, 0], [0, 0]])
            // With fewer events the whole half hour before the crashes is read.
            for (name, count) in [("soon", 3), ("later", 3)] {
                for number in 0..<count { try await world.take([world.report("\(name)+\(number)", session: nil)], CrashWorld.group(name)) }
            }
            try await world.store.updateEarliness(atMost: 10, depth: 41, atOnce: 5)
            #expect(try await judged() == [[5, 5], [5, 0]])
        }
    }

    @Test func `erasing a person's crashes resets an issue's earliness`() async throws {
        try await CrashWorld.run { world in
            try await Self.begin(0..<6, in: world)
            try await Self.crash(0..<6, "a", after: .seconds(1), in: world)
            try await world.take([world.report("stays", installation: "other")], CrashWorld.group("a"))
            try await world.store.updateEarliness(atMost: 10)
            #expect(try await Self.isEarly("a", world))
            _ = try await world.store.erase(PersonID(.installation, "elsewhere"), of: CrashWorld.app)
            #expect(try await Self.isEarly("a", world))
            _ = try await world.store.erase(PersonID(.installation, "phone"), of: CrashWorld.app)
            let left = try await world.query("SELECT count, judged, in_session, early FROM issues") { row in (0..<4).map { row.int($0) } }
            #expect(left == [[1, 0, 0, 0]])
        }
    }
}
