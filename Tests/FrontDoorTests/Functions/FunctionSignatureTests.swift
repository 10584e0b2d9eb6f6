// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Requests to functions as a receiver of Standard Webhooks judges them.
@Suite struct FunctionSignatureTests {
    /// A function's check of its requests.
    private final class Receiver {
        static let toleranceSeconds: Int64 = 300

        let key: SigningKey
        private var seen: Set<String> = []

        init(_ secret: String) throws { key = try SigningKey(secret: secret) }

        func accepts(_ hook: Hook, at now: Timestamp) -> Bool {
            guard let text = hook.headers["webhook-timestamp"], let seconds = Int64(text), let given = hook.headers["webhook-signature"] else {
                return false
            }
            guard abs(now.milliseconds / 1_000 - seconds) <= Self.toleranceSeconds else { return false }
            let made = "v1,\(Base64.encode(HMACSHA256.authenticate(Array("\(hook.id).\(text).".utf8) + hook.body, key: key.bytes)))"
            return given.split(separator: " ").contains { $0 == made } && seen.insert(hook.id).inserted
        }
    }

    @Test func `a forged, altered, repeated, late or foreign request is not accepted`() async throws {
        try await CallWorld.use({ _ in CallWorld.answer(200, #"{"result":1}"#) }) { world in
            let user = try await world.accounts.user()
            let receiver = try Receiver(await world.define("f", #""auth": "user""#))
            let other = try Receiver(await world.define("g", #""auth": "user""#))
            for _ in 0..<2 { #expect(try await world.call("f", as: user.token).status == 200) }
            #expect(world.target.hooks.count == 2)
            let now = world.accounts.clock.now
            for hook in world.target.hooks {
                var forged = hook
                forged.body = Array(String(decoding: hook.body, as: UTF8.self).replacing(user.id, with: "somebody").replacing("1", with: "2").utf8)
                #expect(!receiver.accepts(forged, at: now))
                var renamed = hook
                renamed.headers["webhook-id"] = "call_another"
                #expect(!receiver.accepts(renamed, at: now))
                var later = hook
                later.headers["webhook-timestamp"] = String((now + .hours(1)).milliseconds / 1_000)
                #expect(!receiver.accepts(later, at: now + .hours(1)))
                #expect(!other.accepts(hook, at: now), "another function's secret")
                #expect(!receiver.accepts(hook, at: now + .minutes(6)), "late")
                #expect(receiver.accepts(hook, at: now))
                #expect(!receiver.accepts(hook, at: now), "replayed")
            }
        }
    }
}
