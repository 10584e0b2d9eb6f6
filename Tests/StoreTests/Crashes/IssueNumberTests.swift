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

/// Clients choose the names that make issues, so their number is limited.
@Suite struct IssueNumberTests {
    private static let title = "Errors beyond the limit of issues"

    private static func bounds(_ issues: Int) -> CrashBounds {
        var bounds = CrashBounds()
        bounds.issues = issues
        return bounds
    }

    @Test func `beyond the issue limit new groups share one issue per kind, and known issues continue`() async throws {
        try await CrashWorld.run(Self.bounds(3)) { world in
            for number in 0..<10 { try await world.take("c-\(number)", "group \(number)", stack: "s\(number)") }
            try await world.take([world.report("hang", kind: .anr)], CrashWorld.group("hang"))
            try await world.take("again", "group 1", stack: "another")
            try await world.take("elsewhere", "group 9", app: AppID(rawValue: 2))
            let issues = try await world.issues()
            #expect(issues.map(\.count).sorted() == [1, 1, 1, 2, 7] && issues.filter { $0.title == Self.title }.count == 2)
            #expect(Set(issues.map(\.kind)) == [.fatal, .anr])
            #expect(try await world.issue("group 1").count == 2)
            try await world.expectWhole()
        }
    }

    @Test func `the issue limit holds within one request`() async throws {
        try await CrashWorld.run(Self.bounds(5)) { world in
            let submissions = (0..<100).map { number in
                CrashSubmission(index: number, report: world.report("c-\(number)"), group: CrashWorld.group("group \(number)"), payload: [1])
            }
            #expect(try await Set(world.crashes.take(submissions, app: CrashWorld.app).map(\.issue)).count == 6)
            try await world.expectWhole()
        }
    }

    @Test func `issues without reports are removed and free their place`() async throws {
        try await CrashWorld.run(Self.bounds(3)) { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            _ = try await world.store.events.setApp(CrashWorld.app, [("retention_days", "2")])
            for number in 0..<5 { try await world.take("c-\(number)", "group \(number)") }
            world.clock.advance(by: .days(3))
            try await world.take("kept", "group 1")
            _ = try await world.store.retain()
            #expect(try await world.issues().map(\.title) == ["group 1"])
            try await world.take("new", "group 4")
            #expect(try await world.issue("group 4").count == 1)
            try await world.expectWhole()
        }
    }

    @Test func `symbolication does not rename the shared issue`() async throws {
        try await CrashWorld.run(Self.bounds(1)) { world in
            let image = SymbolicationTests.image("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
            try await world.take("first", "first")
            for name in ["a", "b"] { try await world.take([SymbolicationTests.report(world, name, image)], CrashWorld.group("raw \(name)")) }
            _ = try await world.crashes.bring([SymbolicationTests.symbols("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")], app: CrashWorld.app)
            for crash in try await SymbolicationTests.claim(world) {
                try await world.crashes.symbolicated(crash.row, payload: [1], group: CrashWorld.group("Cart.checkout \(crash.id)"))
            }
            #expect(try await Set(world.issues().map(\.title)) == ["first", Self.title])
            try await world.expectWhole()
        }
    }
}
