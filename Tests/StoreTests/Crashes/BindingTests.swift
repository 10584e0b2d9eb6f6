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
    /// A report of a function in a module, as `shop.views`. Rule 1 sees only the file `views.py`, rule 2 the module too. Another caller is
    /// another stack.
    static func report(_ world: CrashWorld, _ id: String, _ module: String, caller: String? = nil) -> CrashReport {
        filled(world.report(id, kind: .nonfatal), module, caller)
    }

    private static func filled(_ report: CrashReport, _ module: String, _ caller: String?) -> CrashReport {
        var report = report
        report.platform = "python"
        report.frames = [caller, "index"].compactMap(\.self).map { function in
            var frame = StackFrame()
            (frame.function, frame.module, frame.file, frame.inApp) = (function, module, "\(module.split(separator: ".").last ?? "").py", true)
            return frame
        }
        return report
    }

    /// The document of a report: its ID, module and caller.
    private static func document(_ payload: [UInt8]) -> CrashReport? {
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ").map(String.init)
        guard (2...3).contains(words.count) else { return nil }
        let report = CrashReport(id: words[0], kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: "Boom")
        return filled(report, words[1], words.count == 3 ? words[2] : nil)
    }

    @discardableResult
    static func take(_ world: CrashWorld, _ id: String, _ module: String, rule version: Int = 2, caller: String? = nil) async throws -> String {
        let report = report(world, id, module, caller: caller)
        let rule = try #require(GroupingRule.rule(version: version))
        let submission = CrashSubmission(index: 0, report: report, group: rule.group(report), payload: Array("\(id) \(module) \(caller ?? "")".utf8))
        return try await world.crashes.take([submission], app: CrashWorld.app)[0].issue
    }

    private static func progress(_ world: CrashWorld) async throws -> BindingProgress {
        try await world.crashes.read { try $0.bindingProgress(version: 2) }
    }

    /// Runs a folder with reports of rule 1 in a store that has not begun to bind them. `before` returns the issue of these reports.
    static func upgraded(
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
}
