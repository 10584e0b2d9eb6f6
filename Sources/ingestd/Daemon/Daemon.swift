import Delivery
import Events
import HTTPServer
import Ingest
import JSON
import Platform
import Store
import Symbols
import Synchronization

/// The composition root: what every handler may use, and how the parts are put together.
final class Daemon: Sendable {
    let store: Store
    let clock: WallClock
    let log: Log
    let metrics = Metrics()
    let rates = KeyRates()
    let events: NativeEvents
    let users: NativeUsers
    let streamBodies: StreamBodies
    let messages: NativeMessages
    let crashes: NativeCrashes
    let appleReports: AppleReports
    let appErrors: AppErrors
    let measurements: GoogleMeasurements
    let segmentCalls: SegmentCalls
    let postHogEvents: PostHogEvents
    let sentry: SentryDoor
    let sentryCounts: SentryCounts
    let symbolPieces: SymbolPieces
    let firebaseMessages: FirebaseMessages
    let symbols: SymbolShelf
    let symbolizer: Symbolizer
    /// For documents that are read again.
    let parser: JSONParser
    let requests: RequestMetrics
    private let configuration: Mutex<Configuration>
    private let server = Mutex<HTTPServer?>(nil)
    private let freeDisk = FreeDisk()
    private let draining = Atomic<Bool>(false)
    private let started = ContinuousClock.now

    init(_ configuration: Configuration, log: Log, clock: WallClock = .system) throws {
        self.configuration = Mutex(configuration)
        self.clock = clock
        self.log = log
        let parser = JSONParser()
        events = NativeEvents(parser: parser)
        users = NativeUsers(parser: parser)
        messages = NativeMessages(parser: parser)
        crashes = NativeCrashes(parser: parser)
        appleReports = AppleReports(parser: parser)
        appErrors = AppErrors(parser: parser)
        measurements = GoogleMeasurements(parser: parser)
        segmentCalls = SegmentCalls(parser: parser)
        postHogEvents = PostHogEvents(parser: parser)
        sentry = SentryDoor(parser: parser)
        sentryCounts = SentryCounts(metrics)
        firebaseMessages = FirebaseMessages(parser: parser)
        self.parser = parser
        var options = StoreOptions(configuration)
        options.crashes.anonymise = StoredCrashes(parser: parser).nameless
        store = try Store(configuration.storage.directory, options: options, clock: clock, metrics: metrics, log: log) {
            sentence in
            log.error("storage cannot be trusted", ["reason": .text(sentence)])
            OwnProcess.end(code: 1)
        }
        streamBodies = StreamBodies(store.messages)
        symbols = SymbolShelf(try SymbolFolder(store.paths.symbols, limits: SymbolFolder.Limits(configuration)), store.crashes)
        symbolPieces = SymbolPieces(in: store.paths.uploads, most: configuration.crashes.symbolFile)
        symbolizer = Symbolizer(configuration, folder: store.paths.symbols)
        requests = RequestMetrics(metrics)
        DaemonMetrics.register(self)
    }

    var settings: Configuration { configuration.withLock { $0 } }
    var isDraining: Bool { draining.load(ordering: .relaxed) }
    var uptimeSeconds: Int { Int((ContinuousClock.now - started).components.seconds) }

    func replace(_ new: Configuration) {
        configuration.withLock { $0 = new }
    }

    /// Binds the configured addresses, unless it was passed sockets, and the control socket.
    func makeServer(onlyControl: Bool = false, passedSockets: [Int32] = []) throws -> HTTPServer {
        let settings = settings
        let front = FrontDoor(self)
        var configuration = HTTPServerConfiguration(settings, controlSocket: store.paths.controlSocket, onlyControl: onlyControl)
        configuration.passedSockets = passedSockets
        let made = try HTTPServer(
            configuration: configuration,
            plan: { front.plan(for: $0) },
            problem: { HTTPResponse(Refusal($0)) })
        server.withLock { $0 = made }
        return made
    }

    /// Where clients find it: the address it is bound to, with the port that the system chose where it was to choose.
    var address: ListenAddress {
        guard let bound = server.withLock({ $0?.endpoint }), let host = IPAddress(bound.host) else { return settings.server.listen }
        return ListenAddress(host, port: bound.port)
    }

    var connections: Int { server.withLock { $0?.statistics.connections ?? 0 } }

    /// Whether commits and connections go on; a part that does not leaves the caller without an answer, or with `false`.
    func isAtWork() async -> Bool {
        let loopsTurn = server.withLock { $0?.hasTurned() } ?? isDraining
        await store.writersAnswer()
        return loopsTurn
    }

    /// From now on new work is refused; what was taken in is still answered, for as long as the grace allows.
    func drain() {
        draining.store(true, ordering: .relaxed)
        store.tail.end()
        store.messages.streams.end()
        // The server holds the handlers and they hold the daemon; letting go of it here ends all three with the last answer.
        server.withLock { $0.take() }?.drain(grace: settings.server.drainGrace)
    }

    /// Refuses what would fill the disk to its last byte: asking, deleting and retention need some of it.
    func requireDisk() throws(Refusal) {
        guard isShortOfDisk else { return }
        throw Refusal(.storageFull, "The disk is nearly full; nothing of this request was kept.", hint: "Send it again later.", retryAfterSeconds: 10)
    }

    private var isShortOfDisk: Bool {
        freeDisk.bytes(at: store.paths.root) < Int64(settings.storage.minFreeDisk)
    }

    /// Why events would not be taken in now; empty when they would.
    func troubles() -> [String] {
        (isDraining ? ["shutting down"] : []) + standingTroubles.map(\.text)
    }

    /// What does not pass by itself, each with a stable word.
    var standingTroubles: [(cause: String, text: String)] {
        let settings = settings
        var found = storageTroubles().map { (cause: "storage", text: $0) }
        if isShortOfDisk { found.append(("disk", "less than \(settings.storage.minFreeDisk >> 20) MiB of disk are free")) }
        let logs = [store.gauges.walBytes, store.messages.gauges.walBytes, store.crashes.gauges.walBytes]
        let wal = Int(logs.reduce(0) { max($0, $1.value) })
        if wal > settings.storage.maxWAL { found.append(("wal", "the write-ahead log has grown to \(wal >> 20) MiB")) }
        return found
    }
}

extension Daemon {
    fileprivate func storageTroubles() -> [String] {
        let state = store.gauges.now
        let found = [state.trouble, state.upkeepTrouble]
        if found.contains(where: { $0?.code == .storageFull }) { return ["the disk is full"] }
        return zip(found, ["the last commit failed", "the last checkpoint failed"]).compactMap { $0 == nil ? nil : $1 }
    }
}

extension StoreOptions {
    init(_ configuration: Configuration) {
        self.init()
        queueEvents = configuration.storage.queueEvents
        queueBytes = configuration.storage.queueBytes
        commitEvents = configuration.storage.commitEvents
        checkpointPages = configuration.storage.checkpointPages
        dedupeDays = configuration.storage.dedupeDays
        quarantineRows = configuration.limits.quarantineRows
        quarantineBytes = configuration.limits.quarantineBytes
        tail.listeners = configuration.tail.listeners
        tail.listenersPerKey = configuration.tail.listenersPerKey
        tail.bytes = configuration.tail.memory
        messages = MessageBounds(configuration)
        crashes = CrashBounds(configuration)
    }
}

extension CrashBounds {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        payloadsOfApp = configuration.crashes.keptReports
        payloadsOfIssue = configuration.crashes.keptReportsPerIssue
        issues = configuration.crashes.issues
        bytesOfApp = Int64(configuration.crashes.keptBytes)
    }
}

extension SymbolFolder.Limits {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        fileBytes = configuration.crashes.symbolFile
        appBytes = Int64(configuration.crashes.symbolBytes)
        freeBytes = Int64(configuration.storage.minFreeDisk)
    }
}

extension MessageBounds {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        let messages = configuration.messages
        staleAfter = .days(Int64(messages.staleDays))
        expiredAfter = .days(Int64(messages.expiredDays))
        disabledAfter = .days(Int64(messages.disabledDays))
        keptAfter = .days(Int64(messages.keptDays))
        topicsOfRegistration = messages.topicsPerDevice
        pendingOfStream = messages.pendingPerStream
        graceOfSecret = .hours(Int64(messages.secretGraceHours))
        challengeTries = messages.challengeTries
        chunk = messages.chunk
        queue = messages.queue
        streams = configuration.stream.listeners
    }
}

extension SenderOptions {
    init(_ configuration: Configuration) {
        self.init()
        let delivery = configuration.delivery
        origin.inFlight = delivery.inFlight
        origin.perSecond = delivery.perSecond
        retries = RetryPolicy(waits: delivery.retries.map { Timestamp.Span($0) })
        timeout = Timestamp.Span(delivery.timeout)
        threads = delivery.threads
        let own = configuration.mode == .development ? ["127.0.0.0/8", "::1"].compactMap(AddressRange.init) : []
        addresses = AddressPolicy(allowing: delivery.allowedAddresses + own)
        userAgent = "Signalbox/\(Version.current)"
    }
}

extension Timestamp.Span {
    init(_ duration: Duration) {
        self.init(milliseconds: Int64(duration / .milliseconds(1)))
    }
}

extension HTTPServerConfiguration {
    init(_ configuration: Configuration, controlSocket: String, onlyControl: Bool) {
        let server = configuration.server
        let endpoint = Endpoint(host: server.listen.address.description, port: server.listen.port)
        self.init(listen: onlyControl ? [] : [endpoint], unixSocket: controlSocket)
        loops = onlyControl ? 1 : server.loops
        trustedProxies = server.trustedProxies.map(\.description)
        deadlines.header = server.headerTimeout
        deadlines.idle = server.idleTimeout
        deadlines.write = server.writeTimeout
        deadlines.bodyGrace = server.bodyGrace
        deadlines.minimumBytesPerSecond = server.bodyMinRate
        caps.connections = server.maxConnections
        caps.connectionsPerAddress = server.maxConnectionsPerAddress
        caps.head.headerBytes = server.maxHeaderBytes
    }
}

/// The free space of the data folder, asked for with every request and looked up a few times a second.
private final class FreeDisk: Sendable {
    private let known = Mutex<(bytes: Int64, until: ContinuousClock.Instant)>((.max, .now))

    func bytes(at path: String) -> Int64 {
        known.withLock { known in
            let now = ContinuousClock.now
            // Where the system does not tell, commits find out.
            if now >= known.until { known = ((try? Folder.freeBytes(at: path)) ?? .max, now + .milliseconds(100)) }
            return known.bytes
        }
    }
}
