// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// The scheduler of deliveries. It decides which claimed deliveries to send now and how many more to claim.
///
/// Deliveries queue per origin, and origins take turns of up to 16, so a busy one cannot delay the others. Each origin's `OriginGate` limits what
/// is in flight. Deliveries of an origin that pauses for more than a few seconds are returned to the queue, so they use no capacity. The
/// desk does no I/O: `Sender` calls it, sends, and reports the results.
///
///     take [a1 … a20, b1]         21 held
///     start → send [a1 … a8, b1]  8 in flight at origin a, the first limit of its gate; 12 held
///     ended(a1, .responded)       a gets another turn, and a limit of 9
///     start → send [a9, a10]
///     recorded(1)                     the outcome of a1 is durable; a claim may ask for one more
///
/// Invariants: `held` counts claimed and unsent deliveries, `unrecorded` those whose outcome is not durable yet. `held + unrecorded ≤ maxHeld`,
/// and at most `maxInFlight` are under way.
struct DeliveryDesk: Sendable {
    /// The limit of deliveries claimed and unsent, or whose outcome is not durable yet.
    static let maxHeld = 8_192
    /// The number of origins from which idle ones are removed.
    static let maxQueues = 4_096
    /// The number of deliveries per turn of an origin.
    private static let deliveriesPerTurn = 16
    /// The pause of deliveries for which there is no capacity because other origins do not answer.
    private static let restWithoutPlace = Timestamp.Span.seconds(5)
    /// The longest pause during which deliveries stay claimed. They are returned for longer ones.
    private static let longestRest = Timestamp.Span.seconds(5)

    /// The time beyond the limit of an exchange until its end is known.
    static let ending = Timestamp.Span.seconds(5)

    let limits: OriginLimits
    private let maxInFlight: Int
    /// The time limit of an exchange. Deliveries whose lease would end earlier are returned.
    private let exchangeTimeout: Timestamp.Span
    var queues: [Int64: OriginQueue] = [:]
    private var underWay: [Int64: ClaimedDelivery] = [:]
    /// The IDs of deliveries under way to origins that have not been answering in time.
    private var uncertain: Set<Int64> = []
    private var unrecorded = 0
    /// Whether the last claim asked for less than the origins' capacity.
    var isShort = false
    /// The origins with something to send, in order of their turns.
    private var turns = FIFOQueue<Int64>()
    /// The ends of short pauses by origin.
    private var resting: [Int64: Timestamp] = [:]
    var held = 0
    private(set) var isClosed = false

    init(_ limits: OriginLimits, maxInFlight: Int, exchangeTimeout: Timestamp.Span) {
        self.limits = limits
        self.maxInFlight = maxInFlight
        self.exchangeTimeout = exchangeTimeout
    }

    var inFlight: Int { underWay.count }
    /// The number of origins with an open breaker.
    var brokenOrigins: Int { queues.values.count { !$0.gate.isTrusted } }
    /// The number of further deliveries that may be claimed.
    var limit: Int { isClosed ? 0 : max(DeliveryDesk.maxHeld - held - unrecorded, 0) }

    // MARK: Sending

    struct Start {
        var send: [ClaimedDelivery] = []
        /// Deliveries returned to the queue because of their lease or their origin's pause.
        var returned: [DeliveryOutcome] = []
        /// The earliest end of a pause or of a returned delivery's wait.
        var resumes: Timestamp?

        fileprivate mutating func resume(by time: Timestamp) {
            resumes = min(resumes ?? time, time)
        }
    }

    /// Returns the deliveries to send now.
    mutating func start(at now: Timestamp) -> Start {
        var start = Start()
        if isClosed {
            start.returned = returnAllToQueue(at: now)
            return start
        }
        wake(at: now)
        while inFlight < maxInFlight, let origin = turns.take() { serve(origin, at: now, &start) }
        if let rest = resting.values.min() { start.resume(by: rest) }
        assert(held >= 0 && inFlight <= maxInFlight, "the desk sent deliveries that it does not hold, or too many at once")
        return start
    }

    private mutating func serve(_ origin: Int64, at now: Timestamp, _ start: inout Start) {
        // Removed from the dictionary while it changes, to avoid a copy of its queue.
        guard var queue = queues.removeValue(forKey: origin) else { return }
        queue.isInTurn = false
        defer { queues[origin] = queue }
        var left = min(DeliveryDesk.deliveriesPerTurn, maxInFlight - inFlight)
        while let next = queue.waiting.next {
            if next.leaseEnds < next.timeout.map({ now + $0 + DeliveryDesk.ending }) ?? (now + exchangeTimeout) {
                queue.waiting.take()
                returnToQueue([next], due: now, &start)
                continue
            }
            if let before = underWay[next.id] {
                queue.waiting.take()
                claimedAgain(next, before, at: now, &start)
                continue
            }
            guard left > 0 else {
                queue.isInTurn = true
                return turns.add(origin)
            }
            guard queue.gate.isPrompt || uncertain.count < maxUncertain else {
                return returnToQueue(queue.waiting.takeAll(), due: now + DeliveryDesk.restWithoutPlace, &start)
            }
            switch queue.gate.admit(at: now) {
            case .go:
                if !queue.gate.isPrompt { uncertain.insert(next.id) }
                left -= 1
                held -= 1
                queue.waiting.take()
                underWay[next.id] = next
                start.send.append(next)
            // The end of an exchange gives the origin another turn.
            case .full: return
            case .wait(let until):
                if until - now <= DeliveryDesk.longestRest { return resting[origin] = until }
                returnToQueue(queue.waiting.takeAll(), due: until, &start)
            }
        }
    }

    /// Handles a second claim of a delivery under way. Its lease ended early because the clock changed.
    private mutating func claimedAgain(_ delivery: ClaimedDelivery, _ before: ClaimedDelivery, at now: Timestamp, _ start: inout Start) {
        if before.url == delivery.url, before.origin == delivery.origin {
            // The outcome is reported under the new claim.
            underWay[delivery.id] = delivery
            held -= 1
        } else {
            // The endpoint has changed. The result of the exchange no longer matters, and the queue ignores it under the old claim.
            returnToQueue([delivery], due: now + .seconds(1), &start)
        }
    }

    /// The capacity for origins that do not answer in time. A quarter is reserved for the others.
    private var maxUncertain: Int { maxInFlight - maxInFlight / 4 }

    mutating func requestTurn(for origin: Int64) {
        guard let queue = queues[origin], queue.waiting.next != nil, !queue.isInTurn else { return }
        queues[origin]?.isInTurn = true
        turns.add(origin)
    }

    /// Gives a turn to origins whose pause is over, or would be too long because the clock was set back.
    private mutating func wake(at now: Timestamp) {
        for (origin, until) in resting where until <= now || until - now > DeliveryDesk.longestRest {
            resting[origin] = nil
            requestTurn(for: origin)
        }
    }

    // MARK: Ending

    /// Ends an exchange and returns its delivery. A nil report means that no request was sent.
    mutating func ended(_ id: Int64, _ report: OriginReport?, at now: Timestamp) -> ClaimedDelivery? {
        guard let delivery = underWay.removeValue(forKey: id) else { return nil }
        uncertain.remove(id)
        queues[delivery.origin]?.ended(report, at: now)
        requestTurn(for: delivery.origin)
        unrecorded += 1
        return delivery
    }

    /// Notes that outcomes are durable. Returns whether a claim was waiting for the capacity.
    mutating func recorded(_ count: Int) -> Bool {
        precondition(unrecorded >= count, "more outcomes were recorded than exchanges ended")
        unrecorded -= count
        return isShort && limit > 0
    }

    /// Stops sending and claiming. Returns the deliveries to give back.
    mutating func close(at now: Timestamp) -> [DeliveryOutcome] {
        isClosed = true
        return returnAllToQueue(at: now)
    }

    private mutating func returnAllToQueue(at now: Timestamp) -> [DeliveryOutcome] {
        var waiting: [ClaimedDelivery] = []
        for origin in Array(queues.keys) where queues[origin]?.waiting.next != nil { waiting += queues[origin]?.waiting.takeAll() ?? [] }
        return returnToQueue(waiting, due: now)
    }

    /// Returns deliveries to the queue. The queue does not signal when these become due if it assumes that more of the origin are due
    /// already, so the desk sets a time itself.
    private mutating func returnToQueue(_ waiting: [ClaimedDelivery], due: Timestamp, _ start: inout Start) {
        guard !waiting.isEmpty else { return }
        start.returned += returnToQueue(waiting, due: due)
        start.resume(by: due)
    }

    private mutating func returnToQueue(_ waiting: [ClaimedDelivery], due: Timestamp) -> [DeliveryOutcome] {
        precondition(held >= waiting.count, "more deliveries were returned than are held")
        held -= waiting.count
        unrecorded += waiting.count
        return waiting.map { DeliveryOutcome($0, .returned(due: due), nil) }
    }
}
