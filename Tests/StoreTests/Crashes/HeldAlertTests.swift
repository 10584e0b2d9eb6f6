// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

@testable import CrashStore
@testable import Database

/// Alerts of new issues whose reports are about to be symbolicated.
@Suite struct HeldAlertTests {
    private static let app = CrashWorld.app
    private static let debugID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"

    /// Uploads symbols, then stores reports of groups without function names, which are queued.
    private static func take(_ world: CrashWorld, _ reports: (id: String, group: String)...) async throws -> [String] {
        _ = try await world.crashes.bring([SymbolicationTests.symbols(debugID)], app: app)
        var issues: [String] = []
        for (id, group) in reports {
            let report = SymbolicationTests.report(world, id, SymbolicationTests.image(debugID))
            issues.append(try await world.take([report], CrashWorld.group(group))[0].issue)
        }
        return issues
    }

    private static func name(_ world: CrashWorld, _ crash: CrashToSymbolicate, _ group: String) async throws {
        try await world.crashes.symbolicated(crash.row, payload: Array("{}".utf8), group: CrashWorld.group(group))
    }

    /// The pending alerts, as `appeared Cart.checkout`, which are then published.
    private static func published(_ world: CrashWorld) async throws -> [String] {
        let pending = try await world.crashes.unpublishedTransitions(limit: 10)
        try await world.crashes.markPublished(through: .max)
        return pending.map { "\($0.transition.kind) \($0.issue.title)" }
    }

    @Test func `the alert of a new issue waits until the report has named it`() async throws {
        try await CrashWorld.run { world in
            _ = try await Self.take(world, ("1", "raw"))
            #expect(try await Self.published(world).isEmpty)
            let claimed = try await SymbolicationTests.claim(world)
            #expect(try await Self.published(world).isEmpty)
            try await Self.name(world, claimed[0], "Cart.checkout")
            #expect(try await Self.published(world) == ["appeared Cart.checkout"])
            #expect(try await Self.published(world).isEmpty)
        }
    }

    @Test(arguments: [false, true]) func `a report of a known issue causes no alert, also of a muted one`(isMuted: Bool) async throws {
        try await CrashWorld.run { world in
            let known = try await world.take("0", "Cart.checkout").issue
            if isMuted { try await world.crashes.change(known, app: Self.app, to: .mute(.forever)) }
            #expect(try await Self.published(world) == ["appeared Cart.checkout"])
            let issues = try await Self.take(world, ("1", "raw 1"), ("2", "raw 2"))
            #expect(try await Self.published(world).isEmpty)
            for crash in try await SymbolicationTests.claim(world) { try await Self.name(world, crash, "Cart.checkout") }
            #expect(try await Self.published(world).isEmpty)
            for issue in issues { #expect(try await world.crashes.issue(issue, app: Self.app).summary.id == known) }
            world.clock.advance(by: .hours(1))
            #expect(try await Self.published(world).isEmpty)
        }
    }

    @Test func `two reports of one new issue at different addresses cause one alert`() async throws {
        try await CrashWorld.run { world in
            _ = try await Self.take(world, ("1", "raw 1"), ("2", "raw 2"))
            for crash in try await SymbolicationTests.claim(world) { try await Self.name(world, crash, "Cart.checkout") }
            #expect(try await Self.published(world) == ["appeared Cart.checkout"])
        }
    }

    @Test func `the alert waits for the other reports of an issue that its first one left`() async throws {
        try await CrashWorld.run { world in
            try await world.take("0", "Cart.checkout")
            #expect(try await Self.published(world) == ["appeared Cart.checkout"])
            _ = try await Self.take(world, ("1", "raw"), ("2", "raw"))
            let claimed = try await SymbolicationTests.claim(world)
            try await Self.name(world, claimed[0], "Cart.checkout")
            #expect(try await Self.published(world).isEmpty)
            try await Self.name(world, claimed[1], "Cart.clear")
            #expect(try await Self.published(world) == ["appeared Cart.clear"])
        }
    }

    @Test func `without symbols, after a failure or after the delay the alert comes with the title as it is`() async throws {
        let folder = TemporaryFolder()
        try await CrashWorld.run(in: folder) { world in
            try await world.take([SymbolicationTests.report(world, "0", SymbolicationTests.image(Self.debugID))], CrashWorld.group("bare"))
            #expect(try await Self.published(world) == ["appeared bare"])
            world.clock.advance(by: .minutes(1))
            _ = try await Self.take(world, ("1", "failed"), ("2", "late"))
            #expect(try await Self.published(world).isEmpty)
            let failed = try #require(try await SymbolicationTests.claim(world).first { $0.id == "1" })
            try await world.crashes.giveBack(failed.row)
            #expect(try await Self.published(world) == ["appeared failed"])
        }
        let clock = ManualClock(CrashWorld.start + .minutes(1) + .seconds(119))
        try await CrashWorld.run(in: folder, clock: clock) { (world: CrashWorld) async throws in
            #expect(try await Self.published(world).isEmpty)
            clock.advance(by: .seconds(1))
            #expect(try await Self.published(world) == ["appeared late"])
        }
    }

    @Test func `a report that is given up or removed ends the wait`() async throws {
        try await CrashWorld.run { world in
            _ = try await Self.take(world, ("1", "given up"), ("2", "removed"), ("3", "kept"))
            try await world.crashes.change { try $0.file.execute("UPDATE to_symbolicate SET tries = 3 WHERE crash = 1") }
            try await world.crashes.change { try $0.file.execute("DELETE FROM to_symbolicate WHERE crash = 2") }
            #expect(try await SymbolicationTests.claim(world).map(\.id) == ["3"])
            #expect(try await Self.published(world) == ["appeared given up", "appeared removed"])
        }
    }

    @Test func `a clock that was set back does not keep an alert`() async throws {
        let folder = TemporaryFolder()
        try await CrashWorld.run(in: folder) { world in _ = try await Self.take(world, ("1", "raw")) }
        try await CrashWorld.run(in: folder, clock: ManualClock(CrashWorld.start - .hours(1))) { (world: CrashWorld) async throws in
            #expect(try await Self.published(world) == ["appeared raw"])
        }
    }
}
