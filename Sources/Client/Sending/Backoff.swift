// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Exponential backoff with jitter that honours `Retry-After`.
///
/// Example with `first` 1 s and `longest` 300 s: failures pause 0.5–1 s, 1–2 s, 2–4 s … 150–300 s.
package struct Backoff: Equatable, Sendable {
    package var first: TimeInterval = 1
    package var longest: TimeInterval = 5 * 60
    package private(set) var failures = 0
    /// The time of the next automatic attempt.
    package private(set) var next = Date.distantPast
    /// The time given by `Retry-After`, which explicit calls honour too.
    private(set) var allowed = Date.distantPast
    /// The time of the last failure. A clock that says an earlier one was set back.
    private var lastFailure = Date.distantPast

    package init(first: TimeInterval = 1, longest: TimeInterval = 5 * 60) {
        self.first = first
        self.longest = longest
    }

    /// - Parameter chance: Jitter between 0 and 1, so that clients failing together do not retry together.
    package mutating func failed(at now: Date, retryAfter: TimeInterval?, chance: Double = .random(in: 0...1)) {
        let pause = min(longest, first * pow(2, Double(min(failures, 30))))
        failures += 1
        lastFailure = now
        if let retryAfter { allowed = now.addingTimeInterval(min(retryAfter, 24 * 60 * 60)) }
        next = max(now.addingTimeInterval(pause / 2 + pause / 2 * chance), allowed.addingTimeInterval(pause / 2 * chance))
    }

    package mutating func succeeded() {
        self = Backoff(first: first, longest: longest)
    }

    /// Allows an attempt as soon as `Retry-After` has passed.
    package mutating func retryNow() {
        next = allowed
    }

    /// The seconds until the next automatic attempt; none if the device's clock was set back, as the time may be years away then.
    package func rest(at now: Date) -> TimeInterval { now < lastFailure ? 0 : max(0, next.timeIntervalSince(now)) }

    /// The seconds until `Retry-After` has passed; none if the device's clock was set back.
    package func retryAfter(at now: Date) -> TimeInterval { now < lastFailure ? 0 : max(0, allowed.timeIntervalSince(now)) }
}

extension Backoff {
    /// Counts a failed attempt and waits until the next one. Throws if the task is cancelled.
    package mutating func pause(retryAfter: TimeInterval?) async throws(CancellationError) {
        let now = Date()
        failed(at: now, retryAfter: retryAfter)
        do {
            try await Task.sleep(for: .seconds(next.timeIntervalSince(now)))
        } catch {
            throw CancellationError()
        }
    }
}
