// SPDX-License-Identifier: Apache-2.0

package import HTTPClient
package import Messaging
package import Platform
import Synchronization

/// Sends due deliveries: it claims and signs them, passes them to the courier, and records the outcomes.
///
/// `DeliveryDesk` makes the decisions; this type carries them out.
package final class Sender: Sendable {
    static let restAfterFailure = Duration.seconds(1)

    let queue: any DeliveryQueue
    let options: SenderOptions
    /// The options in force: a reload changes retries, allowed destinations and the proxy.
    let current: @Sendable () -> SenderOptions
    let clock: WallClock
    let courier: any RequestCourier
    /// The part of the courier that reaches addresses.
    private let addresses: HTTPCourier
    let desk: Mutex<DeliveryDesk>
    let results: Mailbox<CourierResult>
    /// The outcomes to record. A separate task records them, so that sending does not wait.
    let outcomes = Mailbox<DeliveryOutcome>()
    /// Signals that a claim may find deliveries.
    let claiming = Alarm()
    private let challenger: Challenger
    let troubles: TroubleLog
    let figures: SenderMetrics
    let writer: RequestWriter
    private let (ended, ending) = AsyncStream.makeStream(of: Void.self)

    /// A function that makes a courier whose results go to a closure.
    package typealias MakeCourier = @Sendable (_ onResults: @escaping @Sendable ([CourierResult]) -> Void) -> any RequestCourier

    /// - Parameter workers: Makes the courier for deliveries to workers; nil if the queue has none.
    package init(
        _ queue: any DeliveryQueue, _ current: @escaping @Sendable () -> SenderOptions, clock: WallClock = .system, metrics: Metrics = Metrics(),
        log: Log = Log(), workers: MakeCourier? = nil
    ) throws {
        self.queue = queue
        self.current = current
        let options = current()
        self.options = options
        self.clock = clock
        figures = SenderMetrics(metrics, options.metricNames)
        let troubles = TroubleLog(log, clock: clock)
        self.troubles = troubles
        let exchangeTimeout = Timestamp.Span(milliseconds: options.timeout.milliseconds + DeliveryDesk.ending.milliseconds)
        desk = Mutex(DeliveryDesk(options.origin, maxInFlight: options.threads * options.exchangesPerThread, exchangeTimeout: exchangeTimeout))
        let results = Mailbox<CourierResult>()
        self.results = results
        writer = try RequestWriter(queue, options)
        let challenger = Challenger(queue, troubles, clock: clock, fields: [try HTTPField("User-Agent", options.userAgent)])
        self.challenger = challenger
        var settings = HTTPCourierOptions()
        settings.shards = options.threads
        settings.exchangesPerShard = options.exchangesPerThread
        settings.certificateFile = options.certificateFile
        settings.responseBytes = options.responseBytes
        let proxy = CourierProxy(url: { current().proxy }, block: { current().destinations.block(host: $0, port: $1) })
        let addresses = HTTPCourier(settings, block: { current().destinations.block($0, port: $1) }, proxy: proxy) { batch in
            results.put(challenger.handle(batch))
        }
        self.addresses = addresses
        courier = workers.map { CourierWithWorkers(addresses, workers: $0 { results.put($0) }) } ?? addresses
        figures.watch(metrics) { [weak self] in self?.desk.withLock { ($0.inFlight, $0.held, $0.brokenOrigins) } ?? (0, 0, 0) }
    }

    /// Runs until `stop` is called.
    package func run() async {
        defer { ending.finish() }
        await withTaskGroup { group in
            group.addTask { await self.work() }
            group.addTask { await self.recordOutcomes() }
            await group.waitForAll()
        }
    }

    private func work() async {
        // Cancelled at the end of this function; the queue continues.
        async let _: Void = watchQueue()
        await withTaskGroup { group in
            group.addTask { await self.claim() }
            group.addTask { await self.handleResults() }
            group.addTask { await self.challenger.run(self.addresses, timeout: self.options.timeout) }
        }
        outcomes.end()
    }

    /// Stops starting deliveries and returns those waiting. Exchanges under way may end within the grace period. Returns once `run` has.
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

    private func watchQueue() async {
        for await _ in queue.dueChanges {
            claiming.ring()
            challenger.look()
        }
    }
}
