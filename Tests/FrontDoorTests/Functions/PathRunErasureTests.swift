// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Platform
import TestSupport
import Testing

@testable import FunctionStore
@testable import ingestd

/// Runs about documents and files at paths of a person, which belong to somebody else.
@Suite struct PathRunErasureTests {
    private static let rules = "service firebase.storage { match /b/{b}/o { match /{f=**} { allow read, write: if request.auth != null; } } }"
    /// The author of a note comes first, so runs about it are the author's.
    private static let patterns = #"{"patterns": [{"collection": "notes", "group": true, "field": "author"}, {"path": "users/{uid}/**"}]}"#
    private static let triggers = #"""
        "triggers": [{"on": "file", "path": "{path=**}", "what": "finalized"},
                     {"on": "document", "path": "users/{person}/notes/{id}", "what": "written"}]
        """#
    private static let functions = ["done", "dead", "open"]
    /// Paths of Ann, and those of others.
    private static let hers = ["users/ann/notes/1", "users/ann/picture.jpg"]
    private static let ofOthers = ["public/picture.jpg", "users/anna/notes/1", "users/anna/picture.jpg"]

    /// A daemon with three functions: all runs of `done` succeed, those of `dead` die, and those of `open` stay under way.
    private static func use(_ body: @Sendable (FunctionWorld, AccountWorld.Session) async throws -> Void) async throws {
        try await FunctionWorld.use(
            retries: [],
            configure: { $0.store.functions.removedAtOnce = 1 },
            answer: { hook in
                switch hook.path {
                case "/open": .silent
                case "/dead": .status(500)
                default: .status(200)
                }
            }
        ) { world async throws in
            let accounts = AccountWorld(live: world.live, keys: world.keys, clock: ManualClock(AccountWorld.now))
            try await accounts.set(#"{"auth_methods": "password"}"#)
            try await send(world, "PUT", "/v1/files-rules", #"{"source": "\#(rules)"}"#)
            try await send(world, "PUT", "/v1/files:persons", #"{"paths": ["users/{uid}/"]}"#)
            try await send(world, "PUT", "/v1/documents:persons", patterns)
            for name in functions { try await world.put(name, triggers + #", "timeout": 600"#) }
            try await body(world, try await accounts.user("bob@example.org"))
        }
    }

    @discardableResult
    private static func send(_ world: FunctionWorld, _ method: String, _ target: String, _ body: String? = nil) async throws -> JSON {
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        let reply = try await world.api.request(method, target, key: world.keys.admin, headers: headers, body: body.map { Array($0.utf8) })
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)
    }

    /// Stores Bob's notes and files, and returns when each has its three runs.
    private static func fill(_ world: FunctionWorld, _ bob: AccountWorld.Session) async throws {
        for path in hers + ofOthers {
            if path.contains("/notes/") {
                try await send(world, "PUT", "/v1/documents/\(path)", #"{"fields": {"author": "\#(bob.id)"}}"#)
            } else {
                let reply = try await world.api.request("PUT", "/v1/files/\(world.keys.app)/\(path)", key: bob.token, body: [1])
                #expect(reply.status == 201, "\(reply.text)")
            }
        }
        try await settle(world, (hers + ofOthers).count)
        for name in functions { #expect(try await Set(world.runs(name, "limit=1000").map(\.["user"].text)) == [bob.id]) }
    }

    /// Returns when each function has so many runs in its state.
    private static func settle(_ world: FunctionWorld, _ count: Int) async throws {
        for (name, state) in [("done", "done"), ("dead", "dead"), ("open", "running")] {
            let isSettled = try await world.settled(name, count, in: state)
            #expect(isSettled, "\(name)")
        }
    }

    private static func subjects(_ world: FunctionWorld, _ name: String) async throws -> [String] {
        try await world.runs(name, "limit=1000").map(\.["subject"].text).sorted()
    }

    @Test(arguments: [("DELETE", "/v1/users/ann"), ("POST", "/v1/users/ann/anonymise")])
    func `a removal takes the runs of others at paths of the person, in any state`(method: String, target: String) async throws {
        try await Self.use { world, bob async throws in
            try await Self.fill(world, bob)
            let counted = try await Self.send(world, "DELETE", "/v1/users/ann?dry_run=true")
            #expect(counted["runs"].number == 3 * Self.hers.count)
            let removed = try await Self.send(world, method, target)
            #expect(removed["runs"].number == 3 * Self.hers.count)
            for name in Self.functions { #expect(try await Self.subjects(world, name) == Self.ofOthers, "\(name)") }
            #expect(try await Self.send(world, "DELETE", "/v1/users/ann")["runs"].number == 0)
            let export = try await Self.send(world, "GET", "/v1/users/\(bob.id)/export")
            #expect(export["runs"].items.count == 3 * Self.ofOthers.count)
        }
    }

    @Test func `an export has the runs of others at paths of the person behind the person's own`() async throws {
        try await Self.use { world, bob async throws in
            try await Self.fill(world, bob)
            // More than a page of runs of her own: files of a server in her folder.
            let own = (0..<8).map { "users/ann/own\($0)" }
            for path in own {
                let target = "/v1/files/\(world.keys.app)/\(path)"
                let reply = try await world.api.request("PUT", target, key: world.keys.admin, body: [1])
                #expect(reply.status == 201, "\(reply.text)")
            }
            // A run that failed may be followed by a pause, so it does not matter how far they are.
            for name in Self.functions {
                let areThere = try await eventually { try await Self.subjects(world, name).count == (Self.hers + Self.ofOthers + own).count }
                #expect(areThere, "\(name)")
            }
            let runs = try await Self.send(world, "GET", "/v1/users/ann/export")["runs"].items
            let users = runs.map(\.["user"].text)
            #expect(users == Array(repeating: "ann", count: 3 * own.count) + Array(repeating: bob.id, count: 3 * Self.hers.count))
            let subjects = runs.map(\.["subject"].text).sorted()
            #expect(subjects == (Self.hers + own).flatMap { [$0, $0, $0] }.sorted())
            #expect(runs.allSatisfy { $0["data"].text.contains($0["subject"].text) })
        }
    }

    @Test func `a person of whom there are runs of others alone can be exported and erased`() async throws {
        try await Self.use { world, bob async throws in
            try await Self.fill(world, bob)
            for path in Self.hers {
                let target = path.contains("/notes/") ? "/v1/documents/\(path)" : "/v1/files/\(world.keys.app)/\(path)"
                let reply = try await world.api.request("DELETE", target, key: world.keys.admin)
                #expect((200..<300).contains(reply.status), "\(reply.text)")
            }
            // The deletion of a note makes a run, too.
            try await Self.settle(world, (Self.hers + Self.ofOthers).count + 1)
            #expect(try await Self.send(world, "GET", "/v1/users/ann/export")["runs"].items.count == 3 * (Self.hers.count + 1))
            #expect(try await Self.send(world, "DELETE", "/v1/users/ann")["runs"].number == 3 * (Self.hers.count + 1))
            for name in Self.functions { #expect(try await Self.subjects(world, name) == Self.ofOthers, "\(name)") }
        }
    }
}
