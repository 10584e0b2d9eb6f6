// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// A user with an authenticator app.
struct FactorWorld: Sendable {
    let world: AccountWorld
    let user: AccountWorld.Session
    let factor: String
    let secret: [UInt8]
    let recoveryCodes: [String]
    /// The ID token of a session from before the factor.
    let earlier: String

    /// Adds an authenticator app to a new user and confirms it.
    init(_ world: AccountWorld, _ email: String = "ana@example.org", signedInBefore: Bool = false) async throws {
        let user = try await world.user(email)
        earlier = signedInBefore ? try AccountWorld.Session(await world.signIn(email)).token : user.token
        (self.world, self.user) = (world, user)
        let added = try await world.live.api.post("/v1/auth/user/factors", key: user.token, #"{"kind": "totp", "name": "Phone"}"#)
        #expect(added.status == 201 && added.headers["cache-control"] == "no-store", "\(added.text)")
        let json = try JSON(added)
        factor = json["factor"]["id"].text
        secret = Base32.bytes(json["secret"].text)
        let code = TOTP.code(secret, step: TOTP.step(at: world.clock.now))
        let confirmed = try await world.live.api.post("/v1/auth/user/factors/\(factor)/confirm", key: user.token, #"{"code": "\#(code)"}"#)
        #expect(confirmed.status == 200, "\(confirmed.text)")
        recoveryCodes = try JSON(confirmed)["recovery_codes"].items.map(\.text)
        // The code of the confirmation is used up.
        world.clock.advance(by: .seconds(30))
    }

    var code: String { TOTP.code(secret, step: TOTP.step(at: world.clock.now)) }

    /// A code that is none of those that count now.
    var wrongCode: String {
        let step = TOTP.step(at: world.clock.now)
        let right = (-1...1).map { TOTP.code(secret, step: step + $0) }
        return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? ""
    }

    /// Signs in with the password and returns the text that stands for the pending sign-in.
    func pending(_ email: String = "ana@example.org") async throws -> String {
        let reply = try await world.signIn(email)
        #expect(reply.status == 202 && reply.headers["cache-control"] == "no-store", "\(reply.text)")
        return try JSON(reply)["second_factor"]["pending"].text
    }

    func finish(_ pending: String, _ code: String, more: String = "") async throws -> Reply {
        try await world.live.api.post(
            "/v1/auth/second-factor", key: world.keys.ingest, #"{"pending": "\#(pending)", "code": "\#(code)"\#(more)}"#)
    }
}

/// Reads the secret of a new factor, which `TOTP.text` writes.
enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func bytes(_ text: String) -> [UInt8] {
        var (out, pending, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for letter in text.utf8 {
            guard let value = letters.firstIndex(of: letter) else { return [] }
            (pending, bits) = ((pending << 5 | value) & 0xfff, bits + 5)
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        return out
    }
}
