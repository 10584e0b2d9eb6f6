// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Which reports' payloads go when there are too many. The more of an issue is stored, the less the next one tells: half of what comes gets the highest irrelevance, a quarter the
/// next lower one, and so on, so that each issue keeps an ever thinner sample. Age adds to it, slowly. Counters are no part of this: they stay.
package enum Eviction {
    /// Payloads of an issue that are never too many.
    package static let alwaysKept = 10
    /// At most so many go in one run, so that nobody waits long behind it.
    package static let largestRun = 500

    /// What a new payload of an issue with so many stored is marked with, for good.
    package static func irrelevance(stored: Int, using generator: inout some RandomNumberGenerator) -> Int {
        guard stored >= alwaysKept else { return 0 }
        let levels = Int.bitWidth - stored.leadingZeroBitCount
        return max(0, levels - generator.next().trailingZeroBitCount)
    }

    /// Whether a payload stays whatever its irrelevance.
    package static func isKept(isFirst: Bool, turn: IssueStanding.Turn?, stored: Int) -> Bool {
        isFirst || turn != nil || stored < alwaysKept
    }

    /// How many go now: none up to the quota, beyond it a little more than the excess, so that the next crash does not evict again.
    package static func run(stored: Int, quota: Int) -> Int {
        guard stored > quota else { return 0 }
        return min(max(stored - quota, quota / 20), largestRun)
    }

    /// Ages that weigh the same; those with the largest sum of weight and irrelevance go first.
    package struct Band: Sendable, Equatable {
        package var weight: Int
        /// Received at `from` or later, and before `to`.
        package var from: Timestamp
        package var to: Timestamp
    }

    /// All ages, the youngest first: an hour weighs nothing, and each fourfold age one more.
    package static func bands(at now: Timestamp) -> [Band] {
        var bands: [Band] = []
        var hours: Int64 = 1
        var to = Timestamp(milliseconds: .max)
        // The last band begins ten years ago and holds everything before.
        while hours < 24 * 3_650 {
            let from = now - .hours(hours)
            bands.append(Band(weight: bands.count, from: from, to: to))
            to = from
            hours *= 4
        }
        bands.append(Band(weight: bands.count, from: Timestamp(milliseconds: .min), to: to))
        return bands
    }
}
