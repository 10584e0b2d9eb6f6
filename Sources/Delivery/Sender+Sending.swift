// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Messaging
import Platform
import Synchronization

extension Sender {
    /// The lease of a claim. It exceeds the time that a delivery waits here.
    private static let lease = Timestamp.Span.minutes(2)

    // MARK: Claiming

    func claim() async {
        claiming.ring()
        for await _ in claiming.rings {
            do {
                while try await claimOnce() {}
            } catch {
                troubles.note("could not claim deliveries", error)
                claiming.ring(after: Sender.restAfterFailure)
            }
        }
    }

    /// Claims up to the free capacity and starts sending. Returns whether there may be more at once.
    private func claimOnce() async throws -> Bool {
        let now = clock.now()
        let (claimRequest, resumes) = desk.withLock { $0.claimRequest(at: now, lease: Sender.lease) }
        let claimed = claimRequest.limit > 0 ? try await queue.claim(claimRequest) : ClaimedDeliveries([], nextDue: nil)
        let start = desk.withLock { desk in
            desk.take(claimed.deliveries, claimRequest, at: now)
            return desk.start(at: now)
        }
        await carryOut(start)
        let next = [claimed.nextDue, resumes, start.resumes].compactMap { $0 }.min()
        claiming.ring(after: next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
        return claimRequest.limit > 0 && claimed.deliveries.count == claimRequest.limit
    }

    // MARK: Sending

    func carryOut(_ start: DeliveryDesk.Start) async {
        outcomes.put(start.returned)
        guard !start.send.isEmpty else { return }
        var requests = [[CourierRequest]](repeating: [], count: options.threads)
        for delivery in start.send {
            do {
                if let request = try await writer.request(for: delivery, at: clock.now()) {
                    requests[shard(of: delivery)].append(request)
                } else {
                    withdraw(delivery, .expired)
                }
            } catch {
                // The queue cannot be read; the delivery is returned and retried.
                troubles.note("could not read the message of a delivery", error)
                withdraw(delivery, .returned(due: clock.now() + .seconds(1)))
            }
        }
        for (shard, requests) in requests.enumerated() where !requests.isEmpty && !courier.send(requests, shard: shard) {
            results.put(requests.map { CourierResult(id: $0.id, .cancelled) })
        }
    }

    /// Ends a delivery that was not sent.
    private func withdraw(_ delivery: ClaimedDelivery, _ verdict: DeliveryVerdict) {
        guard let ended = desk.withLock({ $0.ended(delivery.id, nil, at: clock.now()) }) else { return }
        outcomes.put([DeliveryOutcome(ended, verdict, nil)])
    }

    /// Returns the shard of an origin's connections. Very busy origins use several.
    private func shard(of delivery: ClaimedDelivery) -> Int {
        let number = options.origin.inFlight > options.exchangesPerThread / 2 ? delivery.origin &+ delivery.id : delivery.origin
        return Int(UInt64(bitPattern: number) % UInt64(options.threads))
    }
}
