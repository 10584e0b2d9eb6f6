// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The limits of one origin.
package struct OriginLimits: Sendable, Equatable {
    package var inFlight = 64
    /// The rate limit; 0 for none.
    package var perSecond = 0
    /// The response time from which an origin gets less capacity.
    package var lateAfter = Timestamp.Span.seconds(1)

    package init() {}
}

package enum Admission: Sendable, Equatable {
    case go
    /// The limit in flight is reached; an exchange must end first.
    case full
    case wait(until: Timestamp)
}

/// The admission control of one origin: a limit in flight, a rate limit, a pause requested by the origin, and a circuit breaker.
///
/// Each `.go` must be followed by one `ended` or `withdrawn`. The limit in flight starts low. It grows by one with each prompt response,
/// shrinks by one with each late one, and halves when the origin asks for less. A slow origin therefore never holds many places.
///
///     admit, 8 times      → go        the limit is 8 at first
///     admit               → full
///     ended(.responded)               the limit is 9
///     ended(.slowDown(until: t))      the limit is 4
///     admit               → wait(until: t)
package struct OriginGate: Sendable {
    static let firstWidth = 8
    /// The capacity of a late origin: 16 places at one second, 8 at two, at least one.
    private static let latePlaces = Timestamp.Span.seconds(16)

    package private(set) var inFlight = 0
    /// Whether the last response came in time.
    private(set) var isPrompt = false
    private let cap: Int
    private var width: Int
    private var rate: RateLimit
    private var breaker: OriginBreaker
    /// The pause requested by the origin.
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

    /// Returns the number of deliveries that `admit` would let through now.
    package mutating func capacity(at now: Timestamp) -> Int {
        guard blocked(at: now) == nil else { return 0 }
        return min(breaker.isClosed ? width - inFlight : 1, rate.available(at: now))
    }

    /// Whether the breaker is closed.
    package var isTrusted: Bool { breaker.isClosed }

    /// Whether the breaker is closed and the origin has not requested a pause.
    func isCalm(at now: Timestamp) -> Bool { breaker.isClosed && !(pause?.holds(at: now) ?? false) }

    /// Returns the end of a pause during which nothing is sent; nil if the origin is not paused.
    package mutating func rest(at now: Timestamp) -> Timestamp? {
        if case .wait(let until) = blocked(at: now) { return until }
        guard rate.available(at: now) == 0, case .limited(let seconds) = rate.take(1, at: now) else { return nil }
        return now + .seconds(Int64(seconds))
    }

    /// Notes that an admitted delivery was not sent, which says nothing about the origin.
    package mutating func withdrawn(at now: Timestamp) {
        assert(inFlight > 0, "a delivery was withdrawn from an origin that has none in flight")
        inFlight = max(inFlight - 1, 0)
        breaker.withdrawn(at: now)
    }

    package mutating func ended(_ report: OriginReport, at now: Timestamp) {
        assert(inFlight > 0, "an exchange ended with an origin that has none in flight")
        inFlight = max(inFlight - 1, 0)
        let wasClosed = breaker.isClosed
        breaker.ended(report, at: now)
        // A recovered origin does not get the whole backlog at once.
        if !wasClosed, breaker.isClosed { width = 1 }
        isPrompt = report == .responded
        switch report {
        case .responded: width = min(width + 1, cap)
        case .late(let took): width = max(min(width, OriginGate.places(for: took)), width - 1)
        case .slowDown(let until): slowDown(until, at: now)
        case .failed, .unreachable: break
        }
    }

    /// Halves the limit and pauses. Concurrent responses have the same cause: only the first halves, and the longest pause applies.
    private mutating func slowDown(_ until: Timestamp, at now: Timestamp) {
        let requested = Pause(until - now, from: now)
        if let pause, pause.holds(at: now) {
            if requested.until > pause.until { self.pause = requested }
        } else {
            width = max(width / 2, 1)
            pause = requested
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
