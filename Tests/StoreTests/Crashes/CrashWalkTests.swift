// SPDX-License-Identifier: Apache-2.0

import Crashes
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

/// Random operations in any order. After every few steps the counters must match the rows and a naive model.
@Suite struct CrashWalkTests {
    @Test(arguments: StoreWalks.seeds(few: 2))
    func `counts match the reports after random operations`(seed: UInt64) async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(CrashWorld.start))
        var walk = CrashWalk(seed)
        // The store is closed and reopened between parts.
        for part in 0..<3 {
            let before = walk
            walk = try await CrashWorld.run(in: folder, clock: clock, CrashWalk.bounds) { world in
                var walk = before
                if part == 0 {
                    _ = try await world.store.events.createAppWithKeys(named: "a")
                    _ = try await world.store.events.setApp(CrashWorld.app, [("retention_days", "3")])
                }
                for step in 0..<120 {
                    try await walk.step(world)
                    if step % 15 == 0 { try await walk.expectRight(world, "part \(part), step \(step)") }
                }
                try await walk.expectRight(world, "part \(part)")
                return walk
            }
        }
    }
}

/// A random walk over the operations, with a naive model of the results.
private struct CrashWalk: Sendable {
    static let bounds = {
        var bounds = CrashBounds()
        (bounds.chunk, bounds.variants, bounds.payloadsOfApp, bounds.payloadsOfIssue, bounds.words) = (3, 3, 60, 25, 4)
        bounds.once = .days(1_000)
        bounds.anonymise = { $0.count % 2 == 0 ? [1, 2, 3] : nil }
        return bounds
    }()
    private static let names = ["a", "b", "c", "raw"]
    private static let debugID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"

    private var random: SeededGenerator
    private var next = 0
    private var erased = 0
    private var taken: Set<String> = []

    init(_ seed: UInt64) {
        random = SeededGenerator(seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func issue(_ world: CrashWorld) async throws -> String? {
        try await world.issues { $0.limit = 1_000 }.randomElement(using: &random)?.id
    }

    /// Makes one step. A rejection is a valid result.
    mutating func step(_ world: CrashWorld) async throws {
        do { try await act(world) } catch is Refusal {}
    }

    private mutating func act(_ world: CrashWorld) async throws {
        switch number(0..<24) {
        case 0...11: try await take(world)
        case 12: try await change(world)
        case 13...14: try await merge(world)
        case 15...16: try await split(world)
        case 17: _ = try await world.crashes.bring([SymbolicationTests.symbols(Self.debugID)], app: CrashWorld.app)
        case 18...19: try await symbolicate(world)
        case 20: if number(0..<3) == 0 { erased += try await world.store.erase(person(), of: CrashWorld.app)[.crashes] }
        case 21: if number(0..<3) == 0 { _ = try await world.store.anonymise(person(), of: CrashWorld.app) }
        case 22: world.clock.advance(by: .minutes(Int64([1, 30, 600, 2_000][number(0..<4)])))
        default: _ = try await world.store.retain()
        }
    }

    private mutating func person() -> PersonID { PersonID(.user, "u\(number(0..<3))") }

    private mutating func take(_ world: CrashWorld) async throws {
        let name = Self.names[number(0..<4)]
        let group = CrashWorld.group(name, stack: "\(number(0..<5))", version: number(0..<5) == 0 ? 2 : 1)
        let reports = (0..<number(1..<5)).map { _ in
            next += 1
            let id = number(0..<6) == 0 ? "\(number(0..<next))" : "\(next)"
            var report = name == "raw" ? SymbolicationTests.report(world, id, SymbolicationTests.image(Self.debugID)) : world.report(id)
            report.user = number(0..<4) == 0 ? nil : "u\(number(0..<3))"
            report.installation = number(0..<5) == 0 ? nil : "i\(number(0..<6))"
            report.release = "1.\(number(0..<6))"
            report.time = world.clock.now - .minutes(Int64(number(0..<3_000)))
            report.kind = number(0..<8) == 0 ? .anr : .fatal
            return report
        }
        for kind in CrashKind.allCases {
            let verdicts = try await world.take(reports.filter { $0.kind == kind }, group)
            for verdict in verdicts where !verdict.isDuplicate { #expect(taken.insert(verdict.id).inserted, "\(verdict.id) counts twice") }
        }
    }

    private mutating func change(_ world: CrashWorld) async throws {
        guard let issue = try await issue(world) else { return }
        let changes: [IssueChange] = [
            .open, .close(release: nil), .close(release: Release("1.3")), .mute(.volume(count: 3, within: .hours(2))), .mute(.forever),
        ]
        try await world.crashes.change(issue, app: CrashWorld.app, to: changes[number(0..<5)])
        try await world.crashes.note("n", by: nil, on: issue, app: CrashWorld.app)
    }

    private mutating func merge(_ world: CrashWorld) async throws {
        guard let one = try await issue(world), let other = try await issue(world) else { return }
        try await world.crashes.merge([one], into: other, app: CrashWorld.app)
        #expect(try await world.crashes.issue(one, app: CrashWorld.app).summary.id == other)
    }

    private mutating func split(_ world: CrashWorld) async throws {
        guard let id = try await issue(world) else { return }
        let before = try await world.crashes.issue(id, app: CrashWorld.app)
        guard let grouping = before.groupings.randomElement(using: &random) else { return }
        let made = try await world.crashes.split(grouping.id, from: id, app: CrashWorld.app)
        let after = try await world.crashes.issue(id, app: CrashWorld.app).summary.count
        #expect(after + (try await world.crashes.issue(made, app: CrashWorld.app).summary.count) == before.summary.count)
    }

    private mutating func symbolicate(_ world: CrashWorld) async throws {
        for _ in 0..<number(1..<6) {
            guard let crash = try await world.crashes.claimForSymbols(until: world.clock.now + .minutes(1)) else { return }
            if number(0..<5) == 0 { continue }
            let group = CrashWorld.group(["a", "b", "named", "other"][number(0..<4)], stack: "\(number(0..<4))")
            try await world.crashes.symbolicated(crash.row, payload: [UInt8](repeating: 7, count: number(1..<90)), group: group)
        }
    }

    func expectRight(_ world: CrashWorld, _ comment: String) async throws {
        try await world.expectWhole(comment)
        let count = try await world.issues { $0.limit = 1_000 }.reduce(0) { $0 + $1.count }
        #expect(count == taken.count - erased, "\(comment)")
    }
}
