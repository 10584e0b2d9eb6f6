// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import CrashStore
@testable import Database

/// Regrouping by the newest rule.
extension BindingTests {
    @Test func `regrouping divides an issue, and a repetition changes nothing`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            for (id, module) in [("2", "shop.views"), ("3", "blog.views"), ("4", "bank.views")] {
                #expect(try await Self.take(world, id, module, rule: 1) == issue)
            }
            try await world.crashes.note("n", by: nil, on: issue, app: CrashWorld.app)
            try await world.crashes.change(issue, app: CrashWorld.app, to: .mute(.forever))
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            let dry = try #require(try await world.crashes.regroup(CrashWorld.app, after: 0, dryRun: true)?.change)
            #expect(
                dry.issue == issue && dry.parts.map(\.culprit) == ["blog.views:index", "bank.views:index"] && dry.parts.map(\.reports) == [1, 1])
            #expect(dry.parts.allSatisfy { $0.outcome == .split(nil) })
            #expect(try await world.issues().count == 1)
            try #require(try await world.crashes.regroup(CrashWorld.app, after: 0, dryRun: false) != nil)
            let issues = try await world.issues()
            #expect(issues.map(\.count).sorted() == [1, 1, 2] && issues.allSatisfy { $0.state == .muted })
            #expect(issues.first { $0.id == issue }?.notes == 1)
            try await world.expectWhole()
            #expect(try await world.crashes.regroup(CrashWorld.app, after: 0, dryRun: false)?.change == nil)
            #expect(try await Self.take(world, "5", "blog.views") != issue)
            #expect(try await world.issues().count == 3)
        }
    }

    @Test func `regrouping joins issues of one group`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            // Rule 1 had told these apart, as another build of a stripped binary might be.
            var other = GroupKey(version: 1, hash: Array("another-hash-xyz".utf8), stackHash: [1], reason: "r", title: "t", culprit: nil)
            other.title = "other"
            let submission = CrashSubmission(
                index: 0, report: Self.report(world, "2", "shop.views"), group: other, payload: Array("2 shop.views".utf8))
            #expect(try await world.crashes.take([submission], app: CrashWorld.app)[0].issue != issue)
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            var row: Int64 = 0
            var changes: [IssueRegrouping] = []
            while let step = try await world.crashes.regroup(CrashWorld.app, after: row, dryRun: false) {
                row = step.row
                changes += [step.change].compactMap(\.self)
            }
            #expect(changes.map(\.parts) == [[.init(title: "Boom", culprit: "shop.views:index", reports: 1, outcome: .moved(into: issue))]])
            #expect(try await world.issues().map(\.count) == [2])
            try await world.expectWhole()
        }
    }

    /// Regroups all issues and returns the changes.
    static func regroup(_ world: CrashWorld, dryRun: Bool = false) async throws -> [IssueRegrouping] {
        var row: Int64 = 0
        var changes: [IssueRegrouping] = []
        while let step = try await world.crashes.regroup(CrashWorld.app, after: row, dryRun: dryRun) {
            row = step.row
            changes += [step.change].compactMap(\.self)
        }
        return changes
    }

    /// Stores a report that rule 1 gave a group and a stack of their own.
    fileprivate static func take(_ world: CrashWorld, _ id: String, _ module: String, group: String, stack: String) async throws -> String {
        let key = GroupKey(
            version: 1, hash: Array("\(group)-hash-of-rule".utf8), stackHash: Array(stack.utf8), reason: "r", title: group, culprit: nil)
        let submission = CrashSubmission(index: 0, report: report(world, id, module), group: key, payload: Array("\(id) \(module)".utf8))
        return try await world.crashes.take([submission], app: CrashWorld.app)[0].issue
    }

    static func variant(_ world: CrashWorld, of event: String) async throws -> Int64 {
        let rows = try await world.query("SELECT public, grouping FROM crashes") { ($0.text(0), $0.integer(1)) }
        return try #require(rows.first { $0.0 == event }?.1)
    }

    @Test func `splits of older groups survive the pass and regrouping`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", group: "a", stack: "s1")
            #expect(try await Self.take(world, "2", "blog.views", group: "a", stack: "s2") == issue)
            #expect(try await Self.take(world, "3", "shop.views", group: "a", stack: "s3") == issue)
            let made = try await world.crashes.split(try await Self.variant(world, of: "3"), from: issue, app: CrashWorld.app)
            return "\(issue) \(made)"
        } after: { (world: CrashWorld, issues: String) async throws in
            let ids = issues.split(separator: " ").map(String.init)
            let (issue, made) = (ids[0], ids[1])
            // Rule 2 sees no difference between the reports 1 and 3, so their stack is where the split put it.
            #expect(try await Self.take(world, "4", "shop.views") == made)
            #expect(try await Self.regroup(world, dryRun: true).map(\.issue) == [issue])
            let changes = try await Self.regroup(world)
            #expect(changes.map(\.issue) == [issue] && changes[0].parts.map(\.culprit) == ["blog.views:index"])
            #expect(try await Self.regroup(world).isEmpty)
            let left = try await world.issues()
            #expect(left.count == 3 && left.first { $0.id == made }?.count == 2 && left.first { $0.id == issue }?.culprit == "shop.views:index")
            try await world.expectWhole()
        }
    }

    @Test func `merges of older groups survive regrouping`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            #expect(try await Self.take(world, "2", "shop.views", rule: 1) == issue)
            #expect(try await Self.take(world, "3", "bank.views", rule: 1) == issue)
            let other = try await Self.take(world, "4", "shop.urls", rule: 1)
            #expect(other != issue)
            try await world.crashes.merge([other], into: issue, app: CrashWorld.app)
            // Version 0.1 did not keep which issue a grouping came from.
            try await world.crashes.change { try $0.file.statement("UPDATE groupings SET former = NULL").run() }
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            let changes = try await Self.regroup(world)
            #expect(changes.map(\.issue) == [issue] && changes[0].parts.map(\.culprit) == ["bank.views:index"])
            #expect(try await Self.regroup(world).isEmpty)
            #expect(try await Self.take(world, "5", "shop.urls") == issue)
            #expect(try await Self.take(world, "6", "bank.views") != issue)
            #expect(try await Self.regroup(world).isEmpty)
            #expect(try await world.issues().map(\.count).sorted() == [2, 4])
            try await world.expectWhole()
        }
    }

    @Test func `a split after the upgrade holds for later reports`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", group: "a", stack: "s1")
            #expect(try await Self.take(world, "2", "blog.views", group: "a", stack: "s2") == issue)
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            let made = try await world.crashes.split(try await Self.variant(world, of: "2"), from: issue, app: CrashWorld.app)
            #expect(try await Self.take(world, "3", "blog.views") == made)
            #expect(try await Self.take(world, "4", "shop.views") == issue)
            #expect(try await Self.regroup(world).isEmpty)
            let culprits = try await world.issues().map { "\($0.id == made) \($0.culprit ?? "")" }
            #expect(culprits.sorted() == ["false shop.views:index", "true blog.views:index"], "\(culprits)")
            try await world.expectWhole()
        }
    }

    @Test func `the largest part that belongs to no other issue keeps the issue`() async throws {
        try await Self.upgraded { world in
            let first = try await Self.take(world, "1", "shop.views", group: "a", stack: "s1")
            let issue = try await Self.take(world, "2", "shop.views", group: "b", stack: "s1")
            for (id, module) in [("3", "shop.views"), ("4", "blog.views"), ("5", "bank.views")] {
                #expect(try await Self.take(world, id, module, group: "b", stack: "s1") == issue)
            }
            return "\(first) \(issue)"
        } after: { (world: CrashWorld, issues: String) async throws in
            let ids = issues.split(separator: " ").map(String.init)
            let changes = try await Self.regroup(world)
            #expect(changes.map(\.issue) == [ids[1]] && changes[0].parts.map(\.reports) == [2, 1])
            #expect(changes[0].parts.map(\.outcome)[0] == .moved(into: ids[0]))
            let issues = try await world.issues()
            #expect(issues.first { $0.id == ids[0] }?.count == 3 && issues.count == 3)
            #expect(issues.first { $0.id == ids[1] }?.culprit == "blog.views:index")
            #expect(try await Self.regroup(world).isEmpty)
            try await world.expectWhole()
        }
    }
}
