// SPDX-License-Identifier: Apache-2.0

/// Stops the starts of a worker that crashes again and again.
///
///     five crashes within a minute   →   broken for a minute; then it is tried again
///     a call that ends as it should  →   no longer failing
struct CrashBreaker: Sendable {
    static let crashes = 5
    static let window = Duration.seconds(60)
    static let pause = Duration.seconds(60)

    private var recent: [ContinuousClock.Instant] = []
    private(set) var brokenUntil: ContinuousClock.Instant?
    /// Whether it broke, and no call has succeeded since.
    private(set) var isFailing = false

    func isBroken(at now: ContinuousClock.Instant) -> Bool { brokenUntil.map { now < $0 } ?? false }

    /// Whether nothing has to be remembered.
    func isCalm(at now: ContinuousClock.Instant) -> Bool {
        !isFailing && !isBroken(at: now) && recent.allSatisfy { now - $0 >= CrashBreaker.window }
    }

    /// Counts a crash. Returns whether the worker is broken from now on.
    mutating func crashed(at now: ContinuousClock.Instant) -> Bool {
        recent.removeAll { now - $0 >= CrashBreaker.window }
        recent.append(now)
        guard recent.count >= CrashBreaker.crashes else { return false }
        recent = []
        brokenUntil = now + CrashBreaker.pause
        isFailing = true
        return true
    }

    mutating func succeeded() { isFailing = false }
}
