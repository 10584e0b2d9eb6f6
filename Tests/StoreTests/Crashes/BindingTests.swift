// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import CrashStore
@testable import Database

/// The pass that binds groups of a new grouping rule to the issues of older rules.
@Suite struct BindingTests {
    /// A report whose function is named by its ID, as in `7-pay`. Rule 1 sees only the file `views`, rule 2 the module too.
    private static func report(_ world: CrashWorld, _ id: String, _ module: String) -> CrashReport {
        var report = world.report(id, kind: .nonfatal)
        report.platform = "python"
        var frame = StackFrame()
        (frame.function, frame.module, frame.file, frame.inApp) = ("index", module, "views.py", true)
        report.frames = [frame]
        return report
    }

    /// The document of a report: its ID and module.
    private static func document(_ payload: [UInt8]) -> CrashReport? {
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ")
        guard words.count == 2 else { return nil }
        var report = CrashReport(id: String(words[0]), kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: "Boom")
        report.platform = "python"
        var frame = StackFrame()
        (frame.function, frame.module, frame.file, frame.inApp) = ("index", String(words[1]), "views.py", true)
        report.frames = [frame]
        return report
    }

    @discardableResult
    private static func take(_ world: CrashWorld, _ id: String, _ module: String, rule version: Int = 2) async throws -> String {
        let report = report(world, id, module)
        let rule = try #require(GroupingRule.rule(version: version))
        let submission = CrashSubmission(index: 0, report: report, group: rule.group(report), payload: Array("\(id) \(module)".utf8))
        return try await world.crashes.take([submission], app: CrashWorld.app)[0].issue
    }

    private static func progress(_ world: CrashWorld) async throws -> BindingProgress {
        try await world.crashes.read { try $0.bindingProgress(version: 2) }
    }

    /// Runs a folder with reports of rule 1 in a store that has not begun to bind them. `before` returns the issue of these reports.
    private static func upgraded(
        before: @Sendable (CrashWorld) async throws -> String, after: @Sendable (CrashWorld, String) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let issue = try await CrashWorld.run(in: folder) { world in
            try #require(try await eventually { try await progress(world) == .unneeded })
            let issue = try await before(world)
            try await world.crashes.change { try $0.file.statement("DELETE FROM meta").run() }
            return issue
        }
        var bounds = CrashBounds()
        bounds.report = document
        try await CrashWorld.run(in: folder, bounds) { world in
            try #require(try await eventually { try await progress(world) == .done })
            try await after(world, issue)
        }
    }

    @Test func `a new folder needs no pass`() async throws {
        try await CrashWorld.run { world in
            let isSkipped = try await eventually { try await Self.progress(world) == .unneeded }
            #expect(isSkipped)
        }
    }

    @Test func `known faults stay in their issues, unknown ones make new issues with alerts`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            #expect(try await Self.take(world, "2", "blog.views", rule: 1) == issue)
            try await world.crashes.markPublished(through: .max)
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).isEmpty)
            #expect(try await Self.take(world, "3", "shop.views") == issue)
            #expect(try await Self.take(world, "4", "blog.views") == issue)
            let other = try await Self.take(world, "5", "bank.views")
            #expect(other != issue)
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).map(\.issue.id) == [other])
            #expect(try await world.issues().map(\.count).sorted() == [1, 4])
            try await world.expectWhole()
        }
    }

    @Test func `the older rule decides for issues without stored reports`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            try await world.crashes.change { try $0.file.statement("UPDATE crashes SET bytes = 0, irrelevance = NULL").run() }
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            #expect(try await Self.take(world, "2", "blog.views") == issue)
            #expect(try await Self.take(world, "3", "bank.views") != issue)
        }
    }

    @Test func `reports that arrive during the pass are judged again at its end`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1)
            // A pass that was interrupted: it has not reached report 1.
            try await world.crashes.change { context in
                try context.file.save(.binding(next: 0, until: 1), version: 2)
                try context.write()
            }
            #expect(try await Self.take(world, "2", "bank.views") == issue)
            #expect(try await Self.take(world, "3", "shop.views") == issue)
            try await world.crashes.markPublished(through: .max)
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            let issues = try await world.issues()
            #expect(issues.count == 2 && issues.first { $0.id == issue }?.count == 2)
            let made = try #require(issues.first { $0.id != issue })
            #expect(made.count == 1 && made.culprit == "bank.views:index")
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).map(\.issue.id) == [made.id])
            #expect(try await Self.take(world, "4", "bank.views") == made.id)
            try await world.expectWhole()
        }
    }

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
}
