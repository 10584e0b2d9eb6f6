// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import Synchronization

/// Limits requests with unknown keys by address: above the limit they get 429 instead of 401. So do requests without a key that rules deny,
/// where rules decide about them.
///
/// Requests with a valid key, and those that rules allow, never come here, so nobody can lock out the other users of an address. An IPv6 address
/// counts with its /64 network, and an address behind a trusted proxy by itself.
///
///     10 a minute     ten requests with unknown keys: 401; the eleventh: 429 with `Retry-After: 6`; one with a valid key: 200
final class KeyFailures: Sendable {
    fileprivate struct State {
        var limits: [ClientAddress: RateLimit] = [:]
        var perMinute = 0
        /// Limited requests since the last log line.
        var limited = 0
        var nextLine = ContinuousClock.now
    }

    /// The number of addresses that are remembered; beyond it all are forgotten, which only gives each a new burst.
    private static let mostAddresses = 10_000
    private static let restBetweenLines = Duration.seconds(60)

    private let state = Mutex(State())
    private let configuration: LiveConfiguration
    private let clock: WallClock
    private let log: Log
    private let failures: Counter
    private let limited: Counter

    init(_ configuration: LiveConfiguration, _ clock: WallClock, _ log: Log, _ metrics: Metrics) {
        (self.configuration, self.clock, self.log) = (configuration, clock, log)
        failures = metrics.counter(
            "signalbox_key_failures_total", "Requests with an unknown, revoked or expired key, or that rules of files deny without a key.")
        limited = metrics.counter("signalbox_key_failures_limited_total", "Those of them that were answered with 429.")
    }

    /// Counts a request with an unknown key, or one that is denied without one. Throws the refusal for an address with too many.
    func note(_ client: ClientAddress) throws(Refusal) {
        failures.add()
        let perMinute = configuration.now.server.keyFailures
        guard perMinute > 0, case .limited(let seconds) = take(client.subscriber, perMinute) else { return }
        limited.add()
        if let count = state.withLock({ $0.lineToWrite(after: KeyFailures.restBetweenLines) }) {
            log.warning(
                "requests with unknown keys are limited; check the keys of this client",
                ["address": .text("\(client)"), "requests": .count(count)])
        }
        throw Refusal(
            .rateLimited, "Too many requests with unknown keys, or without one, came from this address.",
            hint: "Check the key. Requests with a valid key are not limited.", retryAfterSeconds: max(1, seconds))
    }

    /// The number of addresses in memory.
    var rememberedAddresses: Int { state.withLock(\.limits.count) }

    private func take(_ subscriber: ClientAddress, _ perMinute: Int) -> RateLimit.Verdict {
        let now = clock.now()
        return state.withLock { state in
            if state.perMinute != perMinute || state.limits.count >= KeyFailures.mostAddresses && state.limits[subscriber] == nil {
                (state.perMinute, state.limits) = (perMinute, [:])
            }
            var limit = state.limits[subscriber] ?? RateLimit(perMinute: perMinute, burst: perMinute, at: now)
            defer { state.limits[subscriber] = limit }
            return limit.take(1, at: now)
        }
    }
}

extension KeyFailures.State {
    /// Counts a limited request; returns the number since the last line if it is time for another.
    fileprivate mutating func lineToWrite(after rest: Duration) -> Int? {
        limited += 1
        guard nextLine <= .now else { return nil }
        defer { (limited, nextLine) = (0, .now + rest) }
        return limited
    }
}
