// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Assignees, and changes of several issues.
@Suite struct IssueBulkTests {
    private static func issues(_ world: CrashingWorld, _ names: String...) async throws -> [String] {
        var ids: [String] = []
        for name in names { ids.append(try await world.take(SentCrash(in: "\(name).f()").with("type", "\(name)Error"))) }
        return ids
    }

    private static func change(_ world: CrashingWorld, _ body: String, as key: String? = nil) async throws -> Reply {
        try await world.api.request(
            "PATCH", "/v1/issues", key: key ?? world.ours.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func results(_ reply: Reply) throws -> [String] { try JSON(reply)["results"].items.map(\.["result"].text) }

    @Test func `an issue is assigned, found by its assignee and taken from them`() async throws {
        try await CrashingWorld.use { world in
            let ids = try await Self.issues(world, "A", "B")
            #expect(try await !world.issue(ids[0])["assignee"].exists)
            #expect(try await world.change(ids[0], #"{"assignee": "Ann é <ann@example.com>"}"#)["assignee"].text == "Ann é <ann@example.com>")
            #expect(try await world.change(ids[0], #"{"state": "closed"}"#)["assignee"].exists)
            let both = try await world.change(ids[1], #"{"state": "muted", "assignee": "bob"}"#)
            #expect(both["state"].text == "muted" && both["assignee"].text == "bob")
            #expect(try await world.issues("?assignee=bob").map(\.["id"].text) == [ids[1]])
            for nobody in ["BOB", "bo", "ann"] { #expect(try await world.issues("?assignee=\(nobody)").isEmpty) }
            #expect(try await world.issues("?assignee=bob", as: world.theirs.read).isEmpty)
            #expect(try await !world.change(ids[1], #"{"assignee": null}"#)["assignee"].exists)
            #expect(try await world.issues("?assignee=").map(\.["id"].text) == [ids[1]])
            _ = try await world.post("/v1/issues/\(ids[1])/merge", #"{"issues": ["\#(ids[0])"]}"#)
            #expect(try await world.issue(ids[1])["assignee"].text.hasPrefix("Ann"))
        }
    }

    private static let wrongChanges: [String] = [
        "{}", #"{"assignee": ""}"#, #"{"assignee": 7}"#, #"{"assignee": "a\u0000"}"#, #"{"assignee": ["a"]}"#, #"{"assignee": "a", "release": "1"}"#,
        #"{"assignee": "\#(String(repeating: "x", count: 201))"}"#, #"{"assignee": "a", "ids": ["x"]}"#, #"{"state": null, "assignee": "a"}"#,
    ]

    @Test func `a change that is not understood changes nothing`() async throws {
        try await CrashingWorld.use { world in
            let id = try await Self.issues(world, "A")[0]
            for body in Self.wrongChanges {
                let reply = try await world.api.request(
                    "PATCH", "/v1/issues/\(id)", key: world.ours.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
                #expect(reply.status == 422, "\(body)")
                #expect(try await !world.issue(id)["assignee"].exists, "\(body)")
                #expect(try await world.issue(id)["state"].text == "open", "\(body)")
            }
        }
    }

    @Test func `several issues are changed at once, those of other apps are not found`() async throws {
        try await CrashingWorld.use { world in
            let ids = try await Self.issues(world, "A", "B", "C")
            _ = try await world.post("/v1/issues/\(ids[1])/merge", #"{"issues": ["\#(ids[2])"]}"#)
            let named = "[\"\(ids[0])\", \"none\", \"\(ids[2])\", \"\(ids[1])\"]"
            let reply = try await Self.change(world, "{\"ids\": \(named), \"state\": \"closed\", \"assignee\": \"ann\"}")
            #expect(try reply.status == 200 && Self.results(reply) == ["changed", "not_found", "changed", "changed"])
            #expect(try JSON(reply)["succeeded"].number == 3 && JSON(reply)["failed"].number == 1)
            #expect(try await world.issues("?assignee=ann&state=closed").count == 2)
            // An empty ID is no reason to change nothing.
            let empty = try await Self.change(world, "{\"ids\": [\"\", \"\(ids[0])\"], \"state\": \"closed\"}")
            #expect(try empty.status == 200 && Self.results(empty) == ["not_found", "changed"])
            // Named twice, it was closed once.
            #expect(try await world.issue(ids[1])["history"].items.count { $0["what"].text == "closed" } == 1)
            let theirs = try await Self.change(world, "{\"ids\": \(named), \"state\": \"open\"}", as: world.theirs.admin)
            #expect(try Self.results(theirs) == Array(repeating: "not_found", count: 4))
            #expect(try await world.issues("?state=closed").count == 2)
            #expect(try await Self.change(world, "{\"ids\": \(named), \"state\": \"open\"}", as: world.ours.read).status == 403)
            let many = Array(repeating: "\"x\"", count: 101).joined(separator: ",")
            for wrong in [#"{"state": "open"}"#, #"{"ids": [], "state": "open"}"#, #"{"ids": ["a"]}"#, "{\"ids\": [\(many)], \"state\": \"open\"}"] {
                #expect(try await Self.change(world, wrong).status == 422)
            }
        }
    }

    @Test func `several issues are deleted`() async throws {
        try await CrashingWorld.use { world in
            let ids = try await Self.issues(world, "A", "B", "C")
            let path = "/v1/issues?id=\(ids[0])&id=none&id=\(ids[2])"
            #expect(try await Self.results(world.api.request("DELETE", path, key: world.theirs.admin)) == Array(repeating: "not_found", count: 3))
            for _ in 0..<2 {
                let reply = try await world.api.request("DELETE", path, key: world.ours.admin)
                #expect(reply.status == 200)
                let areLeft = try await world.issues().map(\.["id"].text)
                #expect(areLeft == [ids[1]])
            }
            for line in ["msg=\"issue deleted\"", "issue=\(ids[0])", "by=\"key "] { #expect(world.live.log.text.contains(line), "\(line)") }
            #expect(world.live.log.text.split(separator: "\n").count { $0.contains("issue deleted") } == 2)
            #expect(try await world.api.request("DELETE", "/v1/issues", key: world.ours.admin).status == 422)
            #expect(try await world.api.request("DELETE", path, key: world.ours.read).status == 403)
        }
    }
}
