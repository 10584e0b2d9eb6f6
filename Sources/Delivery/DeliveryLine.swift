// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// What is claimed of one origin and not sent yet, and what lets it through.
struct DeliveryLine: Sendable {
    var gate: OriginGate
    /// The last claim took as much as there was room for, or left it out for want of room, as may the one that is under way.
    var mayHaveMore = true
    /// Whether it waits for its turn.
    var isInTurn = false

    var waiting = WaitingLine<ClaimedDelivery>()
    private var pace: Pace
    private let mostWaiting: Int

    /// Deliveries held for each place in flight, where they are as fast as that.
    private static let depth = 32

    init(_ limits: OriginLimits, at now: Timestamp) {
        gate = OriginGate(limits, at: now)
        pace = Pace(at: now)
        let most = max(limits.inFlight, 1) * DeliveryLine.depth
        mostWaiting = limits.perSecond > 0 ? min(most, limits.perSecond) : most
    }

    var isAtRest: Bool { waiting.count == 0 && gate.inFlight == 0 }

    /// Nil where nothing went out.
    mutating func ended(_ report: OriginReport?, at now: Timestamp) {
        guard let report else { return gate.withdrawn(at: now) }
        gate.ended(report, at: now)
        if gate.isTrusted { pace.count(at: now) } else { pace = Pace(at: now) }
    }

    /// How many to claim: as many as go at once and then within a second, for what is claimed cannot be claimed by anybody else. None where it is only for a few.
    mutating func room(at now: Timestamp) -> Int {
        let places = gate.room(at: now)
        guard places > 0 || gate.isTrusted && gate.rest(at: now) == nil else { return 0 }
        let wanted = places + (gate.isTrusted ? min(pace.perSecond, mostWaiting) : 0)
        return waiting.count <= wanted / 2 ? wanted - waiting.count : 0
    }
}

/// How many exchanges ended within a second: this one, or the one before it if there were more.
struct Pace: Sendable {
    private static let second = Timestamp.Span.seconds(1)

    private var start: Timestamp
    private var inThis = 0
    private var inLast = 0

    init(at now: Timestamp) {
        start = now
    }

    var perSecond: Int { max(inThis, inLast) }

    mutating func count(at now: Timestamp) {
        let age = now - start
        if age < .seconds(0) || age >= Pace.second {
            inLast = age < .seconds(2) ? inThis : 0
            inThis = 0
            start = now
        }
        inThis += 1
    }
}
