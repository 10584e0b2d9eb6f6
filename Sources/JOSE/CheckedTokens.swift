// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform
import Synchronization

/// A cache of checked tokens by their SHA-256, since a client sends the same token for an hour.
///
/// Two generations hold half of the capacity each: when the younger one is full it becomes the older one, whose entries are dropped. A
/// token that is used moves to the younger one. Times are compared at each use, and a token counts only for the keys and issuers with which
/// it was checked: once they change, nothing that they accepted is accepted any longer.
package final class CheckedTokens: Sendable {
    private struct Entries {
        var young: [Fingerprint: TokenClaims] = [:]
        var old: [Fingerprint: TokenClaims] = [:]
    }

    /// The SHA-256 of a token, and the number of the rules with which it was checked.
    private struct Fingerprint: Hashable {
        let words: [4 of UInt64]
        let rules: Int

        init(_ bytes: [UInt8], _ own: OwnTokens) {
            rules = own.number
            var words = [4 of UInt64](repeating: 0)
            for (place, byte) in SHA256.hash(bytes).enumerated() { words[place / 8] = words[place / 8] << 8 | UInt64(byte) }
            self.words = words
        }

        static func == (a: Fingerprint, b: Fingerprint) -> Bool {
            a.rules == b.rules && a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2] && a.words[3] == b.words[3]
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words[0])
            hasher.combine(words[1])
        }
    }

    private static let shardCount = 16
    private let perGeneration: Int
    private let shards: [Shard]

    private final class Shard: Sendable {
        let entries = Mutex(Entries())
    }

    package init(capacity: Int = 16_384) {
        perGeneration = max(1, capacity / CheckedTokens.shardCount / 2)
        shards = (0..<CheckedTokens.shardCount).map { _ in Shard() }
    }

    package func check(_ token: String, with own: OwnTokens, now: Timestamp) throws(TokenError) -> TokenClaims {
        let bytes = Array(token.utf8)
        guard bytes.count <= SignedToken.mostBytes else { throw .tooLong }
        let fingerprint = Fingerprint(bytes, own)
        if let claims = known(fingerprint) {
            try claims.checkTimes(now)
            return claims
        }
        let claims = try own.check(bytes, now: now)
        shard(fingerprint).entries.withLock { add(fingerprint, claims, to: &$0) }
        return claims
    }

    /// Whether a token is remembered for these keys and issuers.
    func remembers(_ token: String, for own: OwnTokens) -> Bool { known(Fingerprint(Array(token.utf8), own)) != nil }

    /// Forgets all tokens, which frees their memory after keys or issuers have changed.
    package func removeAll() {
        for shard in shards { shard.entries.withLock { $0 = Entries() } }
    }

    /// The number of remembered tokens.
    package var count: Int { shards.reduce(0) { $0 + $1.entries.withLock { $0.young.count + $0.old.count } } }

    private func shard(_ fingerprint: Fingerprint) -> Shard { shards[Int(fingerprint.words[3] % UInt64(CheckedTokens.shardCount))] }

    private func known(_ fingerprint: Fingerprint) -> TokenClaims? {
        shard(fingerprint).entries.withLock { entries in
            if let claims = entries.young[fingerprint] { return claims }
            guard let claims = entries.old.removeValue(forKey: fingerprint) else { return nil }
            add(fingerprint, claims, to: &entries)
            return claims
        }
    }

    private func add(_ fingerprint: Fingerprint, _ claims: TokenClaims, to entries: inout Entries) {
        if entries.young.count >= perGeneration {
            entries.old = entries.young
            entries.young = [:]
        }
        entries.young[fingerprint] = claims
        entries.old[fingerprint] = nil
    }
}
