// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// The claimed deliveries of one origin and its gate.
struct OriginQueue: Sendable {
    var gate: OriginGate
    /// Whether the queue may have more: the last claim used the whole capacity or excluded the origin, or such a claim is under way.
    var mayHaveMore = true
    /// Whether the origin is queued for a turn.
    var isInTurn = false

    var waiting = FIFOQueue<ClaimedDelivery>()
    private var throughput: Throughput
    private let maxWaiting: Int

    /// The number of deliveries held per place in flight for fast origins.
    private static let depth = 32

    init(_ limits: OriginLimits, at now: Timestamp) {
        gate = OriginGate(limits, at: now)
        throughput = Throughput(at: now)
        let most = max(limits.inFlight, 1) * OriginQueue.depth
        maxWaiting = limits.perSecond > 0 ? min(most, limits.perSecond) : most
    }

    var isAtRest: Bool { waiting.count == 0 && gate.inFlight == 0 }

    /// Ends an exchange. A nil report means that no request was sent.
    mutating func ended(_ report: OriginReport?, at now: Timestamp) {
        guard let report else { return gate.withdrawn(at: now) }
        gate.ended(report, at: now)
        if gate.isTrusted { throughput.count(at: now) } else { throughput = Throughput(at: now) }
    }

    /// Returns the number to claim: as many as can be sent at once and within a second, since other senders cannot claim them. Returns 0
    /// for small numbers.
    mutating func capacity(at now: Timestamp) -> Int {
        let places = gate.capacity(at: now)
        guard places > 0 || gate.isTrusted && gate.rest(at: now) == nil else { return 0 }
        let wanted = places + (gate.isTrusted ? min(throughput.perSecond, maxWaiting) : 0)
        return waiting.count <= wanted / 2 ? wanted - waiting.count : 0
    }
}

/// The number of exchanges per second: the maximum of this and the previous second.
struct Throughput: Sendable {
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
        if age < .seconds(0) || age >= Throughput.second {
            inLast = age < .seconds(2) ? inThis : 0
            inThis = 0
            start = now
        }
        inThis += 1
    }
}
