// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Ingest keys in the query, for beacons and event sources, which set no header fields.
@Suite struct KeyInQueryTests {
    private static let beacon = ["Origin": "https://shop.example", "Content-Type": "text/plain;charset=UTF-8"]

    @Test func `a beacon stores events, users and crashes`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let bodies = [
                ("/v1/events", #"{"events": [{"name": "a"}]}"#), ("/v1/users", #"{"users": [{"user_id": "ann", "properties": {"tier": "gold"}}]}"#),
                ("/v1/crashes", #"{"crashes": [{"type": "E", "frames": [{"function": "f"}]}]}"#), ("/v1/debug/events", #"[{"name": "a"}]"#),
            ]
            for (path, body) in bodies {
                for type in ["text/plain;charset=UTF-8", "application/json", "application/x-www-form-urlencoded"] {
                    let headers = Self.beacon.merging(["Content-Type": type]) { $1 }
                    let answer = try await live.api.post("\(path)?key=\(keys.ingest)", headers: headers, body)
                    #expect(try answer.status == 200 && JSON(answer)["accepted"].number == 1, "\(path) \(type) \(answer.text)")
                    #expect(answer.headers["access-control-allow-origin"] == "https://shop.example")
                }
            }
            // Defaults of the envelope stand beside the key.
            let answer = try await live.api.post("/v1/events?installation_id=phone&key=\(keys.ingest)", headers: Self.beacon, #"[{"name": "b"}]"#)
            #expect(answer.status == 200)
            let phone = try await live.api.get("/v1/users/phone?by=installation", key: keys.read)
            #expect(phone.status == 200 && !phone.text.contains(keys.ingest))
        }
    }

    @Test func `an event source reads and resumes a stream`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await MessagingWorld.stream(live.api, keys)
            let target = "/v1/stream?token=\(token)&key=\(keys.ingest)"
            let stream = try await EventStream(
                live.api, target, key: nil, headers: ["Origin": "https://shop.example", "Accept": "text/event-stream"])
            #expect(stream.head.status == 200 && stream.head.headers["content-type"] == "text/event-stream")
            #expect(stream.head.headers["access-control-allow-origin"] == "https://shop.example" && stream.head.headers["vary"] == "Origin")
            #expect(try await live.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"n": "1"}}"#).status == 200)
            let first = try #require(try await stream.next())
            await stream.close()
            #expect(try await live.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"n": "2"}}"#).status == 200)
            let again = try await EventStream(live.api, target, key: nil, headers: ["Last-Event-ID": first.id ?? ""])
            #expect(try await again.next()?.data.contains(#""n":"2""#) == true)
            await again.close()
            let acknowledged = try await live.api.post(
                "/v1/stream/ack?key=\(keys.ingest)", headers: Self.beacon, #"{"token": "\#(token)", "cursor": "0"}"#)
            #expect(acknowledged.status == 204)
        }
    }

    @Test func `a secret key is not accepted in the query`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for key in [keys.admin, keys.send, keys.read] {
                for target in ["/v1/app?key=\(key)", "/v1/stream?token=x&key=\(key)"] {
                    let answer = try await live.api.get(target)
                    #expect(try answer.status == 403 && JSON(answer)["code"].text == "forbidden", "\(target) \(answer.text)")
                }
                for path in ["/v1/events", "/v1/track"] {
                    #expect(try await live.api.post("\(path)?key=\(key)", #"{"events": [{"name": "a"}], "event": "a"}"#).status == 403)
                }
            }
            // Other routes have no such parameter.
            #expect(try await live.api.get("/v1/export?key=\(keys.read)").status == 401)
            #expect(try await live.api.get("/v1/export?key=\(keys.ingest)", key: keys.read).status == 422)
            #expect(try await live.api.get("/v1/app?key=\(keys.ingest)").status == 200)
            for target in ["/v1/app?key=", "/v1/app?key=nonsense", "/v1/app?key=%zz", "/v1/app?Key=\(keys.ingest)", "/v1/app?key=%00\(keys.ingest)"] {
                #expect(try await live.api.get(target).status == 401, "\(target)")
            }
            // The header field decides; the parameter is ignored.
            #expect(try JSON(await live.api.get("/v1/app?key=\(keys.ingest)", key: keys.admin))["role"].text == "admin")
            #expect(live.stored == 0)
        }
    }

    @Test func `logs contain no key`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for target in [
                "/v1/events?key=", "/v1/stream?token=x&key=", "/v1/app?nonsense=1&key=", "/e/?token=", "/mp/collect?api_secret=", "/v1/export?key=",
                "/array/", "/v1/projects/", "/api/1/envelope/?sentry_key=", "/no/route?key=",
            ] {
                for key in keys.all {
                    let end = target.hasSuffix("/array/") ? "/config.js" : target.hasSuffix("projects/") ? "/settings" : ""
                    for method in ["GET", "POST", "OPTIONS", "PUT"] {
                        _ = try await live.api.request(
                            method, target + key + end, headers: CrossOriginTests.wish, body: method == "GET" ? nil : Array("[".utf8))
                    }
                }
            }
            #expect(live.log.text.contains("route=/v1/events") && live.log.text.contains("route=/array/{token}/config.js"))
            for key in keys.all { #expect(!live.log.text.contains(key)) }
        }
    }
}
