// SPDX-License-Identifier: Apache-2.0

import Platform

/// Stops deliveries to an origin that is down; after a pause, which grows, one goes to see whether it is back.
struct OriginBreaker: Sendable {
    private enum State {
        case closed
        case open(Pause)
        case probing
    }

    private static let shortestPause = Timestamp.Span.seconds(10)
    private static let mostUnreachable = 5
    private static let window = Timestamp.Span.seconds(60)
    /// So many exchanges in a window say something about the origin, and so many of a hundred failures that it is down.
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

    /// The one that is tried goes alone, so that what ends next is its end: those still under way from before are waited for.
    func blocked(inFlight: Int, at now: Timestamp) -> Admission? {
        switch state {
        case .closed: nil
        case .open(let pause) where pause.holds(at: now): .wait(until: pause.until)
        case .open: inFlight == 0 ? nil : .full
        case .probing: .full
        }
    }

    mutating func admitted() {
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

    /// The one that was to be tried did not go: the next one is.
    mutating func withdrawn(at now: Timestamp) {
        if case .probing = state { state = .open(Pause(.seconds(0), from: now)) }
    }

    private var isDown: Bool {
        unreachableInARow >= OriginBreaker.mostUnreachable
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

/// A time in which nothing goes to an origin.
struct Pause: Sendable {
    static let longest = Timestamp.Span.minutes(10)

    let until: Timestamp

    init(_ length: Timestamp.Span, from now: Timestamp) {
        until = now + min(length, Pause.longest)
    }

    /// A clock that is set back does not make it longer than it may be.
    func holds(at now: Timestamp) -> Bool { now < until && until - now <= Pause.longest }
}

extension OriginReport {
    fileprivate var isFailure: Bool { self == .failed || self == .unreachable }
}
