// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
package import Testing

/// The seed of the random choices of fault tests. `SIGNALBOX_FAULT_SEED` sets it, to repeat a run.
package enum FaultSeed {
    package static let value = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...1 << 60)

    /// Returns the first of several calls at a distance, which is one of the first `distance`.
    ///
    /// - Parameter stream: Tells apart choices that do not depend on each other.
    package static func first(ofEvery distance: Int, stream: Int = 0) -> Int {
        var random = SeededGenerator(value &+ UInt64(stream))
        return Int.random(in: 1...distance, using: &random)
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed to every failure.
    package static var namesFaultSeed: Self {
        .compactMapIssues { issue in
            let seed: Comment = "SIGNALBOX_FAULT_SEED=\(FaultSeed.value)"
            var issue = issue
            // A trait of a suite is applied to each of its tests again.
            if !issue.comments.contains(seed) { issue.comments.append(seed) }
            return issue
        }
    }
}
