import HTTPClient
package import Messaging
package import Platform
import Synchronization

/// Sends what is due: claims it, signs it, hands it to the courier, and tells the queue what became of it.
///
/// What happens when is decided by `DeliveryDesk`; this only carries it out.
package final class Sender: Sendable {
    /// Longer than anything waits here before it is sent or given back.
    private static let lease = Timestamp.Span.minutes(2)
    private static let restAfterFailure = Duration.seconds(1)
    /// So often it is tried to tell the queue something.
    private static let mostTries = 30
    private static let exchangesPerThread = 1_000

    private let queue: any DeliveryQueue
    private let options: SenderOptions
    private let clock: WallClock
    private let courier: HTTPCourier
    private let desk: Mutex<DeliveryDesk>
    private let results: Mailbox<CourierResult>
    /// What the queue is to be told of: apart from the sending, which does not wait for it.
    private let outcomes = Mailbox<DeliveryOutcome>()
    /// Rings when something may have to be claimed.
    private let claiming = Alarm()
    private let challenger: Challenger
    private let troubles: TroubleLog
    private let figures: SenderMetrics
    private let writer: RequestWriter
    private let (ended, ending) = AsyncStream.makeStream(of: Void.self)

    package init(_ queue: any DeliveryQueue, _ options: SenderOptions, clock: WallClock = .system, metrics: Metrics = Metrics(), log: Log = Log()) throws {
        self.queue = queue
        self.options = options
        self.clock = clock
        figures = SenderMetrics(metrics)
        let troubles = TroubleLog(log, clock: clock)
        self.troubles = troubles
        let patience = Timestamp.Span(milliseconds: options.timeout.milliseconds + 5_000)
        desk = Mutex(DeliveryDesk(options.origin, mostInFlight: options.threads * Sender.exchangesPerThread, patience: patience))
        let results = Mailbox<CourierResult>()
        self.results = results
        writer = try RequestWriter(queue, options)
        let challenger = Challenger(queue, troubles, clock: clock, fields: [try HTTPField("User-Agent", options.userAgent)])
        self.challenger = challenger
        let addresses = options.addresses
        var settings = HTTPCourierOptions()
        settings.shards = options.threads
        settings.exchangesPerShard = Sender.exchangesPerThread
        settings.certificateFile = options.certificateFile
        settings.responseBytes = AttemptRecord.mostResponseBytes
        courier = HTTPCourier(settings, mayConnect: { addresses.permits($0) }) { batch in
            results.put(challenger.hear(batch))
        }
        figures.watch(metrics) { [weak self] in self?.desk.withLock { ($0.inFlight, $0.held, $0.brokenOrigins) } ?? (0, 0, 0) }
    }

    /// Sends until `stop`.
    package func run() async {
        defer { ending.finish() }
        await withTaskGroup { group in
            group.addTask { await self.work() }
            group.addTask { await self.tell() }
            await group.waitForAll()
        }
    }

    private func work() async {
        // Cancelled with the end of this: the queue goes on.
        async let _: Void = hearNews()
        await withTaskGroup { group in
            group.addTask { await self.claim() }
            group.addTask { await self.judge() }
            group.addTask { await self.challenger.run(self.courier, timeout: self.options.timeout) }
        }
        outcomes.end()
    }

    /// Begins nothing more and gives back what waits; lets what is under way end within the grace, and gives back the rest. Returns when `run` has.
    ///
    /// The queue must be open until then.
    package func stop(grace: Duration = .seconds(5)) async {
        outcomes.put(desk.withLock { $0.close(at: clock.now()) })
        claiming.end()
        challenger.end()
        let end = ContinuousClock.now + grace
        while desk.withLock({ $0.inFlight }) > 0, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
        courier.stop()
        results.end()
        for await _ in ended {}
    }

    // MARK: Claiming

    private func hearNews() async {
        for await _ in queue.news {
            claiming.ring()
            challenger.look()
        }
    }

    private func claim() async {
        claiming.ring()
        for await _ in claiming.rings {
            do {
                while try await claimOnce() {}
            } catch {
                troubles.note("deliveries not claimed", error)
                claiming.ring(after: Sender.restAfterFailure)
            }
        }
    }

    /// Claims what there is room for and starts it; answers whether there may be more at once.
    private func claimOnce() async throws -> Bool {
        let now = clock.now()
        let (wishes, resumes) = desk.withLock { $0.wishes(at: now, lease: Sender.lease) }
        let claimed = wishes.limit > 0 ? try await queue.claim(wishes) : ClaimedDeliveries([], nextDue: nil)
        let start = desk.withLock { desk in
            desk.take(claimed.deliveries, wishes, at: now)
            return desk.start(at: now)
        }
        await carryOut(start)
        let next = [claimed.nextDue, resumes, start.resumes].compactMap { $0 }.min()
        claiming.ring(after: next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
        return wishes.limit > 0 && claimed.deliveries.count == wishes.limit
    }

    // MARK: Sending

    private func carryOut(_ start: DeliveryDesk.Start) async {
        outcomes.put(start.giveBack)
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
                // The queue cannot be read: later, then.
                troubles.note("message not read", error)
                withdraw(delivery, .returned(due: clock.now() + .seconds(1)))
            }
        }
        for (shard, requests) in requests.enumerated() where !requests.isEmpty && !courier.send(requests, shard: shard) {
            results.put(requests.map { CourierResult(id: $0.id, .cancelled) })
        }
    }

    /// Nothing is sent after all.
    private func withdraw(_ delivery: ClaimedDelivery, _ verdict: DeliveryVerdict) {
        guard let ended = desk.withLock({ $0.ended(delivery.id, nil, at: clock.now()) }) else { return }
        outcomes.put([DeliveryOutcome(ended, verdict, nil)])
    }

    /// An origin's connections are in one shard, unless it is so busy that one is not enough.
    private func shard(of delivery: ClaimedDelivery) -> Int {
        let number = options.origin.inFlight > Sender.exchangesPerThread / 2 ? delivery.origin &+ delivery.id : delivery.origin
        return Int(UInt64(bitPattern: number) % UInt64(options.threads))
    }

    // MARK: Outcomes

    private func judge() async {
        while let batch = await results.take() {
            let now = clock.now()
            let (ended, start, wantsMore) = desk.withLock { desk in
                var ended: [DeliveryOutcome] = []
                var origins: Set<Int64> = []
                for result in batch {
                    guard let delivery = desk.ended(result.id, OriginReport(result, at: now), at: now) else { continue }
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
        let verdict = options.retries.verdict(
            ExchangeResult(result), attempt: delivery.attempt, at: now, expires: delivery.expires, chance: .random(in: 0..<1))
        let reason = result.failure?.rawValue ?? (verdict == .delivered ? "" : "bad_status")
        let record = AttemptRecord(
            at: now - Timestamp.Span(milliseconds: Int64(result.milliseconds)), milliseconds: result.milliseconds, status: result.status,
            error: reason, response: result.response)
        return DeliveryOutcome(delivery, verdict, record)
    }

    private func tell() async {
        while let batch = await outcomes.take() {
            await tell(batch)
            if desk.withLock({ $0.told(batch.count) }) { claiming.ring() }
        }
    }

    /// While the disk is full nothing can be claimed either, so nothing is lost by waiting. What is not told in the end is sent again when its lease ends.
    private func tell(_ batch: [DeliveryOutcome]) async {
        for _ in 0..<Sender.mostTries {
            do {
                return try await queue.settle(batch)
            } catch {
                troubles.note("outcomes not told", error)
                try? await Task.sleep(for: Sender.restAfterFailure)
            }
            if desk.withLock({ $0.isClosed }) { break }
        }
        // Leases have ended by now, or will: whoever claims looks again.
        claiming.ring(after: Sender.restAfterFailure)
    }
}

extension ExchangeResult {
    fileprivate init(_ result: CourierResult) {
        self = result.failure == nil ? .answered(status: result.status, retryAfter: result.retryAfter) : .broken
    }
}

extension OriginReport {
    /// Nil where nothing went out, which says nothing of the origin.
    fileprivate init?(_ result: CourierResult, at now: Timestamp) {
        switch result.failure {
        case .cancelled, .failed, .badURL, .unsupportedScheme: return nil
        default: self.init(ExchangeResult(result), took: Timestamp.Span(milliseconds: Int64(result.milliseconds)), at: now)
        }
    }
}
