// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import Messaging
import Platform
import Testing

struct StandardWebhooksTests {
    private let body = Array(#"{"test": 2432232314}"#.utf8)
    private let time = Timestamp(milliseconds: 1_614_265_330_999)

    private func signature(_ keys: [SigningKey]) -> String? {
        StandardWebhooks.fields(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: time, body: body, keys: keys).last?.value
    }

    @Test func `the published test vector matches`() throws {
        let key = try SigningKey(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let fields = StandardWebhooks.fields(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: time, body: body, keys: [key])
        #expect(fields.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(fields.map(\.value) == ["msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="])
    }

    @Test func `every key signs in order`() throws {
        let keys = [SigningKey.Scheme.symmetric, .asymmetric, .symmetric].map { SigningKey($0, randomBytes(32)) }
        let parts = try #require(signature(keys)).split(separator: " ").map(String.init)
        #expect(parts == keys.compactMap { signature([$0]) })
        #expect(parts.map { $0.prefix { $0 != "," } } == ["v1", "v1a", "v1"])
    }

    @Test func `an asymmetric signature verifies with the public key`() throws {
        let key = SigningKey(.asymmetric, randomBytes(32))
        let signed = Array("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".utf8) + body
        let text = try #require(signature([key]))
        let bytes = try #require(Base64.decode(text.dropFirst("v1a,".count)))
        let publicKey = try #require(Base64.decode(key.verificationText.dropFirst("whpk_".count)))
        #expect(Ed25519.isValid(bytes, of: signed, publicKey: publicKey))
        #expect(!Ed25519.isValid(bytes, of: signed + [0x20], publicKey: publicKey))
    }
}

struct SigningKeyTests {
    @Test(arguments: [SigningKey.Scheme.symmetric, .asymmetric]) func `a generated key can be read again`(scheme: SigningKey.Scheme) throws {
        let key = SigningKey(scheme, randomBytes(32))
        #expect(key.bytes.count == 32 && key.scheme == scheme)
        #expect(try SigningKey(secret: key.secretText) == key)
        #expect((key.verificationText == key.secretText) == (scheme == .symmetric))
    }

    @Test func `a private key may be followed by its public key`() throws {
        let seed = [UInt8](repeating: 7, count: 32)
        let publicKey = try #require(Ed25519.publicKey(seed: seed))
        #expect(try SigningKey(secret: "whsk_" + Base64.encode(seed + publicKey)) == SigningKey(.asymmetric, seed))
        #expect(throws: Refusal.self) { try SigningKey(secret: "whsk_" + Base64.encode(seed + publicKey.reversed())) }
    }

    @Test func `a shared secret has 24 to 64 bytes`() throws {
        for length in 0...70 {
            let bytes = [UInt8](repeating: 1, count: length)
            let key = try? SigningKey(secret: "whsec_" + Base64.encode(bytes))
            #expect(key?.bytes == ((24...64).contains(length) ? bytes : nil))
        }
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_ MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whpk_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
    ])
    func `other secrets are rejected and not shown`(text: String) {
        let refused = #expect(throws: Refusal.self) { try SigningKey(secret: text) }
        #expect(refused?.fields.map(\.code) == ["bad_secret"] && refused?.fields.map(\.field) == ["endpoint.secret"])
        #expect(text.utf8.count < 10 || refused?.detail.contains(text) == false)
    }
}
