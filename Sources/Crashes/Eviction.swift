// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A policy that selects the payloads to delete when too many are stored. Counters are not affected.
///
/// The policy thins each issue out instead of deleting the oldest reports. A new payload gets an irrelevance: 0 while an issue has few,
/// then a random level that rises with the number already stored. Half of the payloads get the highest level, a quarter the next lower one,
/// and so on. The age adds a weight that rises by one for each fourfold age. Payloads with the largest sum are deleted first.
///
///     stored 1,000 → levels 10, 9, 8 … with probabilities 1/2, 1/4, 1/8 …
///     age < 1 h → 0, < 4 h → 1, < 16 h → 2 …
package enum Eviction {
    /// The number of payloads of an issue that are never deleted.
    static let alwaysKept = 10
    /// The maximum number of payloads deleted in one run. It bounds how long other writes wait.
    package static let largestRun = 500

    /// Returns the irrelevance of a new payload of an issue with `stored` payloads. It is stored with the payload and never changes.
    package static func irrelevance(stored: Int, using generator: inout some RandomNumberGenerator) -> Int {
        guard stored >= alwaysKept else { return 0 }
        let levels = Int.bitWidth - stored.leadingZeroBitCount
        return max(0, levels - generator.next().trailingZeroBitCount)
    }

    /// Whether a payload is exempt from eviction.
    package static func isKept(isFirst: Bool, transition: IssueStanding.Transition?, stored: Int) -> Bool {
        isFirst || transition != nil || stored < alwaysKept
    }

    /// Returns the number of payloads to delete: none up to the quota, else at least 5 % of the quota, so that the next crash does not
    /// start another run.
    package static func run(stored: Int, quota: Int) -> Int {
        guard stored > quota else { return 0 }
        return min(max(stored - quota, quota / 20), largestRun)
    }

    /// A range of receipt times with the same weight.
    package struct Band: Sendable, Equatable {
        package var weight: Int
        /// The start of the range; `to` is its exclusive end.
        package var from: Timestamp
        package var to: Timestamp
    }

    /// Returns all bands, the youngest first. The first hour weighs 0, and each fourfold age adds 1.
    package static func bands(at now: Timestamp) -> [Band] {
        var bands: [Band] = []
        var hours: Int64 = 1
        var to = Timestamp(milliseconds: .max)
        // The last band starts ten years ago and covers everything before.
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
