// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct FirebaseMessagingTests {
    private func send(_ world: MessagingWorld, _ message: String, to project: String? = nil, _ more: String = "") async throws -> Reply {
        try await world.post("/v1/projects/\(project ?? String(world.ours.app))/messages:send", #"{\#(more)"message": {\#(message)}}"#)
    }

    private func received(_ world: MessagingWorld, _ token: String, atLeast count: Int) async throws -> [JSON] {
        while true {
            let lines = try await world.api.get("/v1/stream?token=\(token)&poll=1&since=0", key: world.ours.send).text.split(separator: "\n")
            if lines.count >= count { return try lines.map { try JSON(Array($0.utf8))["data"] } }
        }
    }

    @Test func `a message has the common fields and the sections of each platform`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let overrides = #""android": {"priority": "HIGH", "notification": {"icon": "i"}}, "fcmOptions": {"analyticsLabel": "autumn"}"#
            let answer = try await send(world, #""token": "\#(token)", "notification": {"title": "T"}, "data": {"k": "v"}, \#(overrides)"#)
            #expect(answer.status == 200, "\(answer.text)")
            let name = try JSON(answer)["name"].text
            #expect(name.hasPrefix("projects/\(world.ours.app)/messages/msg_"))
            #expect(try await send(world, #""fid": "\#(token)""#, to: "OURS").status == 200)
            let got = try await received(world, token, atLeast: 2)
            #expect(got[0]["notification"]["title"].text == "T" && got[0]["data"]["k"].text == "v" && got[0]["label"].text == "autumn")
            #expect(got[0]["priority"].text == "high" && got[0]["platform"]["android"]["notification"]["icon"].text == "i")
            #expect(!got[1]["platform"].exists && !got[1]["notification"].exists)
            let id = name.split(separator: "/").last ?? ""
            #expect(try await world.get("/v1/messages/\(id)")["platform"]["fcm_options"]["analyticsLabel"].text == "autumn")
        }
    }

    @Test func `our own messages may have platform sections`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let body = #"{"token": "\#(token)", "data": {"a": "b"}, "platform": { "ios" : {"badge": 1} }}"#
            #expect(try await world.post("/v1/messages", body).status == 200)
            #expect(try await received(world, token, atLeast: 1)[0]["platform"]["ios"]["badge"].number == 1)
            for bad in ["5", #"{"a": "\#(String(repeating: "x", count: 12_290))"}"#] {
                #expect(try await world.post("/v1/messages", #"{"topic": "t", "data": {"a": "b"}, "platform": \#(bad)}"#).status == 422)
            }
        }
    }

    @Test func `a validated message is not stored`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let answer = try await send(world, #""token": "\#(token)""#, "\"validate_only\": true, ")
            #expect(try JSON(answer)["name"].text == "projects/\(world.ours.app)/messages/fake_message_id")
            #expect(try await send(world, #""token": "nobody-there""#, "\"validateOnly\": true, ").status == 404)
            #expect(try await world.get("/v1/messages")["items"].items.isEmpty)
        }
    }

    @Test func `every error has Google's format and FCM's code`() async throws {
        try await MessagingWorld.use { world in
            let theirs = try await MessagingWorld.stream(world.api, world.theirs)
            let cases: [(Reply, Int, String, String)] = [
                (try await send(world, #""token": "nobody-there""#), 404, "NOT_FOUND", "UNREGISTERED"),
                (try await send(world, #""fid": "nobody-there""#), 404, "NOT_FOUND", "UNREGISTERED_FID"),
                // The response does not reveal that another app has the token.
                (try await send(world, #""token": "\#(theirs)""#), 404, "NOT_FOUND", "UNREGISTERED"),
                (try await send(world, #""topic": "a b""#), 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
                (try await send(world, #""topic": "a""#, to: "theirs"), 403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
                (try await send(world, #""topic": "a", "data": {"a": "\#(String(repeating: "x", count: 4_096))"}"#), 400, "INVALID_ARGUMENT", ""),
                (try await world.post("/v1/projects/ours/messages:send", "{"), 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
                (try await world.post("/v1/projects/ours/messages:send", as: "nonsense", "{}"), 401, "UNAUTHENTICATED", ""),
                (try await world.post("/v1/projects/ours/messages:send", as: world.ours.read, "{}"), 403, "PERMISSION_DENIED", ""),
            ]
            for (reply, status, word, code) in cases {
                let error = try JSON(reply)["error"]
                #expect(reply.status == status && error["code"].number == status && error["status"].text == word, "\(reply.text)")
                #expect(error["details"][0]["errorCode"].text == code && !error["message"].text.isEmpty, "\(reply.text)")
            }
            let violation = try JSON(cases[3].0)["error"]["details"][1]["fieldViolations"][0]
            #expect(violation["field"].text == "message.topic")
        }
    }

    @Test func `overload is 429 with Retry-After, and only shutdown and storage errors are 503`() {
        for code in Refusal.Code.allCases {
            let answer = MessagingError.response(Refusal(code, "No."))
            let isFull = [.rateLimited, .limitReached, .tooManyAttempts, .overloaded, .storageFull].contains(code)
            #expect((answer.status == 429) == isFull, "\(code)")
            #expect((answer.status == 503) == [.draining, .storageFailed].contains(code), "\(code)")
            #expect(answer.headers.contains { $0.name == "Retry-After" } == [429, 503].contains(answer.status), "\(code)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("QUOTA_EXCEEDED") == isFull)
        }
    }

    @Test func `500 concurrent connections are served`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let body = Array(#"{"message": {"token": "\#(token)"}}"#.utf8)
            let request = TestClient.bytes("POST", "/v1/projects/ours/messages:send", key: world.ours.send, body: body)
            var connections: [HTTPConnection] = []
            for _ in 0..<500 {
                connections.append(try world.api.connect())
                try await connections.last?.send(request)
            }
            for connection in connections { #expect(try await connection.reply().status == 200) }
            #expect(try await world.get("/v1/messages?limit=1000")["items"].items.count == 500)
        }
    }

    // MARK: Topics

    @Test func `topic subscriptions of a registration are resources`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let base = "/v1/projects/ours/registrations/\(token)/topicSubscriptions"
            for topic in ["news", "sport", "a%25b"] { #expect(try await world.post("\(base)?topic_name=\(topic)", "{}").status == 200) }
            let again = try await world.post("\(base)?topicName=news", "")
            #expect(try again.status == 409 && JSON(again)["error"]["status"].text == "ALREADY_EXISTS")
            let page = try await world.get("\(base)?pageSize=2")
            #expect(page["topic_subscriptions"].items.map(\.["topic_name"].text) == ["a%b", "news"])
            let rest = try await world.get("\(base)?page_token=\(page["next_page_token"].text)")
            #expect(rest["topic_subscriptions"].items.map(\.["topic_name"].text) == ["sport"] && !rest["next_page_token"].exists)
            let one = try await world.get("\(base)/news")
            #expect(one["name"].text == "projects/ours/registrations/\(token)/topicSubscriptions/news" && one["create_time"].exists)
            #expect(try await world.delete("\(base)/news").status == 200)
            #expect(try await world.delete("\(base)/news").status == 404)
            #expect(try await world.delete("\(base)/news?allow_missing=true").status == 200)
            #expect(try await world.api.get("\(base)/news", key: world.ours.send).status == 404)
            #expect(try await world.post("/v1/projects/ours/registrations/nobody-there/topicSubscriptions?topic_name=a", "").status == 404)
            #expect(try await world.post("/v1/projects/theirs/registrations/\(token)/topicSubscriptions?topic_name=a", "").status == 403)
        }
    }

    @Test func `PATCH creates a subscription if allow_missing is set`() async throws {
        try await MessagingWorld.use { world in
            let path = "/v1/projects/ours/registrations/\(try await world.stream())/topicSubscriptions/news"
            func patch(_ query: String = "") async throws -> Reply {
                try await world.api.request("PATCH", path + query, key: world.ours.send, body: [])
            }
            #expect(try await patch().status == 404)
            #expect(try await patch("?allowMissing=false").status == 404)
            for query in ["?allow_missing=true", "?allowMissing=true", ""] {
                let answer = try await patch(query)
                #expect(try answer.status == 200 && JSON(answer)["topic_name"].text == "news")
            }
            #expect(try await world.get("/v1/topics/news")["subscribers"].number == 1)
        }
    }

    @Test func `an ingest key changes topics except reserved ones`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let base = "/v1/projects/ours/registrations/\(token)/topicSubscriptions"
            func change(_ topic: String) async throws -> Int {
                try await world.api.post("\(base)/\(topic)", headers: ["X-Goog-Api-Key": world.ours.ingest], "").status
            }
            #expect(try await change("news:subscribe") == 200)
            #expect(try await world.get("/v1/topics/news")["subscribers"].number == 1)
            #expect(try await change("news:unsubscribe") == 200)
            #expect(try await world.api.get("/v1/topics/news", key: world.ours.send).status == 404)
            #expect(try await change("$alerts.system:subscribe") == 403)
            #expect(try await change("news") == 400)
            #expect(try await change("news:forget") == 400)
        }
    }

    @Test func `an Instance ID batch returns a result per token in order`() async throws {
        try await MessagingWorld.use { world in
            let (first, second) = (try await world.stream(), try await world.stream())
            let body = #"{"to": "/topics/news", "registration_tokens": ["\#(first)", "nobody-there", "x", "\#(second)"]}"#
            for word in ["batchAdd", "batchRemove"] {
                let answer = try await world.post("/iid/v1:\(word)", body)
                #expect(answer.text == #"{"results":[{},{"error":"NOT_FOUND"},{"error":"INVALID_ARGUMENT"},{}]}"#)
            }
            #expect(try await world.post("/iid/v1/\(first)/rel/topics/chess", "").status == 200)
            let info = try await world.get("/iid/info/\(first)?details=true")
            #expect(info["platform"].text == "LINUX" && info["application"].text == "ours" && info["rel"]["topics"].names == ["chess"])
            #expect(try await !world.get("/iid/info/\(first)")["rel"].exists)
            let refused = try await world.post("/iid/v1:batchAdd", "{}")
            #expect(refused.status == 400 && refused.text == #"{"error":"INVALID_ARGUMENT"}"#)
            #expect(try await world.api.get("/iid/info/nobody-there", key: world.ours.send).text == #"{"error":"NOT_FOUND"}"#)
        }
    }
}
