// SPDX-License-Identifier: Apache-2.0

import Foundation

/// When to try again after it did not work: later each time, by chance, and never before the daemon wants it.
struct Backoff: Equatable, Sendable {
    var first: TimeInterval = 1
    var longest: TimeInterval = 5 * 60
    private(set) var failures = 0
    /// Nothing is tried before this unless somebody asks for it.
    private(set) var next = Date.distantPast
    /// The daemon asked for time until then; not even somebody who asks changes that.
    private(set) var asked = Date.distantPast

    init(first: TimeInterval = 1, longest: TimeInterval = 5 * 60) {
        self.first = first
        self.longest = longest
    }

    /// - Parameter chance: Between 0 and 1: where all clients fail together, they do not return together.
    mutating func failed(at now: Date, retryAfter: TimeInterval?, chance: Double = .random(in: 0...1)) {
        let pause = min(longest, first * pow(2, Double(min(failures, 30))))
        failures += 1
        if let retryAfter { asked = now.addingTimeInterval(min(retryAfter, 24 * 60 * 60)) }
        next = max(now.addingTimeInterval(pause / 2 + pause / 2 * chance), asked.addingTimeInterval(pause / 2 * chance))
    }

    mutating func worked() {
        self = Backoff(first: first, longest: longest)
    }

    /// There is reason to hope: the app came back, or somebody asked.
    mutating func hope() {
        next = asked
    }
}
