// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import CrashStore
@testable import Database

/// Merges and splits by users across an upgrade and regrouping.
extension BindingTests {
    /// Splits off the variant of a report and returns the new issue.
    private static func split(_ world: CrashWorld, _ event: String, from issue: String) async throws -> String {
        try await world.crashes.split(try await variant(world, of: event), from: issue, app: CrashWorld.app)
    }

    @Test func `an upgrade leaves a group where it is if its first report was split off`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1, caller: "one")
            for (id, caller) in [("2", "two"), ("3", "three")] {
                #expect(try await Self.take(world, id, "shop.views", rule: 1, caller: caller) == issue)
            }
            return "\(issue) \(try await Self.split(world, "1", from: issue))"
        } after: { (world: CrashWorld, issues: String) async throws in
            let ids = issues.split(separator: " ").map(String.init)
            #expect(try await Self.take(world, "4", "shop.views", caller: "two") == ids[0])
            #expect(try await Self.take(world, "5", "shop.views", caller: "new") == ids[0])
            #expect(try await Self.take(world, "6", "shop.views", caller: "one") == ids[1])
            #expect(try await world.query("SELECT count(*) FROM groupings WHERE provisional <> 0") { $0.int(0) } == [0])
            #expect(try await Self.regroup(world).isEmpty)
            try await world.expectWhole()
        }
    }

    @Test func `a group that was split off as a whole stays there after an upgrade`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "blog.views", rule: 1, caller: "one")
            #expect(try await Self.take(world, "2", "shop.views", rule: 1, caller: "two") == issue)
            return "\(issue) \(try await Self.split(world, "1", from: issue))"
        } after: { (world: CrashWorld, issues: String) async throws in
            let ids = issues.split(separator: " ").map(String.init)
            #expect(try await Self.take(world, "3", "blog.views", caller: "new") == ids[1])
            #expect(try await Self.take(world, "4", "shop.views", caller: "new") == ids[0])
            #expect(try await Self.regroup(world).isEmpty)
            try await world.expectWhole()
        }
    }

    @Test func `a split takes along all stacks that the reports of an older one have`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "blog.views", rule: 1, caller: "one")
            for id in ["2", "3", "4", "5", "6", "7"] { #expect(try await Self.take(world, id, "shop.views", rule: 1, caller: "one") == issue) }
            #expect(try await Self.take(world, "8", "shop.views", rule: 1, caller: "two") == issue)
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            let made = try await Self.split(world, "1", from: issue)
            #expect(try await Self.take(world, "9", "blog.views", caller: "one") == made)
            #expect(try await Self.take(world, "10", "shop.views", caller: "one") == made)
            #expect(try await Self.take(world, "11", "shop.views", caller: "new") == issue)
            // All reports of blog.views have left, so its later stacks follow.
            #expect(try await Self.take(world, "12", "blog.views", caller: "new") == made)
            try await world.expectWhole()
        }
    }

    @Test func `the last split of a merged group takes its later stacks along`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1, caller: "one")
            let other = try await Self.take(world, "2", "shop.urls", rule: 1, caller: "one")
            #expect(try await Self.take(world, "3", "shop.urls", rule: 1, caller: "two") == other)
            return "\(issue) \(other)"
        } after: { (world: CrashWorld, issues: String) async throws in
            let ids = issues.split(separator: " ").map(String.init)
            try await world.crashes.merge([ids[1]], into: ids[0], app: CrashWorld.app)
            #expect(try await Self.split(world, "2", from: ids[0]) == ids[1])
            let last = try await Self.split(world, "3", from: ids[0])
            #expect(try await Self.take(world, "4", "shop.urls", caller: "new") == last)
            #expect(try await Self.take(world, "5", "shop.views", caller: "new") == ids[0])
            try await world.expectWhole()
        }
    }

    @Test func `regrouping keeps a merge of which a variant was split off again`() async throws {
        try await Self.upgraded { world in
            let issue = try await Self.take(world, "1", "shop.views", rule: 1, caller: "one")
            for (id, module, caller) in [("2", "shop.views", "two"), ("3", "blog.views", "one"), ("4", "blog.views", "two")] {
                #expect(try await Self.take(world, id, module, rule: 1, caller: caller) == issue)
            }
            return issue
        } after: { (world: CrashWorld, issue: String) async throws in
            #expect(try await Self.regroup(world).count == 1)
            let blog = try #require(try await world.issues().first { $0.id != issue })
            // Each report counts for its own stack.
            let variants = try await world.query("SELECT count FROM groupings WHERE count > 0 AND version = 2") { $0.int(0) }
            #expect(variants == [1, 1] && blog.count == 2)
            try await world.crashes.merge([blog.id], into: issue, app: CrashWorld.app)
            #expect(try await Self.regroup(world).isEmpty)
            let apart = try await Self.split(world, "3", from: issue)
            #expect(apart == blog.id)
            #expect(try await Self.regroup(world).isEmpty)
            #expect(try await Self.take(world, "5", "blog.views", caller: "one") == apart)
            #expect(try await Self.take(world, "6", "blog.views", caller: "two") == issue)
            #expect(try await Self.regroup(world).isEmpty)
            #expect(try await world.issues().map(\.count).sorted() == [2, 4])
            try await world.expectWhole()
        }
    }
}
