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

    private let queue: any DeliveryQueue
    private let options: SenderOptions
    private let clock: WallClock
    private let courier: HTTPCourier
    private let desk: Mutex<DeliveryDesk>
    private let bodies = Mutex(BodyCache())
    private let results: Mailbox<CourierResult>
    /// Rings when something may have to be claimed.
    private let claiming = Alarm()
    private let challenger: Challenger
    private let sharedFields: [HTTPField]

    package init(_ queue: any DeliveryQueue, _ options: SenderOptions, clock: WallClock = .system) throws {
        self.queue = queue
        self.options = options
        self.clock = clock
        let patience = Timestamp.Span(milliseconds: options.timeout.milliseconds + 5_000)
        desk = Mutex(DeliveryDesk(options.origin, patience: patience))
        let results = Mailbox<CourierResult>()
        self.results = results
        let challenger = Challenger(queue, clock: clock)
        self.challenger = challenger
        let addresses = options.addresses
        var settings = HTTPCourierOptions()
        settings.shards = options.threads
        settings.certificateFile = options.certificateFile
        settings.responseBytes = AttemptRecord.mostResponseBytes
        courier = try HTTPCourier(settings, mayConnect: { addresses.permits($0) }) { batch in
            results.put(challenger.hear(batch))
        }
        sharedFields = try [HTTPField("Content-Type", "application/json"), HTTPField("User-Agent", options.userAgent)]
    }

    /// How many exchanges are under way.
    package var inFlight: Int { desk.withLock { $0.inFlight } }

    /// Sends until `stop`.
    package func run() async {
        // Cancelled with the end of this: the queue goes on.
        async let _: Void = hearNews()
        await withTaskGroup { group in
            group.addTask { await self.claim() }
            group.addTask { await self.settle() }
            group.addTask { await self.challenger.run(self.courier, timeout: self.options.timeout) }
        }
    }

    /// Begins nothing more, waits a little for what is under way, and gives the rest back; the queue must still be open.
    package func stop(grace: Duration = .seconds(5)) async {
        claiming.end()
        challenger.end()
        let end = ContinuousClock.now + grace
        while inFlight > 0, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
        courier.stop()
        results.end()
        let rest = desk.withLock { $0.giveBackAll(at: clock.now()) }
        if !rest.isEmpty { try? await queue.settle(rest) }
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
                claiming.ring(after: Sender.restAfterFailure)
            }
        }
    }

    /// Claims what there is room for and starts it; answers whether there may be more at once.
    private func claimOnce() async throws -> Bool {
        let now = clock.now()
        let (wishes, resumes) = desk.withLock { $0.wishes(at: now, lease: Sender.lease) }
        guard wishes.limit > 0 else { return false }
        let claimed = try await queue.claim(wishes)
        let start = desk.withLock { desk in
            desk.take(claimed.deliveries, at: now)
            return desk.startAll(at: now)
        }
        await carryOut(start)
        let next = [claimed.nextDue, resumes, start.resumes].compactMap { $0 }.min()
        claiming.ring(after: next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
        return claimed.deliveries.count == wishes.limit
    }

    // MARK: Sending

    private func carryOut(_ start: DeliveryDesk.Start) async {
        var unsent = start.giveBack
        for (shard, deliveries) in Dictionary(grouping: start.send, by: shard) {
            do {
                let now = clock.now()
                var requests: [CourierRequest] = []
                for delivery in deliveries { requests.append(try await request(for: delivery, at: now)) }
                if courier.send(requests, shard: shard) { continue }
            } catch {}
            // The courier has no room, or the queue cannot be read: later, then.
            unsent += giveBack(deliveries)
        }
        if !unsent.isEmpty { try? await queue.settle(unsent) }
    }

    private func giveBack(_ deliveries: [ClaimedDelivery]) -> [DeliveryOutcome] {
        let now = clock.now()
        return desk.withLock { desk in
            deliveries.compactMap { desk.ended($0.id, .answered, at: now) }.map { DeliveryOutcome($0, .returned(due: now + .seconds(1)), nil) }
        }
    }

    /// An origin's connections are in one shard, unless it is so busy that one is not enough.
    private func shard(of delivery: ClaimedDelivery) -> Int {
        options.origin.inFlight > 512 ? Int(truncatingIfNeeded: delivery.origin &+ delivery.id) : Int(truncatingIfNeeded: delivery.origin)
    }

    private func request(for delivery: ClaimedDelivery, at now: Timestamp) async throws -> CourierRequest {
        let body = try await body(of: delivery.message).bytes(token: delivery.token)
        let fields = StandardWebhooks.fields(id: delivery.webhookID, at: now, body: body, keys: delivery.keys)
        return CourierRequest(
            id: delivery.id, url: delivery.url, .post(body), sharedFields: sharedFields, fields: try fields.map { try HTTPField($0.name, $0.value) },
            timeout: .milliseconds(options.timeout.milliseconds))
    }

    private func body(of message: Int64) async throws -> ReceiverBody {
        if let known = bodies.withLock({ $0.body(of: message) }) { return known }
        guard let content = try await queue.content(of: message) else { throw Refusal(.notFound, "The message is gone.") }
        let body = ReceiverBody(content)
        bodies.withLock { $0.keep(body, of: message) }
        return body
    }

    // MARK: Outcomes

    private func settle() async {
        while let batch = await results.take() {
            let now = clock.now()
            let (outcomes, start, wantsMore) = desk.withLock { desk in judge(batch, &desk, at: now) }
            await carryOut(start)
            if wantsMore { claiming.ring() }
            // Not told, they are sent again when the lease ends: at least once, not at most.
            do { try await queue.settle(outcomes) } catch { claiming.ring(after: Sender.restAfterFailure) }
        }
    }

    /// What became of a batch, what may be sent in its place, and whether a claim is worth its while.
    private func judge(_ batch: [CourierResult], _ desk: inout DeliveryDesk, at now: Timestamp) -> ([DeliveryOutcome], DeliveryDesk.Start, Bool) {
        var outcomes: [DeliveryOutcome] = []
        var origins: Set<Int64> = []
        for result in batch {
            let exchange = ExchangeResult(result)
            guard let delivery = desk.ended(result.id, OriginReport(exchange, at: now), at: now) else { continue }
            origins.insert(delivery.origin)
            outcomes.append(outcome(of: delivery, result, exchange, at: now))
        }
        let start = desk.start(origins, at: now)
        return (outcomes, start, start.resumes != nil || origins.contains { desk.wantsMore(of: $0) })
    }

    private func outcome(of delivery: ClaimedDelivery, _ result: CourierResult, _ exchange: ExchangeResult, at now: Timestamp) -> DeliveryOutcome {
        if result.failure == .cancelled { return DeliveryOutcome(delivery, .returned(due: now), nil) }
        let verdict = options.retries.verdict(
            exchange, attempt: delivery.attempt, at: now, expires: delivery.expires, chance: .random(in: 0..<1))
        let record = AttemptRecord(
            at: now - Timestamp.Span(milliseconds: Int64(result.milliseconds)), milliseconds: result.milliseconds, status: result.status,
            error: result.failure?.rawValue ?? "", response: result.response)
        return DeliveryOutcome(delivery, verdict, record)
    }
}

extension ExchangeResult {
    fileprivate init(_ result: CourierResult) {
        self = result.failure == nil ? .answered(status: result.status, retryAfter: result.retryAfter) : .broken
    }
}
