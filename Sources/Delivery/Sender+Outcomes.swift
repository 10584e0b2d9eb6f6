// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Messaging
import Platform
import Synchronization

extension Sender {
    /// The number of times that recording an outcome is retried.
    private static let maxAttempts = 30

    func handleResults() async {
        while let batch = await results.take() {
            let now = clock.now()
            let (ended, start, wantsMore) = desk.withLock { desk in
                var ended: [DeliveryOutcome] = []
                var origins: Set<Int64> = []
                for result in batch {
                    guard let delivery = desk.ended(result.id, OriginReport(result, at: now, lateAfter: options.origin.lateAfter), at: now) else {
                        continue
                    }
                    origins.insert(delivery.origin)
                    ended.append(outcome(of: delivery, result, at: now))
                }
                let start = desk.start(at: now)
                return (ended, start, start.resumes != nil || origins.contains { desk.wantsMore(of: $0, at: now) })
            }
            await carryOut(start)
            if wantsMore { claiming.ring() }
            outcomes.put(ended)
            figures.count(batch)
        }
    }

    private func outcome(of delivery: ClaimedDelivery, _ result: CourierResult, at now: Timestamp) -> DeliveryOutcome {
        if result.failure == .cancelled { return DeliveryOutcome(delivery, .returned(due: now), nil) }
        let stated = result.failure == nil ? queue.verdict(on: delivery, status: result.status, response: result.response) : nil
        let verdict =
            stated
            ?? current().retries.verdict(
                ExchangeResult(result), attempt: delivery.attempt, at: now, expires: delivery.expires, chance: .random(in: 0..<1),
                retries: delivery.retries)
        let reason = result.failure?.rawValue ?? (verdict == .delivered ? "" : "bad_status")
        let record = AttemptRecord(
            at: now - Timestamp.Span(milliseconds: Int64(result.milliseconds)), milliseconds: result.milliseconds, status: result.status,
            error: reason, response: result.response)
        return DeliveryOutcome(delivery, verdict, record)
    }

    func recordOutcomes() async {
        while let batch = await outcomes.take() {
            await record(batch)
            if desk.withLock({ $0.recorded(batch.count) }) { claiming.ring() }
        }
    }

    /// Records outcomes. Waiting is safe while the disk is full, because nothing can be claimed either. Outcomes that cannot be recorded
    /// lead to another attempt when their lease ends.
    private func record(_ batch: [DeliveryOutcome]) async {
        for _ in 0..<Sender.maxAttempts {
            do {
                return try await queue.settle(batch)
            } catch {
                troubles.note("could not record delivery outcomes", error)
                try? await Task.sleep(for: Sender.restAfterFailure)
            }
            if desk.withLock({ $0.isClosed }) { break }
        }
        // The leases may have ended, so the next claim decides.
        claiming.ring(after: Sender.restAfterFailure)
    }
}

extension ExchangeResult {
    fileprivate init(_ result: CourierResult) {
        self = result.failure == nil ? .responded(status: result.status, retryAfter: result.retryAfter) : .broken
    }
}

extension OriginReport {
    /// Returns nil if no request was sent, which says nothing about the origin.
    fileprivate init?(_ result: CourierResult, at now: Timestamp, lateAfter: Timestamp.Span) {
        switch result.failure {
        case .cancelled, .failed, .badURL, .unsupportedScheme: return nil
        default: self.init(ExchangeResult(result), took: Timestamp.Span(milliseconds: Int64(result.milliseconds)), at: now, lateAfter: lateAfter)
        }
    }
}
