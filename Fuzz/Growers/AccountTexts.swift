// SPDX-License-Identifier: Apache-2.0

/// Tokens and key sets.
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
    ]
}
