// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Slow, hostile and unreachable targets, and the bounds of calls.
@Suite struct CallLimitTests {
    @Test func `calls beyond concurrency wait, those beyond waiting are refused, and other functions are unharmed`() async throws {
        try await CallWorld.use({ $0.path == "/slow" ? .silent : CallWorld.answer(200, #"{"result":1}"#) }) { world in
            try await world.define("slow", #""auth": "none", "concurrency": 1, "waiting": 1"#)
            try await world.define("quick")
            let first = try await world.send("slow")
            #expect(try await world.reaches(underWay: 1))
            let second = try await world.send("slow")
            #expect(try await world.reaches(underWay: 1, waiting: 1))
            let third = try await world.call("slow")
            #expect(try CallFault(third) == CallFault(429, "RESOURCE_EXHAUSTED"))
            #expect(third.headers["retry-after"] == "1")
            #expect(try await world.call("quick").status == 200)
            // The place of a client that leaves goes to the one that waits.
            await first.close()
            #expect(try await world.reaches(underWay: 1, waiting: 0))
            #expect(try await eventually { world.target.hooks(to: "/slow").count == 2 })
            await second.close()
            #expect(try await world.reaches(underWay: 0))
        }
    }

    @Test func `a client that leaves while it waits gives its place up`() async throws {
        try await CallWorld.use({ _ in .silent }) { world in
            try await world.define("slow", #""auth": "none", "concurrency": 1, "waiting": 1"#)
            let first = try await world.send("slow")
            #expect(try await eventually { world.target.hooks.count == 1 })
            #expect(try await world.reaches(underWay: 1))
            let second = try await world.send("slow")
            #expect(try await world.reaches(underWay: 1, waiting: 1))
            await second.close()
            #expect(try await world.reaches(underWay: 1, waiting: 0))
            await first.close()
            #expect(try await world.reaches(underWay: 0))
            #expect(world.target.hooks.count == 1)
        }
    }

    @Test func `a call ends at its time limit, whether it waits or is under way`() async throws {
        try await CallWorld.use({ _ in .silent }) { world in
            try await world.define("slow", #""auth": "none", "concurrency": 1, "timeout": 1"#)
            async let first = world.call("slow")
            async let second = world.call("slow")
            for reply in try await [first, second] { #expect(try CallFault(reply) == CallFault(504, "DEADLINE_EXCEEDED")) }
            #expect(try await world.reaches(underWay: 0))
        }
    }

    @Test func `a target that cannot be reached is not asked for a while`() async throws {
        try await CallWorld.use({ $0.path == "/broken" ? .resets : CallWorld.answer(200, "") }) { world in
            try await world.define("broken")
            try await world.define("quick")
            for _ in 0..<5 { #expect(try await CallFault(world.call("broken")) == CallFault(503, "UNAVAILABLE")) }
            let asked = world.target.hooks(to: "/broken").count
            let refused = try await world.call("broken")
            #expect(try CallFault(refused) == CallFault(503, "UNAVAILABLE"))
            #expect(refused.headers["retry-after"] != nil && world.target.hooks(to: "/broken").count == asked)
            #expect(try await world.call("quick").status == 200)
            // After the pause one call probes the target.
            world.accounts.clock.advance(by: .seconds(11))
            _ = try await world.call("broken")
            #expect(world.target.hooks(to: "/broken").count > asked)
        }
    }

    /// A name is called by libcurl, which would send the call again.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a call is sent once, also if its kept connection ends before an answer`(host: String) async throws {
        try await CallWorld.use({ $0.number == 2 ? .resets : CallWorld.answer(200, #"{"result":7}"#) }) { world in
            let url = world.target.url("/f").replacing("127.0.0.1", with: host)
            try await CallWorld.define("f", #"{"url": "\#(url)", "auth": "none"}"#, world.live.api, world.keys)
            // One connection of a client is served by one loop, which keeps those to the target.
            let fields = ["Content-Type": "application/json"]
            let call = TestClient.bytes("POST", "/v1/call/\(world.keys.app)/f", headers: fields, body: Array(#"{"data": 1}"#.utf8))
            let client = try world.live.api.connect()
            #expect(try await client.exchange(call).text == #"{"result":7}"#)
            #expect(try await CallFault(client.exchange(call)) == CallFault(503, "UNAVAILABLE"))
            #expect(world.target.hooks.count == 2)
            #expect(try await client.exchange(call).text == #"{"result":7}"#)
            #expect(world.target.hooks.count == 3)
        }
    }

    @Test func `names are resolved before their addresses are called`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result":7}"#) }) { world in
            let url = world.target.url("/f").replacing("127.0.0.1", with: "localhost")
            try await CallWorld.define("f", #"{"url": "\#(url)", "auth": "none"}"#, world.live.api, world.keys)
            #expect(try await world.call().text == #"{"result":7}"#)
        }
    }

    @Test(arguments: [CallFault(500, "INTERNAL"), CallFault(503, "UNAVAILABLE"), CallFault(504, "DEADLINE_EXCEEDED")])
    func `errors that a function states do not keep others from it`(fault: CallFault) async throws {
        let body = #"{"error":{"status":"\#(fault.word)","message":"m"}}"#
        try await CallWorld.use({ _ in CallWorld.answer(fault.http, body) }) { world in
            try await world.define()
            for _ in 0..<12 { #expect(try await CallFault(world.call()) == fault) }
            #expect(world.target.hooks.count == 12)
        }
    }

    @Test func `a target that is out of order is not asked for a while`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(503, "no healthy upstream", type: "text/plain") }) { world in
            try await world.define()
            for _ in 0..<12 { #expect(try await CallFault(world.call()) == CallFault(503, "UNAVAILABLE")) }
            #expect(world.target.hooks.count == 10)
        }
    }

    @Test func `a result beyond the limit is cut`() async throws {
        let large = #"{"result":""# + String(repeating: "x", count: CallBody.maximumBytes - 13) + #""}"#
        try await CallWorld.use({ CallWorld.answer(200, $0.path == "/fits" ? large : large + " ") }) { world in
            try await world.define("fits")
            try await world.define("bomb")
            let fits = try await world.call("fits")
            #expect(fits.status == 200 && fits.body.count == large.utf8.count)
            let reply = try await world.call("bomb")
            #expect(try CallFault(reply) == CallFault(500, "INTERNAL"))
            #expect(reply.text.contains("10 MiB"))
        }
    }

    @Test func `a body beyond the limit is refused`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, "") }) { world in
            try await world.define()
            let body = #"{"data": ""# + String(repeating: "x", count: CallBody.maximumBytes) + #""}"#
            #expect(try await CallFault(world.call("f", body)) == CallFault(400, "INVALID_ARGUMENT"))
            #expect(world.target.hooks.isEmpty)
        }
    }

    @Test func `addresses that the operator does not allow are not connected to`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, "") }) { world in
            try await world.define()
            var changed = world.live.daemon.configuration.now
            changed.functions.addresses = []
            world.live.daemon.configuration.replace(changed)
            #expect(try await CallFault(world.call()) == CallFault(503, "UNAVAILABLE"))
            #expect(world.target.hooks.isEmpty)
        }
    }

    @Test func `the key of a call may what the function may, while it is under way`() async throws {
        try await CallWorld.use({ _ in .silent }) { world in
            try await world.define("f", #""auth": "none", "may": ["send"]"#)
            let connection = try await world.send()
            #expect(try await eventually { !world.target.hooks.isEmpty })
            let token = try #require(world.target.hooks.first?.headers["signalbox-token"])
            let api = world.live.api
            let message = #"{"topic": "news", "data": {"a": "b"}}"#
            let sent = try await api.post("/v1/messages", key: token, message)
            #expect(sent.status / 100 == 2, "\(sent.text)")
            #expect(try await api.get("/v1/issues", key: token).status == 403)
            #expect(try await api.request("GET", "/v1/documents/a/b", key: token).status == 403)
            #expect(try await api.request("PATCH", "/v1/app", key: token, body: Array("{}".utf8)).status == 403)
            await connection.close()
            #expect(try await world.reaches(underWay: 0))
            #expect(try await eventually { try await api.post("/v1/messages", key: token, message).status == 401 })
        }
    }

    @Test func `the key of a call may less as soon as its function may`() async throws {
        try await CallWorld.use({ _ in .silent }) { world in
            try await world.define("f", #""auth": "none", "may": ["send", "data"]"#)
            let connection = try await world.send()
            #expect(try await eventually { !world.target.hooks.isEmpty })
            let token = try #require(world.target.hooks.first?.headers["signalbox-token"])
            let api = world.live.api
            @Sendable func statuses() async throws -> [Int] {
                let sent = try await api.post("/v1/messages", key: token, #"{"topic": "news", "data": {"a": "b"}}"#)
                return [sent.status / 100, try await api.get("/v1/documents/a/b", key: token).status]
            }
            #expect(try await statuses() == [2, 404])
            try await world.define("f", #""auth": "none", "may": ["data"]"#)
            #expect(try await statuses() == [4, 404])
            try await world.define("f", #""auth": "none", "may": ["send", "data"]"#)
            #expect(try await api.request("DELETE", "/v1/functions/f", key: world.keys.admin).status == 204)
            #expect(try await statuses() == [4, 401])
            // A new function of the same name is another one.
            try await world.define("f", #""auth": "none", "may": ["data"]"#)
            #expect(try await statuses() == [4, 401])
            await connection.close()
            #expect(try await world.reaches(underWay: 0))
        }
    }

    @Test(arguments: [("7", 200), ("8", 429), ("-1", 400), ("99999999999999999999", 400), ("x", 400)])
    func `a chain of functions ends`(depth: String, status: Int) async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, "") }) { world in
            try await world.define()
            #expect(try await world.call(headers: ["Signalbox-Depth": depth]).status == status)
        }
    }
}
