// SPDX-License-Identifier: Apache-2.0

import CCrypto
import Crypto
@testable import JOSE
import Platform
import TestSupport
import Testing

/// A token that must be rejected, and why.
struct HostileVector: Sendable, CustomTestStringConvertible {
    let name: String
    let error: TokenError
    var nonce: String?
    var algorithms: Set<TokenAlgorithm> = [.rs256, .es256, .edDSA]
    let token: @Sendable () -> String

    var testDescription: String { name }

    init(
        _ name: String, _ error: TokenError, nonce: String? = nil, algorithms: Set<TokenAlgorithm> = [.rs256, .es256, .edDSA],
        _ token: @escaping @Sendable () -> String
    ) {
        (self.name, self.error, self.nonce, self.algorithms, self.token) = (name, error, nonce, algorithms, token)
    }
}

extension HostileVector {
    static let rsa = ForgedKey.rsa()
    static let p256 = ForgedKey.p256()
    static let edwards = ForgedKey.ed25519()
    static let stranger = ForgedKey.rsa()
    static let weak = ForgedKey.rsa(bits: 1_024)
    static let now: Int64 = 1_790_000_000

    /// The provider's set: a key of each type, one that is too short, and some that are for other purposes.
    static let set = """
        {"keys":[\(rsa.jwk("r")),\(p256.jwk("e")),\(edwards.jwk("o")),\(weak.jwk("weak")),\(stranger.jwk("enc", #""use":"enc","#)),
        {"kid":"shared","kty":"oct","k":"c2VjcmV0"},\(stranger.jwk("rs512", #""alg":"RS512","#))]}
        """

    static let header = #"{"alg":"RS256","kid":"r","typ":"JWT"}"#

    /// Claims that are accepted, with some members replaced or, if empty, left out.
    static func claims(_ changes: [String: String] = [:], more: String = "") -> String {
        var members = [
            "iss": #""https://login.example""#, "aud": #""shop""#, "sub": #""ana""#, "iat": "\(now - 10)", "exp": "\(now + 600)",
        ]
        members.merge(changes) { $1 }
        let text = members.filter { !$0.value.isEmpty }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        return "{\(text)\(more)}"
    }

    static func signed(_ changes: [String: String] = [:], more: String = "", header: String = header) -> String {
        Forge.token(header, claims(changes, more: more), sign: rsa.sign)
    }

    static let all = algorithms + keys + encodings + signatures + contents

    private static let algorithms: [HostileVector] = [
        .init("alg none without a signature", .algorithm) { Forge.token(#"{"alg":"none","kid":"r"}"#, claims()) { _ in [] } },
        .init("alg none with a valid signature", .algorithm) { signed(header: #"{"alg":"none","kid":"r"}"#) },
        .init("alg NoNe", .algorithm) { Forge.token(#"{"alg":"NoNe","kid":"r"}"#, claims()) { _ in [] } },
        .init("HS256 with the public key as secret", .algorithm) {
            Forge.token(#"{"alg":"HS256","kid":"r"}"#, claims()) { HMACSHA256.authenticate($0, key: rsa.publicDER) }
        },
        .init("HS256 with the public key in PEM as secret", .algorithm) {
            Forge.token(#"{"alg":"HS256","kid":"r"}"#, claims()) {
                HMACSHA256.authenticate($0, key: Array(PEM.encode(rsa.publicDER, "PUBLIC KEY").utf8))
            }
        },
        .init("RS256 naming a symmetric key of the set", .unknownKey) {
            Forge.token(#"{"alg":"RS256","kid":"shared"}"#, claims()) { HMACSHA256.authenticate($0, key: Array("secret".utf8)) }
        },
        .init("RS512, which is not in the list", .algorithm) {
            Forge.token(#"{"alg":"RS512","kid":"r"}"#, claims()) { rsa.signDER($0, digest: EVP_sha512()) }
        },
        .init("RS256 with a digest of SHA-512", .signature) { Forge.token(header, claims()) { rsa.signDER($0, digest: EVP_sha512()) } },
        .init("ES256 that the provider may not use", .algorithm, algorithms: [.rs256]) {
            Forge.token(#"{"alg":"ES256","kid":"e"}"#, claims(), sign: p256.sign)
        },
        .init("ES256 naming a key of RSA", .algorithm) { Forge.token(#"{"alg":"ES256","kid":"r"}"#, claims(), sign: p256.sign) },
        .init("RS256 naming a key of P-256", .algorithm) { Forge.token(#"{"alg":"RS256","kid":"e"}"#, claims(), sign: rsa.sign) },
        .init("EdDSA naming a key of P-256", .algorithm) { Forge.token(#"{"alg":"EdDSA","kid":"e"}"#, claims(), sign: edwards.sign) },
        .init("no alg", .algorithm) { signed(header: #"{"kid":"r"}"#) },
        .init("alg as a list", .algorithm) { signed(header: #"{"alg":["RS256"],"kid":"r"}"#) },
        .init("alg twice", .malformed) { signed(header: #"{"alg":"none","alg":"RS256","kid":"r"}"#) },
        .init("alg twice, once escaped", .malformed) { signed(header: #"{"alg":"RS256","\u0061lg":"none","kid":"r"}"#) },
        .init("crit", .critical) { signed(header: #"{"alg":"RS256","kid":"r","crit":["exp"]}"#) },
        .init("b64 with crit", .critical) { signed(header: #"{"alg":"RS256","kid":"r","b64":false,"crit":["b64"]}"#) },
    ]

    private static let keys: [HostileVector] = [
        .init("an unknown kid", .unknownKey) { signed(header: #"{"alg":"RS256","kid":"x"}"#) },
        .init("kid as a path", .unknownKey) { signed(header: #"{"alg":"RS256","kid":"../../dev/null"}"#) },
        .init("kid as SQL", .unknownKey) { signed(header: #"{"alg":"RS256","kid":"x' UNION SELECT 'r"}"#) },
        .init("kid in another normalization", .unknownKey) { signed(header: #"{"alg":"RS256","kid":"r\u0301"}"#) },
        .init("kid as a number", .unknownKey) { signed(header: #"{"alg":"RS256","kid":1}"#) },
        .init("an empty kid", .unknownKey) { signed(header: #"{"alg":"RS256","kid":""}"#) },
        .init("an embedded key", .signature) {
            Forge.token(#"{"alg":"RS256","kid":"r","jwk":\#(stranger.jwk("r"))}"#, claims(), sign: stranger.sign)
        },
        .init("an address of keys", .signature) {
            Forge.token(#"{"alg":"RS256","kid":"r","jku":"https://evil.example/jwks.json"}"#, claims(), sign: stranger.sign)
        },
        .init("an embedded certificate", .signature) {
            Forge.token(#"{"alg":"RS256","kid":"r","x5c":["\#(Base64.encode(stranger.publicDER))"]}"#, claims(), sign: stranger.sign)
        },
        .init("an address of certificates", .unknownKey) {
            Forge.token(#"{"alg":"RS256","kid":"s","x5u":"https://evil.example/a.pem"}"#, claims(), sign: stranger.sign)
        },
        .init("a key of 1,024 bits", .unknownKey) { Forge.token(#"{"alg":"RS256","kid":"weak"}"#, claims(), sign: weak.sign) },
        .init("a key for encryption", .unknownKey) { Forge.token(#"{"alg":"RS256","kid":"enc"}"#, claims(), sign: stranger.sign) },
        .init("a key for another algorithm", .unknownKey) { Forge.token(#"{"alg":"RS256","kid":"rs512"}"#, claims(), sign: stranger.sign) },
    ]

    private static let encodings: [HostileVector] = [
        .init("two parts", .malformed) { String(signed().split(separator: ".").prefix(2).joined(separator: ".")) },
        .init("four parts", .malformed) { signed() + "." },
        .init("five parts, as encrypted tokens have", .malformed) { signed() + ".AA.AA" },
        .init("nothing", .malformed) { "" },
        .init("dots", .malformed) { ".." },
        .init("padding", .malformed) { signed() + "==" },
        .init("the standard alphabet", .malformed) { signed().replacing("-", with: "+").replacing("_", with: "/") + "+A" },
        .init("a bit behind the last byte", .malformed) {
            // 256 bytes end with two characters, of which the last has four unused bits.
            String(signed().dropLast()) + "B"
        },
        .init("white space", .malformed) { signed().replacing(".", with: ".\n", maxReplacements: 1) },
        .init("more than 16 KiB", .tooLong) { signed(["pad": "\"" + String(repeating: "a", count: 16_000) + "\""]) },
        .init("claims that are a list", .malformed) { Forge.token(header, "[]", sign: rsa.sign) },
        .init("claims with a comment", .malformed) { Forge.token(header, claims() + "//", sign: rsa.sign) },
        .init("claims that are not UTF-8", .malformed) {
            let signed =
                Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims(["name": "\"?\""]).utf8).map { $0 == 0x3f ? 0xff : $0 })
            return signed + "." + Base64URL.encode(rsa.sign(Array(signed.utf8)))
        },
        .init("sub twice", .malformed) { signed(more: #","sub":"eva""#) },
        .init("sub twice, once escaped", .malformed) { signed(more: #","s\u0075b":"eva""#) },
        .init("a name twice inside a claim", .malformed) { signed(more: #","x":{"a":1,"a":2}"#) },
        .init("deep nesting", .malformed) { signed(["x": String(repeating: "[", count: 400) + String(repeating: "]", count: 400)]) },
    ]

    private static let signatures: [HostileVector] = [
        .init("another key's signature", .signature) { Forge.token(header, claims(), sign: stranger.sign) },
        .init("no signature", .signature) { Forge.token(header, claims()) { _ in [] } },
        .init("another token's signature", .signature) {
            let (a, b) = (signed().split(separator: "."), signed(["sub": #""eva""#]).split(separator: "."))
            return [a[0], b[1], a[2]].joined(separator: ".")
        },
        .init("a signature of zeros", .signature) { Forge.token(header, claims()) { _ in [UInt8](repeating: 0, count: 256) } },
        .init("ES256 with r = s = 0", .signature) {
            Forge.token(#"{"alg":"ES256","kid":"e"}"#, claims()) { _ in [UInt8](repeating: 0, count: 64) }
        },
        .init("ES256 in DER", .signature) { Forge.token(#"{"alg":"ES256","kid":"e"}"#, claims()) { p256.signDER($0) } },
        .init("ES256 with a byte too many", .signature) { Forge.token(#"{"alg":"ES256","kid":"e"}"#, claims()) { p256.sign($0) + [0] } },
        .init("ES256 with s plus the order", .signature) {
            Forge.token(#"{"alg":"ES256","kid":"e"}"#, claims()) { _ in [UInt8](repeating: 0xff, count: 64) }
        },
        .init("EdDSA of 63 bytes", .signature) { Forge.token(#"{"alg":"EdDSA","kid":"o"}"#, claims()) { edwards.sign($0).dropLast() } },
    ]

    private static let contents: [HostileVector] = [
        .init("another issuer", .issuer) { signed(["iss": #""https://login.evil""#]) },
        .init("an issuer with a slash more", .issuer) { signed(["iss": #""https://login.example/""#]) },
        .init("an issuer in upper case", .issuer) { signed(["iss": #""https://LOGIN.example""#]) },
        .init("no issuer", .claim) { signed(["iss": ""]) },
        .init("a list of issuers", .claim) { signed(["iss": #"["https://login.example"]"#]) },
        .init("another audience", .audience) { signed(["aud": #""other""#]) },
        .init("no audience", .audience) { signed(["aud": ""]) },
        .init("an empty list of audiences", .audience) { signed(["aud": "[]"]) },
        .init("audiences with a number", .audience) { signed(["aud": #"["shop",1]"#]) },
        .init("several audiences without azp", .authorizedParty) { signed(["aud": #"["shop","other"]"#]) },
        .init("several audiences for another azp", .authorizedParty) { signed(["aud": #"["shop","other"]"#, "azp": #""other""#]) },
        .init("no subject", .claim) { signed(["sub": ""]) },
        .init("an empty subject", .claim) { signed(["sub": #""""#]) },
        .init("a subject that is a number", .claim) { signed(["sub": "1"]) },
        .init("a subject with a line end", .claim) { signed(["sub": #""a\nb""#]) },
        .init("a subject with half a character", .malformed) { signed(["sub": #""\ud800""#]) },
        .init("expired for a minute", .expired) { signed(["exp": "\(now - 60)"]) },
        .init("no end", .claim) { signed(["exp": ""]) },
        .init("an end as text", .claim) { signed(["exp": #""\#(now + 600)""#]) },
        .init("an end beyond all numbers", .claim) { signed(["exp": "1e400"]) },
        .init("a negative start", .claim) { signed(["iat": "-1"]) },
        .init("issued in more than a minute", .notYetValid) { signed(["iat": "\(now + 61)"]) },
        .init("valid in more than a minute", .notYetValid) { signed(["nbf": "\(now + 61)"]) },
        .init("a start as text", .claim) { signed(["nbf": #""now""#]) },
        .init("a nonce that nobody sent", .nonce) { signed(["nonce": #""n""#]) },
        .init("a nonce that nobody sent, as a number", .nonce) { signed(["nonce": "1"]) },
        .init("no nonce, though one was sent", .nonce, nonce: "n") { signed() },
        .init("another nonce", .nonce, nonce: "n") { signed(["nonce": #""m""#]) },
        .init("an empty nonce", .nonce, nonce: "") { signed(["nonce": #""""#]) },
    ]
}
