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
///     ended(a1, .answered)        a gets another turn, and a limit of 9
///     start → send [a9, a10]
///     told(1)                     the outcome of a1 is durable; a claim may ask for one more
///
/// Invariants: `held` counts claimed and unsent deliveries, `untold` those whose outcome is not durable yet. `held + untold ≤ mostHeld`,
/// and at most `mostInFlight` are under way.
struct DeliveryDesk: Sendable {
    /// The limit of deliveries claimed and unsent, or whose outcome is not durable yet.
    static let mostHeld = 8_192
    /// The number of origins from which idle ones are removed.
    static let mostLines = 4_096
    /// The number of deliveries per turn of an origin.
    private static let share = 16
    /// The pause of deliveries for which there is no capacity because other origins do not answer.
    private static let restWithoutPlace = Timestamp.Span.seconds(5)
    /// The longest pause during which deliveries stay claimed. They are returned for longer ones.
    private static let longestRest = Timestamp.Span.seconds(5)

    let limits: OriginLimits
    private let mostInFlight: Int
    /// The time limit of an exchange. Deliveries whose lease would end earlier are returned.
    private let patience: Timestamp.Span
    var lines: [Int64: DeliveryLine] = [:]
    private var underWay: [Int64: ClaimedDelivery] = [:]
    /// The IDs of deliveries under way to origins that have not been answering in time.
    private var uncertain: Set<Int64> = []
    private var untold = 0
    /// Whether the last claim asked for less than the origins' capacity.
    var isShort = false
    /// The origins with something to send, in order of their turns.
    private var turns = WaitingLine<Int64>()
    /// The ends of short pauses by origin.
    private var resting: [Int64: Timestamp] = [:]
    var held = 0
    private(set) var isClosed = false

    init(_ limits: OriginLimits, mostInFlight: Int, patience: Timestamp.Span) {
        self.limits = limits
        self.mostInFlight = mostInFlight
        self.patience = patience
    }

    var inFlight: Int { underWay.count }
    /// The number of origins with an open breaker.
    var brokenOrigins: Int { lines.values.count { !$0.gate.isTrusted } }
    /// The number of further deliveries that may be claimed.
    var limit: Int { isClosed ? 0 : max(DeliveryDesk.mostHeld - held - untold, 0) }

    // MARK: Sending

    struct Start {
        var send: [ClaimedDelivery] = []
        /// Deliveries returned to the queue because of their lease or their origin's pause.
        var giveBack: [DeliveryOutcome] = []
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
            start.giveBack = giveBackAll(at: now)
            return start
        }
        wake(at: now)
        while inFlight < mostInFlight, let origin = turns.take() { serve(origin, at: now, &start) }
        if let rest = resting.values.min() { start.resume(by: rest) }
        return start
    }

    private mutating func serve(_ origin: Int64, at now: Timestamp, _ start: inout Start) {
        // Removed from the dictionary while it changes, to avoid a copy of its queue.
        guard var line = lines.removeValue(forKey: origin) else { return }
        line.isInTurn = false
        defer { lines[origin] = line }
        var left = min(DeliveryDesk.share, mostInFlight - inFlight)
        while let next = line.waiting.next {
            if next.leaseEnds < now + patience {
                line.waiting.take()
                giveBack([next], due: now, &start)
                continue
            }
            if let before = underWay[next.id] {
                line.waiting.take()
                claimedAgain(next, before, at: now, &start)
                continue
            }
            guard left > 0 else {
                line.isInTurn = true
                return turns.add(origin)
            }
            guard line.gate.isPrompt || uncertain.count < mostUncertain else {
                return giveBack(line.waiting.takeAll(), due: now + DeliveryDesk.restWithoutPlace, &start)
            }
            switch line.gate.admit(at: now) {
            case .go:
                if !line.gate.isPrompt { uncertain.insert(next.id) }
                left -= 1
                held -= 1
                line.waiting.take()
                underWay[next.id] = next
                start.send.append(next)
            // The end of an exchange gives the origin another turn.
            case .full: return
            case .wait(let until):
                if until - now <= DeliveryDesk.longestRest { return resting[origin] = until }
                giveBack(line.waiting.takeAll(), due: until, &start)
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
            giveBack([delivery], due: now + .seconds(1), &start)
        }
    }

    /// The capacity for origins that do not answer in time. A quarter is reserved for the others.
    private var mostUncertain: Int { mostInFlight - mostInFlight / 4 }

    mutating func line(up origin: Int64) {
        guard let line = lines[origin], line.waiting.next != nil, !line.isInTurn else { return }
        lines[origin]?.isInTurn = true
        turns.add(origin)
    }

    /// Gives a turn to origins whose pause is over, or would be too long because the clock was set back.
    private mutating func wake(at now: Timestamp) {
        for (origin, until) in resting where until <= now || until - now > DeliveryDesk.longestRest {
            resting[origin] = nil
            line(up: origin)
        }
    }

    // MARK: Ending

    /// Ends an exchange and returns its delivery. A nil report means that no request was sent.
    mutating func ended(_ id: Int64, _ report: OriginReport?, at now: Timestamp) -> ClaimedDelivery? {
        guard let delivery = underWay.removeValue(forKey: id) else { return nil }
        uncertain.remove(id)
        lines[delivery.origin]?.ended(report, at: now)
        line(up: delivery.origin)
        untold += 1
        return delivery
    }

    /// Notes that outcomes are durable. Returns whether a claim was waiting for the capacity.
    mutating func told(_ count: Int) -> Bool {
        untold -= count
        return isShort && limit > 0
    }

    /// Stops sending and claiming. Returns the deliveries to give back.
    mutating func close(at now: Timestamp) -> [DeliveryOutcome] {
        isClosed = true
        return giveBackAll(at: now)
    }

    private mutating func giveBackAll(at now: Timestamp) -> [DeliveryOutcome] {
        var waiting: [ClaimedDelivery] = []
        for origin in Array(lines.keys) where lines[origin]?.waiting.next != nil { waiting += lines[origin]?.waiting.takeAll() ?? [] }
        return giveBack(waiting, due: now)
    }

    /// Returns deliveries to the queue. The queue does not signal when these become due if it assumes that more of the origin are due
    /// already, so the desk sets a time itself.
    private mutating func giveBack(_ waiting: [ClaimedDelivery], due: Timestamp, _ start: inout Start) {
        guard !waiting.isEmpty else { return }
        start.giveBack += giveBack(waiting, due: due)
        start.resume(by: due)
    }

    private mutating func giveBack(_ waiting: [ClaimedDelivery], due: Timestamp) -> [DeliveryOutcome] {
        held -= waiting.count
        untold += waiting.count
        return waiting.map { DeliveryOutcome($0, .returned(due: due), nil) }
    }
}
