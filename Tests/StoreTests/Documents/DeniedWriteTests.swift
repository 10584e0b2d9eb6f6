// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

/// Denied writes of large documents, which are not read unless rules look at them. Tests make stored bodies unreadable to see that.
@Suite struct DeniedWriteTests {
    private typealias World = DocumentWorld

    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /private/{id} { allow write: if request.auth.uid == 'ann'; }
            match /sent/{id} { allow write: if request.resource.data.owner == request.auth.uid; }
            match /owned/{id} { allow write: if resource.data.owner == request.auth.uid; }
            match /later/{id} { allow write: if existsAfter(/databases/$(database)/documents/later/$(id)) == false; }
            match /many/{id} { allow write: if get(/databases/$(database)/documents/roles/$(id)).data.n == resource.data.n; }
            match /own/{id} { allow read, write; }
          }
        }
        """

    private static func write(_ form: String, _ path: DocumentPath) throws -> DocumentWrite {
        let (field, fields) = (try #require(FieldPath("n")), try #require(DocumentFields([.init("n", .integer(1))])))
        return switch form {
        case "delete": DocumentWrite(path, .delete)
        case "set": DocumentWrite(path, .set(fields, mask: nil))
        case "update": DocumentWrite(path, .set(fields, mask: [field]), if: .exists(true))
        default: DocumentWrite(path, .set(fields, mask: nil), transforms: [.init(field, .now)])
        }
    }

    private static func isDenied(_ writes: DocumentWrite..., in world: World) async throws -> Bool {
        try await isDenied(writes, in: world)
    }

    private static func isDenied(_ writes: [DocumentWrite], in world: World) async throws -> Bool {
        var commit = DocumentCommit(writes)
        commit.principal = RulePrincipal(uid: "bob")
        do {
            _ = try await world.store.commit(commit, app: world.app)
            return false
        } catch is DeniedByRules { return true } catch { return false }
    }

    @Test(arguments: [
        ("private", ["delete", "set", "update", "transform"], []), ("nowhere", ["delete", "set", "update", "transform"], []),
        ("sent", ["delete", "set"], ["update", "transform"]), ("owned", [], ["delete", "set", "update", "transform"]),
        ("later", [], ["delete", "set", "update", "transform"]),
    ])
    func `a denied write reads a large document only if rules look at it`(collection: String, unread: [String], read: [String]) async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            let (large, none) = (try World.path("\(collection)/large"), try World.path("\(collection)/none"))
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: 100_000)))
            _ = try await world.commit(World.set("\(collection)/large", [("t", text)]))
            _ = try await world.store.change(world.app) { try $0.file.statement("UPDATE documents SET body = zeroblob(100000)").run() }
            for form in unread {
                let (isDenied, isDeniedWithout) = (
                    try await Self.isDenied(Self.write(form, large), in: world), try await Self.isDenied(Self.write(form, none), in: world)
                )
                #expect(isDenied && isDeniedWithout, "\(form)")
            }
            for form in read {
                let isDenied = try await Self.isDenied(Self.write(form, large), in: world)
                #expect(!isDenied, "\(form)")
            }
        }
    }

    @Test func `decisions about documents that are not read have the budget of a request`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: 20_000)))
            // Rules of one request may ask for 20 documents.
            let ids = (10..<35).map { "d\($0)" }
            for id in ids {
                _ = try await world.commit(World.set("many/\(id)", [("n", .integer(1)), ("t", text)]))
                _ = try await world.commit(World.set("roles/\(id)", [("n", .integer(1))]))
            }
            // The last document that rules ask for cannot be read, and is not: the request has exceeded its budget before.
            let last = StoredID.bytes(try World.path("roles/\(ids.last ?? "")").id)
            _ = try await world.store.change(world.app) {
                try $0.file.statement("UPDATE documents SET body = zeroblob(100) WHERE id = ? AND length(body) < 1000").run(.blob(last))
            }
            let writes = try ids.map { try Self.write("set", World.path("many/\($0)")) }
            let isDenied = try await Self.isDenied(writes, in: world)
            #expect(isDenied)
        }
    }

    @Test func `a fault of another write does not tell whether there is a large document`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: 600_000)))
            for path in ["private/large", "own/d"] { _ = try await world.commit(World.set(path, [("t", text)])) }
            _ = try await world.commit(World.set("private/small", [("n", .integer(1))]))
            let field = try #require(FieldPath("u"))
            let tooLarge = DocumentWrite(try World.path("own/d"), .set(try World.fields([("u", text)]), mask: [field]))
            for id in ["large", "small", "none"] {
                let other = try Self.write("set", World.path("private/\(id)"))
                for writes in [[tooLarge, other], [other, tooLarge]] {
                    let isDenied = try await Self.isDenied(writes, in: world)
                    #expect(!isDenied, "\(id)")
                }
                let isDenied = try await Self.isDenied(other, in: world)
                #expect(isDenied, "\(id)")
            }
        }
    }
}
