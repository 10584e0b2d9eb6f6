// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import DocumentStore
@testable import EventStore

@Suite struct DocumentFeedTests {
    private typealias World = DocumentWorld

    @Test func `a page ends before a change whose result is far behind in the log`() async throws {
        var bounds = DocumentBounds()
        bounds.changesSearched = .zero
        try await World.run(in: TemporaryFolder(), ManualClock(World.start), bounds) { world in
            _ = try await world.commit(World.set("a/near", [("n", .integer(1))]))
            _ = try await world.commit(World.set("a/far", [("n", .integer(1))]))
            for round in 1...3 as ClosedRange<Int64> {
                let writes = try (0..<1_000).map { try World.set("a/other\($0)", [("n", .integer(round))]) }
                _ = try await world.store.commit(DocumentCommit(writes), app: world.app)
            }
            _ = try await world.commit(World.set("a/far", [("n", .integer(2))]))
            var (pages, place) = ([ChangePage](), ChangePlace?.none)
            repeat {
                let limit = pages.isEmpty ? 2 : 1_000
                let page = try await world.store.changes(after: place, in: .collection(try World.path("a")), app: world.app, limit: limit)
                place = page.next
                pages.append(page)
            } while !pages[pages.count - 1].isCurrent
            #expect(pages[0].changes.map(\.path.description) == ["a/near"])
            let changes = pages.flatMap(\.changes)
            #expect(changes.count == 3_003)
            for change in changes where change.after == nil { Issue.record("\(change.path) has no state after its change") }
            let far = changes.filter { $0.path.description == "a/far" }
            #expect(far.map { $0.after?.fields["n"] } == [.integer(1), .integer(2)])
        }
    }

    @Test func `a position that the log does not have is taken as the nearest one, before all later commits`() async throws {
        try await World.run { world in
            let ahead = try #require(ChangePlace(String((World.start + .hours(1)).milliseconds * 1_000)))
            for number in 0...1 {
                let place = number == 0 ? ahead : try await world.store.lastChange()
                let page = try await world.store.changes(near: place, app: world.app, limit: 10)
                #expect(page.changes.isEmpty && page.isCurrent)
                _ = try await world.commit(World.set("a/\(number)", [("n", .integer(1))]))
                let next = try await world.store.changes(near: page.next, app: world.app, limit: 10)
                #expect(next.changes.map(\.path.description) == ["a/\(number)"])
            }
            let all = try await world.store.changes(near: .start, app: world.app, limit: 10)
            #expect(all.changes.map(\.path.description) == ["a/0", "a/1"])
        }
    }

    @Test(arguments: [1, 2, 100])
    func `an erasure takes the changes of its person alone from readers near a position`(limit: Int) async throws {
        try await World.run { world in
            let (collection, field) = (try World.path("a"), try #require(FieldPath("owner")))
            let owner = try #require(PersonField(collection, isGroup: false, field))
            try await world.store.setPersonPatterns([.field(owner)], app: world.app)
            let place = try await world.store.lastChange()
            func set(_ id: String, _ owner: String, _ n: Int64 = 0) async throws {
                _ = try await world.commit(World.set("a/\(id)", [("n", .integer(n)), ("owner", .text(ExactName(owner)))]))
            }
            try await set("bobs", "bob")
            try await set("anns", "ann")
            // The result of the first change is Ann's, and the erasure removes it with the second change.
            for id in ["passed", "passed-on"] { for owner in ["ann", "bob"] { try await set(id, owner) } }
            try await set("passed-on", "bob", 1)
            try await set("later", "bob")
            _ = try await world.stores.erase(PersonID(.user, "ann"), of: world.app)
            var (seen, next, isCurrent) = ([LoggedChange](), place, false)
            while !isCurrent {
                let page = try await world.store.changes(near: next, app: world.app, limit: limit)
                #expect(page.isCurrent || page.next != next)
                (seen, next, isCurrent) = (seen + page.changes, page.next, page.isCurrent)
            }
            #expect(seen.map(\.path.description) == ["a/bobs", "a/passed-on", "a/later"])
            #expect(seen.allSatisfy { $0.after?.fields["owner"] == .text("bob") })
            #expect(seen.map { $0.before?.fields["owner"] } == [nil, .text("bob"), nil])
        }
    }
}
