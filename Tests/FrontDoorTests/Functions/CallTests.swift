// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import Functions
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Calls of functions: the protocol between clients, the daemon and targets.
@Suite struct CallTests {
    @Test func `data and result pass untouched, and the request is signed`() async throws {
        let number = #"{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"9007199254740993"}"#
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result": [1.50, \#(number)]}"#) }) { world in
            let secret = try SigningKey(secret: await world.define("add", #""auth": "user""#))
            let user = try await world.accounts.user()
            let reply = try await world.call("add", #"{"data": {"n": \#(number),  "x": 1e3}}"#, as: user.token)
            #expect(reply.status == 200)
            #expect(reply.text == #"{"result":[1.50, \#(number)]}"#)
            let hook = try #require(world.target.hooks.first)
            let text = String(decoding: hook.body, as: UTF8.self)
            #expect(text.contains(#""data":{"n": \#(number),  "x": 1e3}"#))
            let body = try JSON(hook.body)
            #expect(body["type"].text == "call" && body["id"].text == hook.id && hook.id.hasPrefix("call_"))
            let context = body["context"]
            #expect(context["app"].text == "shop" && context["function"].text == "add")
            #expect(context["attempt"].number == 1 && context["depth"].number == 1 && hook.headers["signalbox-depth"] == "1")
            #expect(context["auth"]["uid"].text == user.id && context["auth"]["claims"]["sub"].text == user.id)
            let signed = Array("\(hook.id).\(hook.headers["webhook-timestamp"] ?? "").".utf8) + hook.body
            let signature = "v1,\(Base64.encode(HMACSHA256.authenticate(signed, key: secret.bytes)))"
            #expect(hook.headers["webhook-signature"] == signature)
            #expect(hook.headers["authorization"] == nil && hook.headers["signalbox-token"] == nil)
        }
    }

    @Test func `the format firebase has the data and the caller's own ID token`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result":null}"#) }) { world in
            try await world.define("f", #""auth": "any", "format": "firebase""#)
            let user = try await world.accounts.user()
            let field = ["Firebase-Instance-ID-Token": "device-1"]
            #expect(try await world.call(as: user.token, headers: field).text == #"{"result":null}"#)
            #expect(try await world.call(as: world.keys.ingest).status == 200)
            let hooks = world.target.hooks
            #expect(hooks.map { String(decoding: $0.body, as: UTF8.self) } == Array(repeating: #"{"data":null}"#, count: 2))
            // A key is the daemon's own, and no function learns it.
            #expect(hooks.map { $0.headers["authorization"] } == ["Bearer \(user.token)", nil])
            #expect(hooks[0].headers["firebase-instance-id-token"] == "device-1")
            #expect(hooks.allSatisfy { $0.headers["webhook-signature"]?.hasPrefix("v1,") == true })
        }
    }

    private static let answers: [String: (Int, String)] = [
        "error": (404, #"{"error":{"status":"NOT_FOUND","message":"no order","details":{"id":[1]}}}"#),
        "plain": (503, "busy"), "conflict": (409, "{}"), "odd": (500, #"{"error":{"status":"WEIRD","message":"m"}}"#),
        "ok": (500, #"{"error":{"status":"OK"}}"#), "redirect": (302, ""), "empty": (200, ""), "text": (200, "done"), "data": (200, #"{"data":7}"#),
        "failed": (200, #"{"error":{"status":"ABORTED","message":"late"}}"#),
        "deep": (200, deep), "wide": (200, wide),
    ]
    /// Results beyond the limits of levels and values.
    private static let deep = "{\"result\":\(String(repeating: "[", count: 200))\(String(repeating: "]", count: 200))}"
    private static let wide = "{\"result\":[0\(String(repeating: ",0", count: 1_000_000))]}"

    @Test func `answers of targets become results and typed errors`() async throws {
        try await CallWorld.use({ hook in
            let (status, body) = Self.answers[String(hook.path.dropFirst())] ?? (500, "")
            return .status(status, "Content-Type: application/json", "Location: /elsewhere", body: body)
        }) { world in
            for name in Self.answers.keys { try await world.define(name) }
            let error = try await world.call("error")
            #expect(error.status == 404)
            #expect(error.text == #"{"error":{"status":"NOT_FOUND","message":"no order","details":{"id":[1]}}}"#)
            let faults = [
                "plain": CallFault(503, "UNAVAILABLE"), "conflict": CallFault(409, "ABORTED"), "odd": CallFault(500, "INTERNAL"),
                "ok": CallFault(500, "INTERNAL"), "redirect": CallFault(500, "UNKNOWN"), "failed": CallFault(409, "ABORTED"),
                "deep": CallFault(500, "INTERNAL"), "wide": CallFault(500, "INTERNAL"),
            ]
            for (name, fault) in faults { #expect(try await CallFault(world.call(name)) == fault, "\(name)") }
            for (name, result) in ["empty": "null", "text": "null", "data": "7"] {
                #expect(try await world.call(name).text == #"{"result":\#(result)}"#, "\(name)")
            }
            #expect(world.target.hooks(to: "/elsewhere").isEmpty)
        }
    }

    @Test func `each mode of auth admits its callers, and a bad token is 401 always`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result":1}"#) }) { world in
            for auth in ["none", "any", "user"] { try await world.define(auth, #""auth": "\#(auth)""#) }
            let user = try await world.accounts.user()
            let other = try await world.live.api.makeApp("other")
            let expected: [(String, String?, [Int])] = [
                ("nobody", nil, [200, 401, 401]), ("an ingest key", world.keys.ingest, [200, 200, 401]),
                ("an admin key", world.keys.admin, [200, 200, 401]), ("a send key", world.keys.send, [200, 403, 401]),
                ("a read key", world.keys.read, [200, 403, 401]), ("an ID token", user.token, [200, 200, 200]),
                ("a forged token", user.token.dropLast(4) + "AAAA", [401, 401, 401]), ("an unknown key", "sb_ingest_nothing", [401, 401, 401]),
                ("another app's key", other.ingest, [401, 401, 401]),
            ]
            for (who, bearer, statuses) in expected {
                for (auth, status) in zip(["none", "any", "user"], statuses) {
                    let reply = try await world.call(auth, as: bearer)
                    #expect(reply.status == status, "\(who), \(auth): \(reply.text)")
                    if status == 401 { #expect(try CallFault(reply) == CallFault(401, "UNAUTHENTICATED")) }
                }
            }
            // The keys that any does not take are in the audit log.
            let audit = try await world.live.api.get("/v1/audit?action=role.denied", key: world.keys.admin)
            let denied = try JSON(audit)["items"].items
            #expect(Set(denied.map { $0["role"].text }) == ["send", "read"] && denied.allSatisfy { $0["count"].number == 1 }, "\(audit.text)")
            let foreign = try await world.live.api.post("/v1/call/\(other.app)/none", key: user.token, #"{"data": 1}"#)
            #expect(foreign.status == 404)
            // Strangers do not learn which functions there are.
            #expect(try await world.call("missing").text == world.call("user").text)
            #expect(try await CallFault(world.call("missing")) == CallFault(401, "UNAUTHENTICATED"))
            #expect(try await CallFault(world.call("missing", as: world.keys.ingest)) == CallFault(404, "NOT_FOUND"))
            let byOperator = try await world.live.api.asOperator("POST", "/v1/call/\(world.keys.app)/user", #"{"data": 1}"#)
            #expect(byOperator.status == 200)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "1", #"{"data": 1, "x": 2}"#, #"{"x": 1}"#, #"{"data": }"#, #"{"data": 1} 2"#, #"{"data": "\#u{1}"}"#,
        #"{"data": 1, "data": 2}"#,
    ])
    func `a body is an object with data alone`(body: String) async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, "") }) { world in
            try await world.define()
            #expect(try await CallFault(world.call("f", body)) == CallFault(400, "INVALID_ARGUMENT"))
            #expect(try await CallFault(world.call(headers: ["Content-Type": "text/plain"])) == CallFault(400, "INVALID_ARGUMENT"))
            #expect(world.target.hooks.isEmpty)
        }
    }

    @Test func `the path of Firebase's emulator calls, in the emulator without a key`() async throws {
        let target = try WebhookSink { _ in CallWorld.answer(200, #"{"result":1}"#) }
        for (isEmulator, status) in [(true, 200), (false, 401)] {
            try await AccountWorld.use(configure: {
                $0.mode = .development
                $0.accounts.emulator = isEmulator
                $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init)
            }) { world in
                for (name, auth) in [("f", "none"), ("g", "user")] {
                    try await CallWorld.define(name, #"{"url": "\#(target.url("/f"))", "auth": "\#(auth)"}"#, world.live.api, world.keys)
                }
                let path = "/\(world.keys.app)/us-central1"
                #expect(try await world.live.api.post("\(path)/f", #"{"data": 1}"#).status == status)
                #expect(try await world.live.api.post("\(path)/f", key: world.keys.ingest, #"{"data": 1}"#).status == 200)
                let denied = try await world.live.api.post("\(path)/g", key: world.keys.ingest, #"{"data": 1}"#)
                #expect(try CallFault(denied) == CallFault(401, "UNAUTHENTICATED"))
            }
        }
        #expect(target.hooks.count == 3)
    }

    @Test func `failed calls are lines of the log, at most ten at once and the number of the rest`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(500, #"{"error":{"status":"INTERNAL","message":"line\nbreak"}}"#) }) { world in
            try await world.define()
            await withTaskGroup { group in
                for _ in 0..<40 { group.addTask { _ = try? await world.call() } }
            }
            @Sendable func lines() async throws -> [String] {
                let log = try await world.live.api.get("/v1/functions/f/logs?limit=1000", key: world.keys.read)
                return try JSON(log)["items"].items.map(\.["line"].text)
            }
            @Sendable func isCall(_ line: String) -> Bool { line.hasPrefix("call_") && line.contains(" failed: INTERNAL, line break (") }
            let isWhole = try await eventually {
                let lines = try await lines()
                let others = lines.compactMap { $0.hasSuffix(" more calls failed") ? Int($0.prefix { $0 != " " }) : nil }
                return lines.count(where: isCall) + others.reduce(0, +) == 40
            }
            let found = try await lines()
            #expect(isWhole && found.count < 40, "\(found)")
        }
    }

    @Test func `pages of other origins may call`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result":1}"#) }) { world in
            try await world.define()
            let asked = ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"]
            let preflight = try await world.live.api.request("OPTIONS", "/v1/call/\(world.keys.app)/f", headers: asked)
            #expect(preflight.status == 204 && preflight.headers["access-control-allow-methods"] == "POST")
            let fields = preflight.headers["access-control-allow-headers"]?.lowercased() ?? ""
            for field in ["authorization", "content-type", "firebase-instance-id-token", "x-firebase-appcheck"] { #expect(fields.contains(field)) }
            for name in ["f", "missing"] {
                let reply = try await world.call(name, headers: ["Origin": "https://shop.example"])
                #expect(reply.headers["access-control-allow-origin"] == "https://shop.example")
            }
        }
    }
}
