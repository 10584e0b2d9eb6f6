// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

/// Denied writes of large documents, which are not read unless rules look at them. Their stored bodies are unreadable here.
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

    private static func isDenied(_ write: DocumentWrite, _ world: World) async throws -> Bool {
        var commit = DocumentCommit([write])
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
            _ = try await world.store.setRules(Self.rules, app: world.app)
            let (large, none) = (try World.path("\(collection)/large"), try World.path("\(collection)/none"))
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: 100_000)))
            _ = try await world.commit(World.set("\(collection)/large", [("t", text)]))
            _ = try await world.store.change(world.app) { try $0.file.statement("UPDATE documents SET body = zeroblob(100000)").run() }
            for form in unread {
                let (isDenied, isDeniedWithout) = (
                    try await Self.isDenied(Self.write(form, large), world), try await Self.isDenied(Self.write(form, none), world)
                )
                #expect(isDenied && isDeniedWithout, "\(form)")
            }
            for form in read {
                let isDenied = try await Self.isDenied(Self.write(form, large), world)
                #expect(!isDenied, "\(form)")
            }
        }
    }
}
