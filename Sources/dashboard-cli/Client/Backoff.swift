// SPDX-License-Identifier: Apache-2.0

import Panes

/// Exponential backoff with jitter: 0.5 s, 1 s, 2 s, … up to 30 s.
struct Backoff: Sendable, Equatable {
    private(set) var failures = 0
    private static let first = 0.5
    private static let longest = 30.0

    /// Returns the seconds to wait after another failure; `chance` is the jitter from 0 to 1.
    mutating func next(chance: Double = .random(in: 0..<1)) -> Double {
        let whole = min(Backoff.longest, Backoff.first * Double(1 << min(failures, 10)))
        failures += 1
        return whole * (0.5 + chance / 2)
    }

    mutating func reset() {
        failures = 0
    }
}
