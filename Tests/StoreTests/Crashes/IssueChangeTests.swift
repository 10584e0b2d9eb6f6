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

@Suite struct IssueChangeTests {
    @Test func `a crash in the closing release or later reopens an issue and queues an alert`() async throws {
        try await CrashWorld.run { world in
            try await world.take("1", "a", release: "1.0")
            try await world.take("2", "a", release: "1.2")
            let id = try await world.issue("a").id
            try await world.crashes.change(id, app: CrashWorld.app, to: .close(release: nil))
            world.clock.advance(by: .hours(1))
            try await world.take("3", "a", release: "1.1")
            let closed = try await world.issue("a")
            #expect(closed.state == .closed && closed.count == 3)
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).map(\.transition.kind) == [.appeared])
            try await world.take("4", "a", release: "1.3")
            let open = try await world.issue("a")
            #expect(open.state == .open && open.signals.contains(.regressed) && open.standing.regressed == world.clock.now)
            let news = try await world.crashes.unpublishedTransitions(limit: 10)
            #expect(news.map(\.transition.kind) == [.appeared, .regressed] && news.last?.transition.detail == "1.3" && news.last?.issue.id == id)
            try await world.crashes.markPublished(through: try #require(news.first).transition.id)
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).map(\.transition.kind) == [.regressed])
            try await world.crashes.change(id, app: CrashWorld.app, to: .close(release: Release("2.0")))
            #expect(try await world.crashes.issue(id, app: CrashWorld.app).history.first?.detail == "2.0")
            #expect(try await world.crashes.issue(id, app: CrashWorld.app).history.map(\.kind) == [.closed, .regressed, .closed, .appeared])
        }
    }

    @Test func `an unknown closing release follows all known releases and precedes later ones`() async throws {
        try await CrashWorld.run { world in
            let id = try await world.take("1", "a", release: "deadbeef1").issue
            for name in ["cafebabe2", "main"] {
                try await world.crashes.change(id, app: CrashWorld.app, to: .close(release: Release(name)))
                try await world.take("still \(name)", "a", release: "deadbeef1")
                #expect(try await world.issue("a").state == .closed)
                world.clock.advance(by: .hours(1))
                try await world.take("new \(name)", "a", release: "after \(name)")
                #expect(try await world.issue("a").state == .open)
            }
        }
    }

    @Test func `a muted issue is unmuted by volume or time`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(CrashWorld.start))
        let muted = try await CrashWorld.run(in: folder, clock: clock) { world in
            try await world.take("1", "volume")
            try await world.take("2", "time")
            let (volume, time) = (try await world.issue("volume").id, try await world.issue("time").id)
            try await world.crashes.change(volume, app: CrashWorld.app, to: .mute(.volume(count: 3, within: .hours(1))))
            try await world.crashes.change(time, app: CrashWorld.app, to: .mute(.until(clock.now + .hours(2))))
            try await world.take("3", "volume")
            try await world.take("4", "volume")
            #expect(try await world.issues { $0.states = [.muted] }.count == 2)
            return (volume, time)
        }
        // The window of the volume survives a restart.
        try await CrashWorld.run(in: folder, clock: clock) { world in
            try await world.take("5", "volume")
            #expect(try await world.issues { $0.states = [.muted] }.map(\.id) == [muted.1])
            clock.advance(by: .hours(2))
            #expect(try await world.issues { $0.states = [.muted] }.isEmpty)
            #expect(try await world.issues { $0.states = [.open] }.count == 2)
            try await world.take("6", "time")
            #expect(
                try await world.crashes.unpublishedTransitions(limit: 10).filter { $0.transition.kind == .unmuted }.map(\.issue.id) == [
                    muted.0, muted.1,
                ])
        }
    }

    @Test func `notes are listed with author, newest first, within their app`() async throws {
        try await CrashWorld.run { world in
            let id = try await world.take("1", "a").issue
            try await world.crashes.note("look at the cart", by: "ann", on: id, app: CrashWorld.app)
            try await world.crashes.note("done", by: nil, on: id, app: CrashWorld.app)
            let issue = try await world.crashes.issue(id, app: CrashWorld.app)
            #expect(
                issue.notes.map(\.text) == ["done", "look at the cart"] && issue.notes.map(\.author) == [nil, "ann"] && issue.summary.notes == 2)
            await #expect(throws: Refusal.self) { try await world.crashes.note("x", by: nil, on: id, app: AppID(rawValue: 2)) }
        }
    }

    @Test func `merged issues are one issue under all their IDs`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<6 { try await world.take("\(number)", ["a", "b", "c"][number % 3], user: "u\(number % 2)") }
            let ids = [try await world.issue("a").id, try await world.issue("b").id, try await world.issue("c").id]
            try await world.crashes.note("of b", by: nil, on: ids[1], app: CrashWorld.app)
            try await world.crashes.merge([ids[1], ids[0]], into: ids[0], app: CrashWorld.app)
            try await world.crashes.merge([ids[0]], into: ids[2], app: CrashWorld.app)
            try await world.take("7", "a", stack: "new")
            let issue = try await world.crashes.issue(ids[1], app: CrashWorld.app)
            #expect(issue.summary.id == ids[2] && issue.summary.count == 7 && issue.summary.users == 3 && Set(issue.formerIDs) == Set(ids[..<2]))
            #expect(issue.notes.map(\.text) == ["of b"] && issue.summary.notes == 1)
            #expect(try await world.issues().count == 1)
            #expect(try await world.crashes.events(of: ids[0], app: CrashWorld.app, CrashQuery(limit: 100)).count == 7)
            try await world.expectWhole()
        }
    }

    @Test func `issues of different kinds or apps cannot be merged`() async throws {
        try await CrashWorld.run { world in
            let fatal = try await world.take("1", "a").issue
            let hang = try await world.take([world.report("2", kind: .anr)], CrashWorld.group("b"))[0].issue
            let other = try await world.take("1", "a", app: AppID(rawValue: 2)).issue
            await #expect(throws: Refusal.self) { try await world.crashes.merge([hang], into: fatal, app: CrashWorld.app) }
            await #expect(throws: Refusal.self) { try await world.crashes.merge([other], into: fatal, app: CrashWorld.app) }
            await #expect(throws: Refusal.self) { try await world.crashes.split(1, from: other, app: AppID(rawValue: 2)) }
            #expect(try await world.issues().count == 2)
            try await world.expectWhole()
        }
    }

    @Test func `a variant or a whole grouping is split off`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<12 {
                try await world.take("\(number)", number < 8 ? "a" : "b", stack: "\(number % 2)", user: "u\(number % 3)")
            }
            let (a, b) = (try await world.issue("a").id, try await world.issue("b").id)
            try await world.crashes.merge([b], into: a, app: CrashWorld.app)
            let groupings = try await world.crashes.issue(a, app: CrashWorld.app).groupings
            let stack = try #require(groupings.first { $0.title == "a" && $0.isVariant })
            let rest = try #require(groupings.first { $0.title == "b" && !$0.isVariant })
            let ofStack = try await world.crashes.split(stack.id, from: a, app: CrashWorld.app)
            let ofB = try await world.crashes.split(rest.id, from: a, app: CrashWorld.app)
            let found = try await world.issues()
            #expect(Set(found.map(\.id)) == [a, ofStack, ofB])
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.count) }) == [a: 4, ofStack: 4, ofB: 4])
            #expect(try await world.take("n1", "a", stack: "0").issue == ofStack)
            #expect(try await world.take("n2", "a", stack: "new").issue == a)
            #expect(try await world.take("n3", "b", stack: "new").issue == ofB)
            #expect(ofB == b)
            await #expect(throws: Refusal.self) { try await world.crashes.split(stack.id, from: ofStack, app: CrashWorld.app) }
            await #expect(throws: Refusal.self) { try await world.crashes.split(stack.id, from: a, app: CrashWorld.app) }
            try await world.expectWhole()
        }
    }
}
