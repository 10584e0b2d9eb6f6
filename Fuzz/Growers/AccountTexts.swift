// SPDX-License-Identifier: Apache-2.0

/// Tokens, key sets and texts of accounts.
extension Grower {
    static let accounts: [Grower] = [
        text("tokens", "claims", "{\"alg\":\"RS256\"}\n{#}", "\"k§\":1,"),
        text("tokens", "the same claim", "{\"alg\":\"RS256\"}\n{#}", "\"k\":1,"),
        text("tokens", "escaped claims", "{\"alg\":\"RS256\"}\n{#}", "\"\\u006b§\":1,"),
        text("tokens", "objects in a claim", "{\"alg\":\"RS256\"}\n{\"a\":[#]}", "{\"a\":1},"),
        text("tokens", "claims in claims", "{\"alg\":\"RS256\"}\n#1#", "{\"a\":", "}"),
        text("tokens", "audiences", "{\"alg\":\"RS256\"}\n{\"aud\":[#]}", "\"§\","),
        text("tokens", "long claim", "{\"alg\":\"RS256\"}\n{\"sub\":\"#\"}", "a"),
        text("tokens", "header", "{#}\n{}", "\"h§\":1,"),
        text("tokens", "long header", "{\"kid\":\"#\"}\n{}", "a"),
        text("tokens", "dots", "#", "."),
        text("tokens", "parts", "#", "e30."),
        text("keysets", "keys", "{\"keys\":[#]}", "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"§\"},"),
        text("keysets", "members of a key", "{\"keys\":[{#}]}", "\"k§\":1,"),
        text("keysets", "members", "{#\"keys\":[]}", "\"k§\":1,"),
        text("keysets", "operations", "{\"keys\":[{\"key_ops\":[#]}]}", "\"§\","),
        text("keysets", "long modulus", "{\"keys\":[{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"#\"}]}", "AQAB"),
        text("keysets", "long exponent", "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"#\"}]}", "AQAB"),
        text("accounttexts", "address", "#@example.org", "a"),
        text("accounttexts", "domain", "a@#org", "a."),
        text("accounttexts", "hash", "$argon2id$v=19$m=64,t=1,p=1$#$#", "QUFB", "QUFB"),
        text("accounttexts", "parts of a hash", "#", "$a"),
        text("accounttexts", "parameters of a hash", "$argon2id$v=19$#$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "m=1,"),
        text("accounttexts", "wrapped hash", "$hmac-sha256$k=#,o=s$#$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "QUFB", "QUFB"),
        text("accounttexts", "password", "#", "ab"),
    ]
}
