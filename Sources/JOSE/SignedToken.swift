// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// A token in compact form (RFC 7515), read but not checked.
///
///     eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbmEifQ.cC4hiUPoj9E…   →   header {"alg":"RS256"}, claims {"sub":"ana"}, signature
///
/// Each part is canonical base64url, so a token has one spelling.
struct SignedToken {
    static let mostBytes = 16_384

    /// The first part as it is written.
    let headerText: ArraySlice<UInt8>
    /// The bytes that are signed: the first two parts with the dot between them.
    let signed: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ token: [UInt8]) throws(TokenError) {
        guard token.count <= SignedToken.mostBytes else { throw .tooLong }
        let dot = UInt8(ascii: ".")
        guard let first = token.firstIndex(of: dot), let last = token.lastIndex(of: dot), first < last else { throw .malformed }
        guard let payload = Base64URL.decode(token[(first + 1)..<last]), let signature = Base64URL.decode(token[(last + 1)...]) else {
            throw .malformed
        }
        headerText = token[..<first]
        signed = Array(token[..<last])
        (self.payload, self.signature) = (payload, signature)
    }

    /// The header's algorithm and key ID, after everything was rejected that no check allows.
    func header() throws(TokenError) -> (algorithm: TokenAlgorithm, keyID: String?) {
        guard let header = Base64URL.decode(headerText).flatMap({ StrictObject($0) }) else { throw .malformed }
        guard !header.has("crit") else { throw .critical }
        // Everything else in the header is ignored: keys and addresses of keys (jwk, jku, x5u, x5c) come from whoever wrote the token.
        guard let algorithm = header.text("alg").flatMap(TokenAlgorithm.init(rawValue:)) else { throw .algorithm }
        guard header.has("kid") else { return (algorithm, nil) }
        guard let id = header.text("kid"), (1...256).contains(id.utf8.count) else { throw .unknownKey }
        return (algorithm, id)
    }
}
