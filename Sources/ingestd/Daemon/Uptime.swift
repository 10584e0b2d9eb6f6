// SPDX-License-Identifier: Apache-2.0

/// The time since the daemon started.
struct Uptime: Sendable {
    private let started = ContinuousClock.now

    var seconds: Int { Int((ContinuousClock.now - started).components.seconds) }
}
