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
            let meanings = batch.map { meaning(of: $0) }
            let (ended, start, wantsMore) = desk.withLock { desk in
                var ended: [DeliveryOutcome] = []
                var origins: Set<Int64> = []
                for (result, meaning) in zip(batch, meanings) {
                    let report = OriginReport(result, meaning, at: now, lateAfter: options.origin.lateAfter)
                    guard let delivery = desk.ended(result.id, report, at: now) else { continue }
                    origins.insert(delivery.origin)
                    ended.append(outcome(of: delivery, result, meaning, at: now))
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

    private func meaning(of result: CourierResult) -> ResponseMeaning {
        if result.failure != nil { return ResponseMeaning() }
        var meaning = queue.meaning(of: result.response, status: result.status)
        if result.isOwnError { meaning.statedStatus = nil }
        return meaning
    }

    private func outcome(of delivery: ClaimedDelivery, _ result: CourierResult, _ meaning: ResponseMeaning, at now: Timestamp) -> DeliveryOutcome {
        if result.failure == .cancelled { return DeliveryOutcome(delivery, .returned(due: now), nil) }
        let verdict =
            meaning.verdict
            ?? current().retries.verdict(
                ExchangeResult(result, meaning), attempt: delivery.attempt, at: now, expires: delivery.expires, chance: .random(in: 0..<1),
                retries: delivery.retries)
        let reason = result.failure?.rawValue ?? (verdict == .delivered ? "" : "bad_status")
        let record = AttemptRecord(
            at: now - Timestamp.Span(milliseconds: Int64(result.milliseconds)), milliseconds: result.milliseconds, status: result.status,
            error: reason, response: result.response, statedWord: meaning.statedWord)
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
    fileprivate init(_ result: CourierResult, _ meaning: ResponseMeaning) {
        self = result.failure == nil ? .responded(status: meaning.statedStatus ?? result.status, retryAfter: result.retryAfter) : .broken
    }
}

extension OriginReport {
    /// Returns nil if no request was sent, which says nothing about the origin. An error about one delivery alone is a response like others.
    fileprivate init?(_ result: CourierResult, _ meaning: ResponseMeaning, at now: Timestamp, lateAfter: Timestamp.Span) {
        switch result.failure {
        case .cancelled, .failed, .badURL, .unsupportedScheme: return nil
        default:
            let exchange = meaning.statedStatus == nil ? ExchangeResult(result, meaning) : .responded(status: 200, retryAfter: nil)
            self.init(exchange, took: Timestamp.Span(milliseconds: Int64(result.milliseconds)), at: now, lateAfter: lateAfter)
        }
    }
}
