// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel
import Synchronization
import TestSupport
import Testing

@testable import DocumentStore

/// The bytes of documents that the writes of users read and make.
@Suite struct WriteBytesTests {
    private typealias World = DocumentWorld

    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /open/{id} { allow read, write; }
            match /owned/{id} { allow read, write: if resource.data.owner == request.auth.uid; }
          }
        }
        """

    /// The bytes that a store charges, of which a limited number is accepted.
    private final class Charges: Sendable {
        private let charges = Mutex<[Int]>([])
        let most: Int

        init(atMost most: Int = .max) { self.most = most }

        var all: [Int] { charges.withLock { $0 } }

        func take(_ bytes: Int) throws {
            if bytes > most { throw Refusal(.rateLimited, "Too many bytes.") }
            charges.withLock { $0.append(bytes) }
        }
    }

    /// Sets the field `n`, which has 10 bytes with its name, or another one with such a name.
    private static func update(
        _ text: String, _ name: String = "n", if condition: DocumentWrite.Precondition? = nil, to number: Int64 = 1
    ) throws -> DocumentWrite {
        let fields = try World.fields([(ExactName(name), .integer(number))])
        return DocumentWrite(try World.path(text), .set(fields, mask: [try #require(FieldPath(name))]), if: condition)
    }

    private static func commit(_ writes: [DocumentWrite], _ charges: Charges = Charges()) -> DocumentCommit {
        var commit = DocumentCommit(writes)
        commit.principal = RulePrincipal(uid: "ann")
        commit.charge = { try charges.take($0) }
        return commit
    }

    @Test func `bytes are those of each document once, and of what each write makes`() throws {
        let large = DocumentLimit.bytes - 5
        let stored = ["a/x": 900, "a/large": large]
        let (set, delete) = (try World.set("a/x", [("text", .text("12345"))]), DocumentWrite(try World.path("a/x"), .delete))
        let verify = DocumentWrite(try World.path("a/x"), .verify, if: .exists(true))
        let now = DocumentWrite(
            try World.path("a/x"), .set(DocumentFields(), mask: []),
            transforms: [.init(try #require(FieldPath("l")), .union([.integer(1), .integer(2)]))])
        for (writes, count) in [
            ([], 0), ([verify], 900), ([delete], 900), ([set], 900 + 11), ([try Self.update("a/x")], 900 + 910), ([now], 900 + 916),
            ([try Self.update("a/x"), try Self.update("a/x", "m")], 900 + 910 + 920), ([try Self.update("a/none")], 10),
            ([delete, try Self.update("a/x")], 900 + 10), ([set, try Self.update("a/x")], 900 + 11 + 21),
            // What is set again replaces what was set before.
            ([try Self.update("a/x"), try Self.update("a/x", "m"), try Self.update("a/x")], 3_650), ([now, now], 2_748),
            // No document grows beyond its limit.
            ([try Self.update("a/large"), try Self.update("a/large")], 3 * large + 10),
        ] {
            #expect(WriteBytes(writes) { stored[$0.description] ?? 0 }.count == count, "\(writes)")
        }
    }

    @Test func `writes of too many bytes are refused before a document is read`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            for path in ["open/a", "owned/a"] { _ = try await world.commit(World.set(path, [("n", .integer(0))])) }
            // A body that cannot be read.
            _ = try await world.store.change(world.app) { try $0.file.statement("UPDATE documents SET body = zeroblob(1000000)").run() }
            let charges = Charges()
            let updates = try (0..<500).map { _ in try Self.update("open/a") }
            let fault = await world.fault(of: Self.commit(updates, charges))
            #expect(fault == .tooManyBytes && charges.all.isEmpty)
            // Whether one may learn that depends on the document here, so it is read.
            let owned = try (0..<500).map { _ in try Self.update("owned/a") }
            let error = await #expect(throws: (any Error).self) { try await world.store.commit(Self.commit(owned, charges), app: world.app) }
            #expect(!(error is CommitFault) && !(error is DeniedByRules))
        }
    }

    @Test func `one who may read documents of too many bytes learns that, and one who may not read the first does not`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            let paths = (10..<80).map { "owned/\($0)" }
            for path in paths { _ = try await world.commit(World.set(path, [("n", .integer(0))])) }
            // {"owner":"ann","text":"00…"} of 1 MB.
            let body = #"CAST('{"owner":"ann","text":"' || hex(zeroblob(500000)) || '"}' AS BLOB)"#
            _ = try await world.store.change(world.app) { try $0.file.statement("UPDATE documents SET body = \(body)").run() }
            let updates = try paths.map { try Self.update($0) }
            let fault = await world.fault(of: Self.commit(updates))
            #expect(fault == .tooManyBytes)
            var other = Self.commit(updates)
            other.principal = RulePrincipal(uid: "bob")
            var isDenied = false
            do { _ = try await world.store.commit(other, app: world.app) } catch is DeniedByRules { isDenied = true }
            #expect(isDenied)
        }
    }

    @Test func `a commit of a user is charged once rules allow it, and not made if that fails`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            _ = try await world.commit(World.set("open/a", [("n", .integer(0))]), World.set("owned/a", [("owner", .text("bob"))]))
            let charges = Charges(atMost: 30)
            // {"n":0} is read, and up to 10 more bytes are made.
            let one = Self.commit([try Self.update("open/a")], charges)
            _ = try await world.store.commit(one, app: world.app)
            #expect(charges.all == [7 + 17])
            let denied = Self.commit([try Self.update("owned/a")], charges)
            await #expect(throws: DeniedByRules.self) { try await world.store.commit(denied, app: world.app) }
            let two = Self.commit(try [Self.update("open/a", to: 2), Self.update("open/a", to: 3)], charges)
            await #expect(throws: Refusal.self) { try await world.store.commit(two, app: world.app) }
            #expect(charges.all == [7 + 17])
            let left = try await world.document("open/a")
            #expect(left?.fields["n"] == .integer(1))
        }
    }

    @Test func `each write of a batch is charged alone`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            _ = try await world.commit(World.set("open/b", [("text", .text("1234567890"))]))
            let charges = Charges(atMost: 30)
            let results = try await world.store.write(
                each: [Self.update("open/a"), Self.update("open/b"), Self.update("open/c")], app: world.app, as: RulePrincipal(uid: "ann")
            ) { try charges.take($0) }
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
            #expect(charges.all == [10, 10])
            let left = try await world.document("open/b")
            #expect(left?.fields.count == 1)
        }
    }

    @Test func `preconditions of a user are those of the document as the writes before leave it`() async throws {
        try await World.run { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            let path = try World.path("open/a")
            let stored = try await world.commit(World.set("open/a", [("n", .integer(1))])).stamp
            let absent = await world.fault(of: Self.commit([try Self.update("open/a", if: .exists(false))]))
            #expect(absent == .write(0, path, .exists))
            let changed = try [Self.update("open/a", to: 2), Self.update("open/a", if: .changed(stored), to: 3)]
            let late = await world.fault(of: Self.commit(changed))
            #expect(late == .write(1, path, .changed))
            // A write that changes nothing leaves the version.
            let unchanged = try [Self.update("open/a", to: 1), Self.update("open/a", if: .changed(stored), to: 1)]
            let same = try await world.store.commit(Self.commit(unchanged), app: world.app)
            #expect(same.writes.map(\.version) == [stored, stored])
            let then = try [Self.update("open/a", to: 1), Self.update("open/a", if: .changed(stored), to: 4)]
            let made = try await world.store.commit(Self.commit(then), app: world.app)
            #expect(made.writes.map(\.version) == [stored, made.stamp])
            let again = try [
                DocumentWrite(path, .delete, if: .exists(true)), World.set("open/a", [("n", .integer(4))], if: .exists(false)),
            ]
            let replaced = try await world.store.commit(Self.commit(again), app: world.app)
            #expect(replaced.writes.map(\.version) == [nil, replaced.stamp])
            let left = try await world.document("open/a")
            #expect(left?.created == replaced.stamp)
        }
    }
}
