// SPDX-License-Identifier: Apache-2.0

import Crypto

/// An ID token without a signature, as test suites of Firebase make it for its emulator. It proves nothing, and its times do not matter.
///
///     {"alg": "none"} {"sub": "ana", "iat": 0, "exp": 3600, "admin": true}
package struct UnsignedToken: Sendable {
    package let user: String
    /// All claims.
    package let json: [UInt8]

    package init(_ text: String) throws(TokenError) {
        let token = try SignedToken(Array(text.utf8))
        guard token.signature.isEmpty, Base64URL.decode(token.headerText).flatMap({ StrictObject($0) })?.text("alg") == "none" else {
            throw .algorithm
        }
        guard let claims = StrictObject(token.payload) else { throw .malformed }
        guard let user = claims.text("sub") ?? claims.text("user_id"), TokenClaims.isSubject(user) else { throw .claim }
        (self.user, json) = (user, token.payload)
    }
}
