// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import Platform

/// A custom token: an app's server says who signs in, signed by the key of a service account.
///
///     {"iss": "server@…", "sub": "server@…", "aud": "…IdentityToolkit", "uid": "ana", "iat": …, "exp": …, "claims": {"admin": true}}
package struct CustomToken: Sendable {
    /// The audience that Firebase's SDKs write.
    package static let firebaseAudience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    private static let longestLife = Timestamp.Span.hours(1)

    /// The service account.
    package let issuer: String
    package let user: String
    package let claims: CustomClaims

    /// Checks a token.
    ///
    /// - Parameter key: Returns the key of a service account by its name and the token's key ID; nil for an unknown one.
    package init(
        checking text: String, audiences: [String], now: Timestamp, key: (_ issuer: String, _ keyID: String?) -> SignatureKey?
    ) throws(TokenError) {
        let token = try SignedToken(Array(text.utf8))
        let (algorithm, id) = try token.header()
        guard algorithm == .rs256 else { throw .algorithm }
        let checked = try TokenClaims(token.payload)
        guard let key = key(checked.issuer, id) else { throw .unknownKey }
        guard key.kind == .rsa else { throw .algorithm }
        guard key.isValid(token.signature, of: token.signed) else { throw .signature }
        guard checked.subject.hasSameBytes(as: checked.issuer) else { throw .claim }
        guard checked.audiences.count == 1, audiences.contains(where: { $0.hasSameBytes(as: checked.audiences[0]) }) else { throw .audience }
        try checked.checkTimes(now)
        guard checked.expires > checked.issued, checked.expires - checked.issued <= CustomToken.longestLife else { throw .lifetime }
        issuer = checked.issuer
        (user, claims) = (try CustomToken.user(checked), try CustomToken.claims(checked))
    }

    /// Reads a token without a signature (`"alg": "none"`), as Firebase's emulator accepts it. It proves nothing.
    package init(unsigned text: String, now: Timestamp) throws(TokenError) {
        let token = try SignedToken(Array(text.utf8))
        guard token.signature.isEmpty, Base64URL.decode(token.headerText).flatMap({ StrictObject($0) })?.text("alg") == "none" else {
            throw .algorithm
        }
        let checked = try TokenClaims(token.payload)
        try checked.checkTimes(now)
        issuer = checked.issuer
        (user, claims) = (try CustomToken.user(checked), try CustomToken.claims(checked))
    }

    private static func user(_ checked: TokenClaims) throws(TokenError) -> String {
        guard let user = checked.text("uid"), (1...128).contains(user.utf8.count), !user.unicodeScalars.contains(where: \.isControl) else {
            throw .claim
        }
        return user
    }

    private static func claims(_ checked: TokenClaims) throws(TokenError) -> CustomClaims {
        guard let json = checked.json("claims"), json != Array("null".utf8) else { return .none }
        do throws(CustomClaims.Problem) { return try CustomClaims(json: json) } catch { throw .claim }
    }
}
