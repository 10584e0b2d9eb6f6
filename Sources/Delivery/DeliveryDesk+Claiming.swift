// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// Decides which deliveries to claim and queues them by origin.
extension DeliveryDesk {
    /// Whether a claim is worthwhile for this origin: it may have more deliveries, and has capacity or a pause whose end only a claim
    /// reports.
    mutating func wantsMore(of origin: Int64, at now: Timestamp) -> Bool {
        guard !isClosed, queues[origin]?.mayHaveMore ?? false else { return false }
        guard queues[origin]?.capacity(at: now) ?? 0 > 0 || queues[origin]?.gate.rest(at: now) != nil else { return false }
        isShort = isShort || limit == 0
        return limit > 0
    }

    /// Returns the request for deliveries, and the time at which a paused origin accepts more.
    ///
    /// Origins that have enough are excluded, so that their due deliveries do not hide others.
    mutating func claimRequest(at now: Timestamp, lease: Timestamp.Span) -> (ClaimRequest, resumes: Timestamp?) {
        removeIdleQueues(at: now)
        isShort = limit == 0
        var claimRequest = ClaimRequest(
            limit: limit, limitPerOrigin: min(limits.inFlight, OriginGate.firstWidth), leaseEnds: now + lease, now: now)
        var resumes: Timestamp?
        for origin in Array(queues.keys) {
            let capacity = queues[origin]?.capacity(at: now)
            claimRequest.capacity[origin] = capacity
            // Set before the claim: an exchange that ends during it must trigger another claim.
            if capacity == 0 { queues[origin]?.mayHaveMore = true }
            if let rest = queues[origin]?.gate.rest(at: now) { resumes = min(resumes ?? rest, rest) }
        }
        return (claimRequest, resumes)
    }

    /// Queues claimed deliveries by origin.
    mutating func take(_ claimed: [ClaimedDelivery], _ claimRequest: ClaimRequest, at now: Timestamp) {
        assert(claimed.count <= claimRequest.limit, "the queue returned more deliveries than were requested")
        var taken: [Int64: Int] = [:]
        var origins: [Int64] = []
        for delivery in claimed {
            taken[delivery.origin, default: 0] += 1
            if taken[delivery.origin] == 1 { origins.append(delivery.origin) }
            queues[delivery.origin, default: OriginQueue(limits, at: now)].waiting.add(delivery)
        }
        held += claimed.count
        for origin in origins { requestTurn(for: origin) }
        guard claimed.count < claimRequest.limit else { return }
        for origin in Array(queues.keys) {
            let capacity = claimRequest.capacity[origin] ?? claimRequest.limitPerOrigin
            queues[origin]?.mayHaveMore = taken[origin] ?? 0 >= capacity
        }
    }

    /// Removes idle origins. Those with an open breaker or a pause are removed last.
    private mutating func removeIdleQueues(at now: Timestamp) {
        guard queues.count > DeliveryDesk.maxQueues else { return }
        queues = queues.filter { !$0.value.isAtRest || !$0.value.gate.isCalm(at: now) }
        guard queues.count > 2 * DeliveryDesk.maxQueues else { return }
        queues = queues.filter { !$0.value.isAtRest }
    }
}
