// SPDX-License-Identifier: Apache-2.0

import Platform

/// A circuit breaker for an origin. It stops deliveries when most fail; after a growing pause a single delivery probes the origin.
///
///     closed → open for 10 s      5 exchanges in a row without a response, or 70 % of at least 10 in a minute failed
///     open → probing              the pause is over; one delivery goes
///     probing → closed            it got a response
///     probing → open for 20 s     it failed; the pause doubles up to 10 min
struct OriginBreaker: Sendable {
    private enum State {
        case closed
        case open(Pause)
        case probing
    }

    private static let shortestPause = Timestamp.Span.seconds(10)
    private static let maxUnreachable = 5
    private static let window = Timestamp.Span.seconds(60)
    /// The minimum number of exchanges in a window, and the percentage of failures that opens the breaker.
    private static let fewest = 10
    private static let worst = 70

    private var state = State.closed
    private var nextPause = shortestPause
    private var unreachableInARow = 0
    private var windowStart: Timestamp
    private var exchanges = 0
    private var failures = 0

    init(at now: Timestamp) {
        windowStart = now
    }

    var isClosed: Bool {
        guard case .closed = state else { return false }
        return true
    }

    /// Returns why a delivery may not go. A probe goes alone: earlier deliveries must have ended, so that the next result is the probe's.
    func blocked(inFlight: Int, at now: Timestamp) -> Admission? {
        switch state {
        case .closed: nil
        case .open(let pause) where pause.holds(at: now): .wait(until: pause.until)
        case .open: inFlight == 0 ? nil : .full
        case .probing: .full
        }
    }

    mutating func admitted() {
        if case .probing = state { preconditionFailure("a delivery was admitted while the origin is being probed") }
        if case .open = state { state = .probing }
    }

    mutating func ended(_ report: OriginReport, at now: Timestamp) {
        switch state {
        case .closed:
            count(report, at: now)
            if isDown { open(at: now) }
        case .open: break
        case .probing: if report.isFailure { open(at: now) } else { close(at: now) }
        }
    }

    /// Notes that the probe was not sent. The next delivery probes instead.
    mutating func withdrawn(at now: Timestamp) {
        if case .probing = state { state = .open(Pause(.seconds(0), from: now)) }
    }

    private var isDown: Bool {
        unreachableInARow >= OriginBreaker.maxUnreachable
            || exchanges >= OriginBreaker.fewest && failures * 100 >= exchanges * OriginBreaker.worst
    }

    private mutating func count(_ report: OriginReport, at now: Timestamp) {
        if now < windowStart || now - windowStart >= OriginBreaker.window { startWindow(at: now) }
        exchanges += 1
        if report.isFailure { failures += 1 }
        unreachableInARow = report == .unreachable ? unreachableInARow + 1 : 0
    }

    private mutating func open(at now: Timestamp) {
        state = .open(Pause(nextPause, from: now))
        nextPause = min(Timestamp.Span(milliseconds: nextPause.milliseconds * 2), Pause.longest)
    }

    private mutating func close(at now: Timestamp) {
        state = .closed
        nextPause = OriginBreaker.shortestPause
        unreachableInARow = 0
        startWindow(at: now)
    }

    private mutating func startWindow(at now: Timestamp) {
        windowStart = now
        exchanges = 0
        failures = 0
    }
}

/// A period without deliveries to an origin.
struct Pause: Sendable {
    static let longest = Timestamp.Span.minutes(10)

    let until: Timestamp

    init(_ length: Timestamp.Span, from now: Timestamp) {
        until = now + min(length, Pause.longest)
    }

    /// Whether the pause is active. Setting the clock back does not extend it beyond its maximum.
    func holds(at now: Timestamp) -> Bool { now < until && until - now <= Pause.longest }
}

extension OriginReport {
    fileprivate var isFailure: Bool { self == .failed || self == .unreachable }
}
