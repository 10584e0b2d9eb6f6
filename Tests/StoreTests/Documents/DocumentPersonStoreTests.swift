// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import DocumentStore
@testable import EventStore

@Suite struct DocumentPersonStoreTests {
    private typealias World = DocumentWorld

    @Test func `a path covers the documents of its collections, and knows the ranges they are in`() throws {
        let person = try #require(PathSegment("ann"))
        let cases: [(pattern: String, covered: [String], others: [String])] = [
            ("users/{uid}", ["users/ann"], ["users/bob", "users/ann/a/b", "teams/ann"]),
            ("users/{uid}/**", ["users/ann", "users/ann/a/b", "users/ann/a/b/c/d"], ["users/ann2", "users/ann2/a/b", "users/bob/a/ann"]),
            ("rooms/{r}/members/{uid}", ["rooms/1/members/ann"], ["rooms/1", "rooms/1/members/bob", "rooms/1/members/ann/a/b"]),
            ("rooms/{r}/members/{uid}/**", ["rooms/1/members/ann", "rooms/2/members/ann/a/b"], ["rooms/ann/members/bob"]),
            ("users/{uid}/keys/{k}", ["users/ann/keys/1"], ["users/ann", "users/bob/keys/1", "users/ann/keys/1/a/b"]),
            ("users/{uid}/keys/main", ["users/ann/keys/main"], ["users/ann/keys/other"]),
        ]
        for (text, covered, others) in cases {
            let path = try #require(PersonPath(text))
            #expect(path.description == text)
            for document in covered + others {
                let found = try World.path(document)
                #expect(path.matches(found, person) == covered.contains(document), "\(text) \(document)")
                let collection = try #require(found.parent).description
                let isInRange = path.ranges(of: person).contains { range in
                    range.first <= collection && range.end.map { collection < $0 } ?? true && range.group.map { found.parent?.id == $0 } ?? true
                }
                if covered.contains(document) { #expect(isInRange, "\(text) \(document)") }
            }
        }
    }

    /// An erasure that was cut off after its first commits.
    @Test func `an interrupted erasure is finished by the next one`() async throws {
        let folder = TemporaryFolder()
        try await World.run(in: folder) { world async throws in
            let path = try #require(PersonPath("users/{uid}/**"))
            try await world.store.setPersonPatterns([.path(path)], app: world.app)
            for number in 0..<20 {
                _ = try await world.commit(World.set("users/annsecret/notes/n\(number)", [("text", .text("annsecret"))]))
            }
            let erasure = PersonErasure(app: world.app, person: "annsecret", patterns: [.path(path)], newID: nil, since: 0)
            let some = try (0..<7).map { try World.path("users/annsecret/notes/n\($0)") }
            #expect(try await world.store.change { try $0.erase(some, erasure) } == 7)
        }
        try await World.run(in: folder) { world async throws in
            let report = try await world.stores.erase(PersonID(.user, "annsecret"), of: world.app)
            #expect(report[.documents] == 13)
        }
        for name in try Folder.names(in: folder.path) where name.hasPrefix("documents.db") {
            let file = try File(folder.path + "/" + name, .read)
            #expect(try !file.read(at: 0, count: file.size).holds(Array("annsecret".utf8)), "\(name)")
        }
        let file = try Connection(folder.path + "/documents.db", .read)
        #expect(try file.statement("SELECT count(*) FROM changes").first { $0.int(0) } == 0)
        #expect(try file.statement("SELECT value FROM meta WHERE key = 'log_bytes'").first { $0.int(0) } == 0)
    }

    @Test(arguments: [[], ["users/{uid}"]])
    func `an erasure forgets the clients of a user, however short the ID, and no others`(patterns: [String]) async throws {
        let folder = TemporaryFolder()
        let app = try await World.run(in: folder) { world async throws in
            try await world.store.setPersonPatterns(try patterns.map { .path(try #require(PersonPath($0))) }, app: world.app)
            let erased = ["ann77", "john smith 42", "50% off", "a", "user1234"]
            for user in erased + ["ann", "ann771", "john smith", "john%20smith%2042", "user12345", "auser1234"] {
                var commit = DocumentCommit([try World.set("notes/n", [("n", .text(ExactName(user)))])])
                commit.batch = .init(client: DocumentCommit.Batch.client("phone", ofUser: user, app: world.app), number: 1)
                _ = try await world.store.commit(commit, app: world.app)
            }
            for user in erased { _ = try await world.stores.erase(PersonID(.user, user), of: world.app) }
            return world.app.rawValue
        }
        let file = try Connection(folder.path + "/documents.db", .read)
        let clients = try file.statement("SELECT client FROM clients ORDER BY client").all { $0.text(0) }
        let kept = ["ann phone", "ann771 phone", "auser1234 phone", "john%20smith phone", "john%2520smith%252042 phone", "user12345 phone"]
        #expect(clients == kept.map { "user \(app) \($0)" })
    }

    @Test func `collections whose IDs begin with the last code point are found by groups, lists and erasures`() async throws {
        try await World.run { world async throws in
            let last = "\u{10FFFF}x"
            let paths = ["\(last)/d", "x/y/\(last)/d", "\u{10FFFF}/d/\(last)/d"]
            for path in paths { _ = try await world.commit(World.set(path, [("owner", .text("ann"))])) }
            #expect(Set(try await world.ids(World.query(last, everyDepth: true))) == Set(paths))
            let top = try await world.store.collections(below: nil, app: world.app, limit: 10).map(\.text.text)
            #expect(top == ["x", "\u{10FFFF}", last])
            let owner = try #require(FieldPath("owner"))
            let (path, isGroup) = (try World.path(last), true)
            let group = try #require(PersonField(path, isGroup: isGroup, owner))
            try await world.store.setPersonPatterns([.field(group)], app: world.app)
            let report = try await world.stores.erase(PersonID(.user, "ann"), of: world.app)
            #expect(report[.documents] == 3)
        }
    }

    @Test func `indexes count their entries, and the app's bytes have them`() async throws {
        let folder = TemporaryFolder()
        try await World.run(in: folder) { world async throws in
            let (group, field) = (try #require(PathSegment("a")), try #require(FieldPath("n")))
            let shapes = [IndexShape(.collection, group, [.init(field, .ascending)]), IndexShape(.group, group, [.init(field, .contains)])]
            let write = { @Sendable (number: Int) -> DocumentWrite in
                if number % 5 == 0 { return DocumentWrite(try World.path("a/d\(number % 40)"), .delete) }
                return try World.set("a/d\(number % 40)", [("n", .array([.integer(Int64(number % 7)), .text("x")]))])
            }
            for number in 0..<60 { _ = try await world.commit(write(number)) }
            try await world.store.declare(IndexDeclaration(shapes), app: world.app)
            for number in 60..<200 { _ = try await world.commit(write(number)) }
            // A commit that fails, and one write of several that does.
            _ = await world.fault(of: DocumentCommit([try write(1), try World.set("a/d2", [], if: .exists(false))]))
            _ = try await world.store.write(each: [try World.set("a/d2", [], if: .exists(false)), try write(3)], app: world.app)
            #expect(try await eventually { try await world.store.indexes(of: world.app).allSatisfy(\.isReady) })
            try await world.stores.measureStorage()
            let bodies = try await world.store.read(world.app, at: nil) { view in
                try view.file.statement("SELECT sum(bytes) FROM collections").first { $0.integer(0) } ?? 0
            }
            let entries = try await world.store.read(world.app, at: nil) { view in
                try view.file.statement("SELECT count(*), sum(length(key) + 12) FROM entries").first { ($0.integer(0), $0.integer(1)) }
            }
            let counted = try await world.store.read(world.app, at: nil) { view in
                try view.file.statement("SELECT sum(entries), sum(bytes) FROM indexes").first { ($0.integer(0), $0.integer(1)) }
            }
            let (have, want) = (try #require(counted), try #require(entries))
            #expect(have == want && want.0 > 50)
            #expect(world.stores.storageUse.bytes(of: world.app) >= bodies + want.1)
        }
    }
}
