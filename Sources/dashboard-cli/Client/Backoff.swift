// SPDX-License-Identifier: Apache-2.0

import Panes

/// How long to wait before the next attempt: twice as long each time, up to half a minute, and a little different for everybody.
struct Backoff: Sendable, Equatable {
    private(set) var failures = 0
    private static let first = 0.5
    private static let longest = 30.0

    /// Seconds to wait after another failure; `chance` is from 0 up to 1.
    mutating func next(chance: Double = .random(in: 0..<1)) -> Double {
        let whole = min(Backoff.longest, Backoff.first * Double(1 << min(failures, 10)))
        failures += 1
        return whole * (0.5 + chance / 2)
    }

    mutating func reset() {
        failures = 0
    }
}
