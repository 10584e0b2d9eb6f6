// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform
import Synchronization

/// The check of tokens that we signed ourselves. Whether the session still lives is the caller's question.
///
/// All our headers are known texts, so a header is looked up and never interpreted.
package struct OwnTokens: Sendable {
    /// A number that no other value has, so that a cache never answers for other keys or issuers.
    let number: Int
    private static let lastNumber = Atomic(0)

    private let keys: [[UInt8]: SignatureKey]
    private let issuers: [[UInt8]]

    /// - Parameters:
    ///   - keys: All keys whose tokens may live.
    ///   - issuers: The beginnings of issuers, such as `https://securetoken.google.com/`. An issuer is one of them and the audience.
    package init(keys: [PublishedKey], issuers: [String]) {
        self.keys = Dictionary(keys.map { ($0.header, $0.publicKey) }) { first, _ in first }
        self.issuers = issuers.map { Array($0.utf8) }
        number = OwnTokens.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Returns the claims. `app`, `session` and `generation` may still be missing in tokens without a session.
    package func check(_ token: String, now: Timestamp) throws(TokenError) -> TokenClaims {
        try check(Array(token.utf8), now: now)
    }

    func check(_ bytes: [UInt8], now: Timestamp) throws(TokenError) -> TokenClaims {
        let token = try SignedToken(bytes)
        guard let key = keys[Array(token.headerText)] else { throw try OwnTokens.fault(of: token) }
        guard key.isValid(token.signature, of: token.signed) else { throw .signature }
        let claims = try TokenClaims(token.payload, isOwn: true)
        guard claims.audiences.count == 1, let audience = claims.audiences.first else { throw .audience }
        let issuer = Array(claims.issuer.utf8)
        guard issuers.contains(where: { issuer.count == $0.count + audience.utf8.count && issuer.starts(with: $0) }),
            issuer.suffix(audience.utf8.count).elementsEqual(audience.utf8)
        else { throw .issuer }
        guard claims.app != nil else { throw .claim }
        try claims.checkTimes(now)
        return claims
    }

    /// The reason to name for a token with a header that is none of ours.
    private static func fault(of token: SignedToken) throws(TokenError) -> TokenError {
        let (algorithm, _) = try token.header()
        return algorithm == .rs256 ? .unknownKey : .algorithm
    }
}
