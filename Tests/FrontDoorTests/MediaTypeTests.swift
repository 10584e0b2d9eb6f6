// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// A request with another content type gets 415 instead of an error about invalid JSON.
@Suite struct MediaTypeTests {
    @Test func `a body of another type gets 415 on every JSON route`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await MessagingWorld.stream(live.api, keys)
            let targets = [
                "/v1/events", "/v1/users", "/v1/devices", "/v1/devices/\(token)/topics", "/v1/topics/news/subscribe", "/v1/messages",
                "/v1/stream/ack",
                "/v1/query/series", "/v1/app/webhook-secret",
            ]
            for target in targets {
                let reply = try await live.api.post(target, key: keys.admin, headers: ["Content-Type": "application/xml"], "<a/>")
                #expect(reply.status == 415, "\(target)")
                let beacon = try await live.api.post(target, key: keys.admin, headers: ["Content-Type": "text/plain;charset=UTF-8"], "<a/>")
                #expect(beacon.status == 400, "\(target)")
            }
        }
    }
}
