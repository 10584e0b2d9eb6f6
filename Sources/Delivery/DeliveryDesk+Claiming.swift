// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// Decides which deliveries to claim and queues them by origin.
extension DeliveryDesk {
    /// Whether a claim is worthwhile for this origin: it may have more deliveries, and has capacity or a pause whose end only a claim
    /// reports.
    mutating func wantsMore(of origin: Int64, at now: Timestamp) -> Bool {
        guard !isClosed, lines[origin]?.mayHaveMore ?? false else { return false }
        guard lines[origin]?.room(at: now) ?? 0 > 0 || lines[origin]?.gate.rest(at: now) != nil else { return false }
        isShort = isShort || limit == 0
        return limit > 0
    }

    /// Returns the request for deliveries, and the time at which a paused origin accepts more.
    ///
    /// Origins that have enough are excluded, so that their due deliveries do not hide others.
    mutating func wishes(at now: Timestamp, lease: Timestamp.Span) -> (DeliveryWishes, resumes: Timestamp?) {
        tidy(at: now)
        isShort = limit == 0
        var wishes = DeliveryWishes(
            limit: limit, limitOfOrigin: min(limits.inFlight, OriginGate.firstWidth), leaseEnds: now + lease, now: now)
        var resumes: Timestamp?
        for origin in Array(lines.keys) {
            let room = lines[origin]?.room(at: now)
            wishes.room[origin] = room
            // Set before the claim: an exchange that ends during it must trigger another claim.
            if room == 0 { lines[origin]?.mayHaveMore = true }
            if let rest = lines[origin]?.gate.rest(at: now) { resumes = min(resumes ?? rest, rest) }
        }
        return (wishes, resumes)
    }

    /// Queues claimed deliveries by origin.
    mutating func take(_ claimed: [ClaimedDelivery], _ wishes: DeliveryWishes, at now: Timestamp) {
        var taken: [Int64: Int] = [:]
        var origins: [Int64] = []
        for delivery in claimed {
            taken[delivery.origin, default: 0] += 1
            if taken[delivery.origin] == 1 { origins.append(delivery.origin) }
            lines[delivery.origin, default: DeliveryLine(limits, at: now)].waiting.add(delivery)
        }
        held += claimed.count
        for origin in origins { line(up: origin) }
        guard claimed.count < wishes.limit else { return }
        for origin in Array(lines.keys) {
            let room = wishes.room[origin] ?? wishes.limitOfOrigin
            lines[origin]?.mayHaveMore = taken[origin] ?? 0 >= room
        }
    }

    /// Removes idle origins. Those with an open breaker or a pause are removed last.
    private mutating func tidy(at now: Timestamp) {
        guard lines.count > DeliveryDesk.mostLines else { return }
        lines = lines.filter { !$0.value.isAtRest || !$0.value.gate.isCalm(at: now) }
        guard lines.count > 2 * DeliveryDesk.mostLines else { return }
        lines = lines.filter { !$0.value.isAtRest }
    }
}
