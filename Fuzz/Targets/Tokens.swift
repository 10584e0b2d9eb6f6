// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import JSON
import Platform

/// A header and, behind a line end, claims. They are tried as a token, as claims of an account, and as text of a token themselves.
///
/// Nothing is signed, so no token is ever accepted. Claims of an account replace no claim of an id token.
enum Tokens {
    private static let key = RSAPrivateKey.make()
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)
    private static let own = OwnTokens(
        keys: [PublishedKey(publicKey: key.publicKey.der, certificate: [])].compactMap(\.self), issuers: ["https://signals.example/"])

    /// The same key as that of an identity provider.
    private static let provider = ProviderRules(issuer: .exactly(["https://login.example"]), audiences: ["shop"])
    private static let keys = try? KeySet(
        json: DiscoveryDocuments.keys([PublishedKey(publicKey: key.publicKey.der, certificate: [])].compactMap(\.self)))

    static func run(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0x0a) ?? bytes.count
        let claims = Array(bytes[min(end + 1, bytes.count)...])
        let signature = [UInt8](repeating: 1, count: 256)
        check([Array(bytes[..<end]), claims, signature].map(Base64URL.encode).joined(separator: "."))
        check(String(decoding: bytes, as: UTF8.self))
        if let claims = try? CustomClaims(json: claims) { check(claims) }
    }

    private static func check(_ token: String) {
        do throws(TokenError) {
            _ = try CustomToken(checking: token, audiences: ["shop"], now: now) { _, _ in key.publicKey }
            require(false, "a forged token is accepted")
        } catch {
            if error == .signature { accepted() }
        }
        require((try? own.check(token, now: now)) == nil, "a forged token is accepted")
        guard let keys else { return require(false, "our own key set is not read") }
        require((try? provider.check(token, keys: keys, nonce: nil, now: now)) == nil, "a forged token of a provider is accepted")
    }

    private static func check(_ claims: CustomClaims) {
        var token = IDToken(
            issuer: "https://signals.example/shop", audience: "shop", subject: "ana", app: 7, issued: now, authenticated: now, method: "password")
        token.email = "ana@example.org"
        token.claims = claims
        guard let value = try? JSONValue(token.json) else { return require(false, "an id token is no JSON") }
        let names = value.fields.map { Array($0.name.utf8) }
        require(Set(names).count == names.count, "a claim stands twice")
        for (name, text) in [("sub", "ana"), ("iss", "https://signals.example/shop"), ("aud", "shop"), ("email", "ana@example.org")] {
            require(value[name]?.string == text, "\(name) was replaced")
        }
        require(value["sb_app"]?.integer == 7 && value["firebase"] != nil, "a claim was replaced")
        require(claims.json.count <= CustomClaims.mostBytes, "claims beyond their bound")
    }
}

/// Documents of identity providers with their keys. A set is bounded whatever it holds.
enum KeySets {
    static func run(_ bytes: [UInt8]) {
        guard let set = try? KeySet(json: bytes) else { return }
        accepted()
        require(set.count <= 32, "a set of \(set.count) keys")
    }
}
