// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd rules set`, `history`, `explain`, `denials` and `shadow`, beside a running daemon and without one.
struct RuleAppCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private static let source = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{id} { allow read: if request.auth.uid == id && request.auth.token.admin; }
          }
        }

        """

    private func rules(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["rules"] + arguments + ["--app", "shop", "--data", data], in: folder)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
    }

    @Test(arguments: [true, false]) func `rules are set, listed and explained`(beside: Bool) async throws {
        let daemon: RunningDaemon? = beside ? try await .start(on: data) : nil
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        #expect(try await rules("history").output == "No rules.\n")
        try write(Self.source, to: "my.rules")
        let request = "{path: 'users/a', method: 'get', auth: {uid: 'a', token: {admin: true}}}"
        try write("[{name: 'ann reads', expectation: 'DENY', request: \(request)}]", to: "wrong.json5")
        try write("[{expectation: 'ALLOW', request: \(request)}]", to: "cases.json5")
        let refused = try await rules("set", "my.rules", "--cases", "wrong.json5")
        #expect(refused.code == 1 && refused.complaint.contains("1 of 1 test cases failed; the rules were not changed: ann reads: "), "\(refused)")
        let set = try await rules("set", "my.rules", "--cases", "cases.json5")
        #expect(set.code == 0 && set.output == "Set revision 1.\n", "\(set)")
        let history = try await rules("history")
        #expect(history.output.hasPrefix("REVISION") && history.output.contains(" operator "), "\(history)")
        #expect(try await rules("history", "--json").output.contains(#""by":{"role":"operator"}"#))
        #expect(try await rules("history", "--revision", "1").output == Self.source)
        #expect(try await rules("history", "--revision", "2").code == 1)
        let allowed = try await rules("explain", "get", "users/a", "--as", "a", "--token", #"{"admin": true}"#)
        #expect(allowed.code == 0 && allowed.output.hasSuffix("ALLOW by 4:25\n"), "\(allowed)")
        let denied = try await rules("explain", "query", #"{"from": "users"}"#)
        #expect(denied.code == 0 && denied.output.hasSuffix("DENY by 4:25\n"), "\(denied)")
        #expect(try await rules("explain", "write", #"{"delete": "users/a"}"#).output == "DENY: no statement is about it\n")
        #expect(try await rules("explain", "drop", "users/a").code == 2)
        let nobody = try await rules("explain", "get", "users/a", "--token", #"{"admin": true}"#)
        #expect(nobody.code == 2 && nobody.complaint.contains("--token needs a user."), "\(nobody)")
        for wrong in [["query", "{"], ["get", "users/a", "--as", "a", "--token", "admin"]] {
            let ended = try await Program.run(["rules", "explain"] + wrong + ["--app", "shop", "--data", data], in: folder)
            #expect(ended.code == 2 && ended.complaint.contains("is not JSON: it "), "\(ended)")
        }
        let denials = try await rules("denials")
        #expect(denials.code == 0 && denials.output.contains("4:25") && denials.output.hasSuffix("No denials.\n"), "\(denials)")
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test func `test cases with infinite numbers pass with a change as without one`() async throws {
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        let condition = "resource.data.n is float && resource.data.m is float && resource.data.n > 1"
        try write("service cloud.firestore { match /databases/{d}/documents/a/{b} { allow get: if \(condition); } }", to: "my.rules")
        let cases = [
            ("ALLOW", "{n: Infinity, m: NaN}"), ("ALLOW", "{n: {$double: Infinity}, m: {$double: -Infinity}}"), ("DENY", "{n: -Infinity, m: 1.5}"),
            ("ALLOW", "{n: {$double: 'Infinity'}, m: {$double: 'NaN'}}"), ("DENY", "{n: {$double: '-Infinity'}, m: {$double: 1}}"),
        ].map { "{expectation: '\($0)', request: {path: 'a/b', method: 'get'}, resource: {data: \($1)}}" }
        try write("[\(cases.joined(separator: ","))]", to: "cases.json5")
        let tested = try await Program.run(["rules", "test", "my.rules", "cases.json5"], in: folder)
        #expect(tested.code == 0 && tested.output == "5 passed, 0 failed\n", "\(tested)")
        let set = try await rules("set", "my.rules", "--cases", "cases.json5")
        #expect(set.code == 0 && set.output == "Set revision 1.\n", "\(set)")
    }

    @Test func `a candidate is begun, shown and stopped beside a running daemon only`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        try write(Self.source, to: "new.rules")
        #expect(try await rules("shadow").output == "No candidate.\n")
        let begun = try await rules("shadow", "new.rules", "--hours", "2")
        #expect(begun.code == 0 && begun.output.hasPrefix("The candidate decides beside the rules until "), "\(begun)")
        let shown = try await rules("shadow")
        #expect(shown.code == 0 && shown.output.hasPrefix("Until ") && shown.output.hasSuffix("No differences.\n"), "\(shown)")
        #expect(try await rules("shadow", "new.rules", "--stop").code == 2)
        let timed = try await rules("shadow", "--hours", "3")
        #expect(timed.code == 2 && timed.complaint.contains("--hours needs a FILE"), "\(timed)")
        #expect(try await rules("shadow", "--stop", "--json").output.contains("\"active\":true"))
        #expect(try await rules("shadow", "--json").output.contains("\"active\":false"))
        #expect(try await rules("shadow", "--stop").output == "No candidate.\n")
        #expect(try await rules("shadow", "new.rules").code == 0)
        let stopped = try await rules("shadow", "--stop")
        #expect(stopped.code == 0 && stopped.output.hasPrefix("Stopped: 0 compared, 0 skipped.\n"), "\(stopped)")
        #expect(await daemon.stop() == 0)
        let alone = try await rules("shadow")
        #expect(alone.code == 1 && alone.complaint.contains("No daemon runs"), "\(alone)")
    }
}
