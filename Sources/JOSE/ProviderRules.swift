// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// The rules for id tokens of an identity provider.
package struct ProviderRules: Sendable {
    package enum Issuer: Sendable, Equatable {
        case exactly([String])
        /// Microsoft's, with the tenant of the claim `tid`: `https://login.microsoftonline.com/TENANT/v2.0`.
        case tenant(before: String, after: String)
    }

    package var issuer: Issuer
    /// The client IDs of an app at the provider.
    package var audiences: [String]
    package var algorithms: Set<TokenAlgorithm>

    package init(issuer: Issuer, audiences: [String], algorithms: Set<TokenAlgorithm> = [.rs256]) {
        (self.issuer, self.audiences, self.algorithms) = (issuer, audiences, algorithms)
    }

    /// Returns the claims of a token of this provider. `.unknownKey` may mean that the provider has a newer key set.
    ///
    /// - Parameter nonce: The raw nonce that the client sent. The token has it, or its SHA-256 in hexadecimal; one without the other fails.
    package func check(_ text: String, keys: KeySet, nonce: String?, now: Timestamp) throws(TokenError) -> TokenClaims {
        let token = try SignedToken(Array(text.utf8))
        let (algorithm, id) = try token.header()
        guard algorithms.contains(algorithm) else { throw .algorithm }
        guard let key = keys.key(id, algorithm.keyKind) else { throw keys.has(id) ? .algorithm : .unknownKey }
        guard key.isValid(token.signature, of: token.signed) else { throw .signature }
        let claims = try TokenClaims(token.payload)
        guard isIssuer(claims) else { throw .issuer }
        try checkAudience(claims)
        try claims.checkTimes(now)
        try ProviderRules.checkNonce(claims, nonce)
        return claims
    }

    private func isIssuer(_ claims: TokenClaims) -> Bool {
        switch issuer {
        case .exactly(let texts): return texts.contains { $0.hasSameBytes(as: claims.issuer) }
        case .tenant(let before, let after):
            guard let tenant = claims.text("tid"), UUID128(tenant.utf8.span) != nil else { return false }
            return claims.issuer.hasSameBytes(as: before + tenant + after)
        }
    }

    private func checkAudience(_ claims: TokenClaims) throws(TokenError) {
        guard claims.audiences.contains(where: isOurs) else { throw .audience }
        guard claims.audiences.count > 1 else { return }
        guard let party = claims.text("azp"), isOurs(party) else { throw .authorizedParty }
    }

    private func isOurs(_ audience: String) -> Bool { audiences.contains { $0.hasSameBytes(as: audience) } }

    private static func checkNonce(_ claims: TokenClaims, _ sent: String?) throws(TokenError) {
        switch (claims.text("nonce"), sent) {
        case (nil, nil):
            guard claims.json("nonce") == nil else { throw .nonce }
        case (let nonce?, let sent?):
            let hashed = Array(Hex.encode(SHA256.hash(Array(sent.utf8))).utf8)
            let (inToken, raw) = (Array(nonce.utf8), Array(sent.utf8))
            guard !raw.isEmpty, constantTimeEqual(inToken, hashed) || constantTimeEqual(inToken, raw) else { throw .nonce }
        default: throw .nonce
        }
    }
}

extension ProviderRules {
    /// Google Sign-In. Its older tokens name the issuer without a scheme.
    package static func google(audiences: [String]) -> ProviderRules {
        ProviderRules(issuer: .exactly(["https://accounts.google.com", "accounts.google.com"]), audiences: audiences)
    }

    /// Sign in with Apple.
    package static func apple(audiences: [String]) -> ProviderRules {
        ProviderRules(issuer: .exactly(["https://appleid.apple.com"]), audiences: audiences)
    }

    /// Microsoft accounts of any tenant.
    package static func microsoft(audiences: [String]) -> ProviderRules {
        ProviderRules(issuer: .tenant(before: "https://login.microsoftonline.com/", after: "/v2.0"), audiences: audiences)
    }
}
