// SPDX-License-Identifier: Apache-2.0

/// A fast 64-bit hash of short texts with a secret seed.
///
/// IDs, persons and names are indexed by this value instead of their bytes. The seed is random for each data folder, so collisions cannot
/// be crafted; by chance two of 20 million texts collide with a probability of one in 90,000.
package struct KeyedHash: Sendable, Equatable {
    /// The kind of a text: equal bytes of a user ID and an installation ID have different hashes.
    package enum Domain: UInt64, Sendable {
        case eventID = 1
        case transaction, user, installation, session, name, context, screen, currency, attachment, countedSessions, environment, tag
    }

    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the hash of `bytes[range]` in an app; never 0, which means "none".
    package func callAsFunction(_ domain: Domain, app: AppID, _ bytes: Swift.Span<UInt8>) -> UInt64 {
        var h = start(domain, app) ^ UInt64(truncatingIfNeeded: bytes.count)
        var i = 0
        while i < bytes.count {
            var word: UInt64 = 0
            let end = min(i + 8, bytes.count)
            while i < end {
                word = word << 8 | UInt64(bytes[i])
                i += 1
            }
            h = KeyedHash.fold(h ^ word, 0xa076_1d64_78bd_642f)
        }
        return finish(h)
    }

    /// Returns the hash of a 128-bit ID.
    package func callAsFunction(_ domain: Domain, app: AppID, _ id: UUID128) -> UInt64 {
        finish(KeyedHash.fold(KeyedHash.fold(start(domain, app) ^ id.high, 0xa076_1d64_78bd_642f) ^ id.low, 0xe703_7ed1_a0b4_28db))
    }

    private func start(_ domain: Domain, _ app: AppID) -> UInt64 {
        KeyedHash.fold(seed ^ UInt64(truncatingIfNeeded: app.rawValue), 0x8ebc_6af0_9c88_c6e3 ^ domain.rawValue)
    }

    private func finish(_ h: UInt64) -> UInt64 {
        let out = KeyedHash.fold(h ^ seed, 0xe703_7ed1_a0b4_28db)
        return out == 0 ? 1 : out
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
