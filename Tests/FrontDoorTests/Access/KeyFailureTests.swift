// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// The limit of requests with unknown keys from one address.
@Suite struct KeyFailureTests {
    private static func ask(_ live: LiveDaemon, _ key: String, from address: String? = nil, _ path: String = "/v1/app") async throws -> Reply {
        try await live.api.request("GET", path, key: key, headers: address.map { ["X-Forwarded-For": $0] } ?? [:])
    }

    @Test func `too many unknown keys of an address get 429, valid ones and other addresses do not`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await withDaemon(clock: clock.clock, configure: { $0.server.keyFailures = 10 }) { live async throws in
            let keys = try await live.api.makeApp()
            for number in 0..<10 { #expect(try await Self.ask(live, "guess\(number)", from: "203.0.113.7").status == 401) }
            for number in 0..<30 {
                let reply = try await Self.ask(live, "more\(number)", from: "203.0.113.7")
                #expect(reply.status == 429 && reply.headers["retry-after"] == "6", "\(reply.text)")
                #expect(try JSON(reply)["code"].text == "rate_limited")
            }
            // Valid keys, no key, other addresses, and the proxy's own.
            #expect(try await Self.ask(live, keys.read, from: "203.0.113.7").status == 200)
            #expect(try await live.api.request("GET", "/v1/app", headers: ["X-Forwarded-For": "203.0.113.7"]).status == 401)
            #expect(try await Self.ask(live, "guess", from: "203.0.113.8").status == 401)
            #expect(try await Self.ask(live, "guess").status == 401)
            #expect(live.log.text.split(separator: "\n").filter { $0.contains("requests with unknown keys are limited") }.count == 1)
            #expect(live.log.text.contains("203.0.113.7"))
            #expect(!live.log.text.contains("more0"))
            clock.advance(by: .minutes(1))
            #expect(try await Self.ask(live, "guess", from: "203.0.113.7").status == 401)
        }
    }

    @Test func `an IPv6 network counts as one address`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await withDaemon(clock: clock.clock, configure: { $0.server.keyFailures = 5 }) { live async throws in
            for number in 0..<5 { #expect(try await Self.ask(live, "guess", from: "2001:db8::\(number)").status == 401) }
            #expect(try await Self.ask(live, "guess", from: "2001:db8::ffff").status == 429)
            #expect(try await Self.ask(live, "guess", from: "2001:db8:0:1::1").status == 401)
        }
    }

    @Test func `files that rules deny without a key count too, be there an app or not`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await withDaemon(clock: clock.clock, configure: { ($0.server.keyFailures, $0.store.files.reserveBytes) = (4, 0) }) { live async throws in
            let keys = try await live.api.makeApp()
            let rules = "service firebase.storage { match /b/{b}/o { match /open/{f} { allow read; } } }"
            let set = try await live.api.request(
                "PUT", "/v1/files-rules", key: keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            #expect(try await live.api.request("PUT", "/v1/files/\(keys.app)/open/a", key: keys.admin, body: [1]).status == 201)
            func ask(_ bucket: String, _ name: String, key: String? = nil, from address: String = "203.0.113.11") async throws -> Reply {
                try await live.api.request("GET", "/v0/b/\(bucket)/o/\(name)?alt=media", key: key, headers: ["X-Forwarded-For": address])
            }
            for _ in 0..<2 { for bucket in ["\(keys.app)", "nowhere"] { #expect(try await ask(bucket, "a").status == 403) } }
            for bucket in ["\(keys.app)", "nowhere"] {
                let over = try await ask(bucket, "a")
                #expect(over.status == 429 && over.headers["retry-after"] != nil, "\(bucket)")
            }
            // What rules allow, keys, and other addresses.
            #expect(try await ask("\(keys.app)", "open%2Fa").status == 200)
            #expect(try await ask("\(keys.app)", "a", key: keys.ingest).status == 403)
            #expect(try await ask("nowhere", "a", from: "203.0.113.12").status == 403)
        }
    }

    @Test func `keys in bodies and metrics tokens count too, and 0 removes the limit`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await withDaemon(
            clock: clock.clock,
            configure: {
                $0.server.keyFailures = 3
                $0.metrics.token = Secret("token_for_scrapers")
            }
        ) { live async throws in
            let body = #"{"batch": [], "writeKey": "unknown"}"#
            for _ in 0..<3 { #expect(try await live.api.post("/v1/batch", headers: ["X-Forwarded-For": "203.0.113.9"], body).status == 401) }
            #expect(try await live.api.post("/v1/batch", headers: ["X-Forwarded-For": "203.0.113.9"], body).status == 429)
            for _ in 0..<3 { #expect(try await Self.ask(live, "wrong_token_here", from: "203.0.113.10", "/metrics").status == 401) }
            #expect(try await Self.ask(live, "wrong_token_here", from: "203.0.113.10", "/metrics").status == 429)
            #expect(try await Self.ask(live, "token_for_scrapers", from: "203.0.113.10", "/metrics").status == 200)
            var new = live.daemon.settings
            new.server.keyFailures = 0
            live.daemon.configuration.replace(Configuration.settings.reloaded(live.daemon.settings, with: new))
            for _ in 0..<10 { #expect(try await Self.ask(live, "guess", from: "203.0.113.9").status == 401) }
        }
    }

    @Test func `the memory of many addresses is bounded`() async throws {
        let live = LiveConfiguration(Configuration())
        let failures = KeyFailures(live, .system, Log(), Metrics())
        for number in 0..<25_000 {
            let client = try #require(ClientAddress(text: "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"))
            try failures.note(client)
        }
        #expect(failures.rememberedAddresses <= 10_000)
    }
}
