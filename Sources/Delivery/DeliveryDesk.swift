// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// What is claimed and what is under way, by origin: says what to send now and what to claim next.
///
/// Origins take turns, so that none waits until another has been served; and one that rests holds nothing back, so that no room is lost to it.
struct DeliveryDesk: Sendable {
    /// Claimed and not sent, or sent and not told of.
    static let mostHeld = 8_192
    /// Lines of origins that are at rest are given up beyond so many.
    static let mostLines = 4_096
    /// Sent of one origin before it is the next one's turn.
    private static let share = 16
    /// How long those wait for whom there is no place because others do not answer.
    private static let restWithoutPlace = Timestamp.Span.seconds(5)
    /// What waits longer than this is given back.
    private static let longestRest = Timestamp.Span.seconds(5)

    let limits: OriginLimits
    private let mostInFlight: Int
    /// How long an exchange may take: what would outlast its lease is given back.
    private let patience: Timestamp.Span
    var lines: [Int64: DeliveryLine] = [:]
    private var underWay: [Int64: ClaimedDelivery] = [:]
    /// Of these, those to origins that were not known to answer in time.
    private var uncertain: Set<Int64> = []
    private var untold = 0
    /// Less was asked for than origins had room for.
    var isShort = false
    /// Origins that may have something to send, in the order in which it is their turn.
    private var turns = WaitingLine<Int64>()
    /// Origins that rest for a short time, and until when.
    private var resting: [Int64: Timestamp] = [:]
    var held = 0
    private(set) var isClosed = false

    init(_ limits: OriginLimits, mostInFlight: Int, patience: Timestamp.Span) {
        self.limits = limits
        self.mostInFlight = mostInFlight
        self.patience = patience
    }

    var inFlight: Int { underWay.count }
    /// Origins that are left alone because they are down.
    var brokenOrigins: Int { lines.values.count { !$0.gate.isTrusted } }
    /// So many more may be claimed.
    var limit: Int { isClosed ? 0 : max(DeliveryDesk.mostHeld - held - untold, 0) }

    // MARK: Sending

    struct Start {
        var send: [ClaimedDelivery] = []
        /// What waits too long for its lease, or for its origin.
        var giveBack: [DeliveryOutcome] = []
        /// When an origin that rests takes more, or what is given back is due.
        var resumes: Timestamp?

        fileprivate mutating func resume(by time: Timestamp) {
            resumes = min(resumes ?? time, time)
        }
    }

    /// Takes what may be sent now.
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
        // Out of the table while it changes, so that its list is not copied.
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
            // An end brings it back into turn.
            case .full: return
            case .wait(let until):
                if until - now <= DeliveryDesk.longestRest { return resting[origin] = until }
                giveBack(line.waiting.takeAll(), due: until, &start)
            }
        }
    }

    /// The lease of one that is under way ended early, because the clock was moved.
    private mutating func claimedAgain(_ delivery: ClaimedDelivery, _ before: ClaimedDelivery, at now: Timestamp, _ start: inout Start) {
        if before.url == delivery.url, before.origin == delivery.origin {
            // What comes of the exchange is told under the new claim.
            underWay[delivery.id] = delivery
            held -= 1
        } else {
            // It goes elsewhere now: what comes of the exchange tells nothing of that, and is not heard under the old claim.
            giveBack([delivery], due: now + .seconds(1), &start)
        }
    }

    /// However many origins are slow, a quarter of the places is left to those that are not.
    private var mostUncertain: Int { mostInFlight - mostInFlight / 4 }

    mutating func line(up origin: Int64) {
        guard let line = lines[origin], line.waiting.next != nil, !line.isInTurn else { return }
        lines[origin]?.isInTurn = true
        turns.add(origin)
    }

    /// Those that have rested, or would rest too long since the clock was set back.
    private mutating func wake(at now: Timestamp) {
        for (origin, until) in resting where until <= now || until - now > DeliveryDesk.longestRest {
            resting[origin] = nil
            line(up: origin)
        }
    }

    // MARK: Ending

    /// An exchange is over: answers what it was about. Nil for a report where nothing went out.
    mutating func ended(_ id: Int64, _ report: OriginReport?, at now: Timestamp) -> ClaimedDelivery? {
        guard let delivery = underWay.removeValue(forKey: id) else { return nil }
        uncertain.remove(id)
        lines[delivery.origin]?.ended(report, at: now)
        line(up: delivery.origin)
        untold += 1
        return delivery
    }

    /// What became of so many is written down; answers whether a claim waits for the room.
    mutating func told(_ count: Int) -> Bool {
        untold -= count
        return isShort && limit > 0
    }

    /// From now on nothing is sent or claimed; what waits is given back.
    mutating func close(at now: Timestamp) -> [DeliveryOutcome] {
        isClosed = true
        return giveBackAll(at: now)
    }

    private mutating func giveBackAll(at now: Timestamp) -> [DeliveryOutcome] {
        var waiting: [ClaimedDelivery] = []
        for origin in Array(lines.keys) where lines[origin]?.waiting.next != nil { waiting += lines[origin]?.waiting.takeAll() ?? [] }
        return giveBack(waiting, due: now)
    }

    /// The queue, which believes that more of the origin is due already, does not ring when these are: so it is asked then.
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
