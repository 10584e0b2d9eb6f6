// SPDX-License-Identifier: Apache-2.0

package import Platform

/// How much one origin gets at a time.
package struct OriginLimits: Sendable, Equatable {
    package var inFlight = 64
    /// 0 limits nothing.
    package var perSecond = 0

    package init() {}
}

package enum Admission: Sendable, Equatable {
    case go
    /// Not before one of those in flight has ended.
    case full
    case wait(until: Timestamp)
}

/// Lets deliveries to one origin through: a cap in flight, a rate, a pause where the origin asks for one, and a breaker where it is down.
///
/// Each `go` must be followed by one `ended` or `withdrawn`. Few may be in flight at first, one more with each answer, one fewer with each that was late,
/// and half as many when the origin asks for less: whoever does not answer, or not soon, never holds many places.
package struct OriginGate: Sendable {
    package static let firstWidth = 8
    /// Who answers late may hold so many places for a second each, half as many for two, and one however late.
    private static let latePlaces = Timestamp.Span.seconds(16)

    package private(set) var inFlight = 0
    /// It answered in time when it last had something to answer.
    package private(set) var isPrompt = false
    private let cap: Int
    private var width: Int
    private var rate: RateLimit
    private var breaker: OriginBreaker
    /// The origin has asked to be left alone.
    private var pause: Pause?

    package init(_ limits: OriginLimits = OriginLimits(), at now: Timestamp) {
        cap = max(limits.inFlight, 1)
        width = min(cap, OriginGate.firstWidth)
        let perSecond = min(limits.perSecond, 1_000_000)
        rate = RateLimit(perMinute: perSecond * 60, burst: perSecond, at: now)
        breaker = OriginBreaker(at: now)
    }

    package mutating func admit(at now: Timestamp) -> Admission {
        if let blocked = blocked(at: now) { return blocked }
        if case .limited(let seconds) = rate.take(1, at: now) { return .wait(until: now + .seconds(Int64(seconds))) }
        breaker.admitted()
        inFlight += 1
        return .go
    }

    /// How many `admit` would let through now.
    package mutating func room(at now: Timestamp) -> Int {
        guard blocked(at: now) == nil else { return 0 }
        return min(breaker.isClosed ? width - inFlight : 1, rate.available(at: now))
    }

    /// Whether it is not known to be down.
    package var isTrusted: Bool { breaker.isClosed }

    /// Whether nothing is held against the origin: it is not known to be down, nor does it ask to be left alone.
    package func isCalm(at now: Timestamp) -> Bool { breaker.isClosed && !(pause?.holds(at: now) ?? false) }

    /// Until when nothing goes, whatever ends meanwhile; nil where it is not for the time that it is held up.
    package mutating func rest(at now: Timestamp) -> Timestamp? {
        if case .wait(let until) = blocked(at: now) { return until }
        guard rate.available(at: now) == 0, case .limited(let seconds) = rate.take(1, at: now) else { return nil }
        return now + .seconds(Int64(seconds))
    }

    /// One that was let through did not go, which says nothing of the origin.
    package mutating func withdrawn(at now: Timestamp) {
        inFlight = max(inFlight - 1, 0)
        breaker.withdrawn(at: now)
    }

    package mutating func ended(_ report: OriginReport, at now: Timestamp) {
        inFlight = max(inFlight - 1, 0)
        let wasClosed = breaker.isClosed
        breaker.ended(report, at: now)
        // Who was down is not met with all that has waited.
        if !wasClosed, breaker.isClosed { width = 1 }
        isPrompt = report == .answered
        switch report {
        case .answered: width = min(width + 1, cap)
        case .late(let took): width = max(min(width, OriginGate.places(for: took)), width - 1)
        case .slowDown(let until): slowDown(until, at: now)
        case .failed, .unreachable: break
        }
    }

    /// Those that were in flight together tell the same: only the first of them halves, the longest pause holds.
    private mutating func slowDown(_ until: Timestamp, at now: Timestamp) {
        let asked = Pause(until - now, from: now)
        if let pause, pause.holds(at: now) {
            if asked.until > pause.until { self.pause = asked }
        } else {
            width = max(width / 2, 1)
            pause = asked
        }
    }

    private static func places(for took: Timestamp.Span) -> Int {
        max(Int(latePlaces.milliseconds / max(took.milliseconds, 1)), 1)
    }

    private func blocked(at now: Timestamp) -> Admission? {
        if let pause, pause.holds(at: now) { return .wait(until: pause.until) }
        return breaker.blocked(inFlight: inFlight, at: now) ?? (inFlight < width ? nil : .full)
    }
}
