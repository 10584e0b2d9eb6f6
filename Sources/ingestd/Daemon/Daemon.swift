// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import EventStore
import HTTPServer
import Ingest
import JSON
import MessageStore
import Platform
import AcrossStores
import Symbols
import Synchronization

/// The composition root: what every handler may use, and how the parts are put together.
final class Daemon: Sendable {
    let store: Stores
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
    let sentry: SentryDecoder
    let sentryCounts: SentryCounts
    let symbolPieces: SymbolChunks
    let firebaseMessages: FirebaseMessages
    let symbols: SymbolShelf
    let symbolizer: Symbolizer
    /// For documents that are read again.
    let parser: JSONParser
    let requests: RequestMetrics
    /// What requests hold in memory.
    let requestMemory: RequestMemory
    private let configuration: Mutex<Configuration>
    private let server = Mutex<HTTPServer?>(nil)
    let freeDisk = FreeDisk()
    let exports = ExportPlaces()
    private let draining = Atomic<Bool>(false)
    private let refusing = Atomic<Bool>(false)
    /// Ends when draining is asked for.
    private let untilDrain = AsyncStream.makeStream(of: Never.self)
    private let started = ContinuousClock.now

    init(_ configuration: Configuration, log: Log, clock: WallClock = .system) throws {
        self.configuration = Mutex(configuration)
        self.clock = clock
        self.log = log
        let memory = RequestMemory(configuration.httpCaps)
        requestMemory = memory
        let parser = JSONParser(memory: JSONMemory(take: memory.reserve, giveBack: memory.release))
        events = NativeEvents(parser: parser)
        users = NativeUsers(parser: parser)
        messages = NativeMessages(parser: parser)
        crashes = NativeCrashes(parser: parser)
        appleReports = AppleReports(parser: parser)
        appErrors = AppErrors(parser: parser)
        measurements = GoogleMeasurements(parser: parser)
        segmentCalls = SegmentCalls(parser: parser)
        postHogEvents = PostHogEvents(parser: parser)
        sentry = SentryDecoder(parser: parser)
        sentryCounts = SentryCounts(metrics)
        firebaseMessages = FirebaseMessages(parser: parser)
        self.parser = parser
        var options = configuration.store
        options.crashes.anonymise = StoredCrashes(parser: parser).nameless
        options.crashes.report = StoredCrashes(parser: parser).report
        store = try Stores(configuration.storage.directory, options: options, clock: clock, metrics: metrics, log: log) {
            sentence in
            log.error("storage cannot be trusted", ["reason": .text(sentence)])
            OwnProcess.end(code: 1)
        }
        streamBodies = StreamBodies(store.messages)
        symbols = SymbolShelf(try SymbolFolder(store.paths.symbols, limits: configuration.symbolFolder), store.crashes)
        symbolPieces = SymbolPieces(in: store.paths.uploads, most: configuration.symbols.fileBytes)
        symbolizer = Symbolizer(configuration, folder: store.paths.symbols)
        requests = RequestMetrics(metrics)
        DaemonMetrics.register(self)
    }

    var settings: Configuration { configuration.withLock { $0 } }
    var isDraining: Bool { draining.load(ordering: .relaxed) }
    /// Whether who comes now is told that the daemon ends.
    var turnsAway: Bool { refusing.load(ordering: .relaxed) }
    var uptimeSeconds: Int { Int((ContinuousClock.now - started).components.seconds) }

    func replace(_ new: Configuration) {
        configuration.withLock { $0 = new }
    }

    /// Binds the configured addresses, unless it was passed sockets, and the control socket.
    func makeServer(onlyControl: Bool = false, passedSockets: [Int32] = []) throws -> HTTPServer {
        let settings = settings
        let front = FrontDoor(self)
        var configuration = settings.httpServer(controlSocket: store.paths.controlSocket, onlyControl: onlyControl)
        configuration.passedSockets = passedSockets
        let made = try HTTPServer(
            configuration: configuration, memory: requestMemory,
            plan: { front.plan(for: $0) },
            problem: { front.answer(to: $0, $1) })
        server.withLock { $0 = made }
        return made
    }

    /// The address it is bound to, with the port that the system chose where it was to choose.
    var address: ListenAddress {
        let (bound, socket) = server.withLock { ($0?.endpoint, $0?.proxySocket) }
        if let bound, let host = IPAddress(bound.host) { return ListenAddress(host, port: bound.port) }
        return socket.map { .unix(path: $0) } ?? settings.server.listen
    }

    /// The host and port of URLs for clients. Behind a socket file only the proxy knows them, so `localhost` stands in their place.
    var authority: String {
        switch address {
        case .tcp: "\(address)"
        case .unix: "localhost"
        }
    }

    var connections: Int { serverStatistics?.connections ?? 0 }
    var serverStatistics: HTTPServerStatistics? { server.withLock { $0?.statistics } }

    /// Whether commits and connections go on; a part that does not leaves the caller without an answer, or with `false`.
    func isAtWork() async -> Bool {
        let loopsTurn = server.withLock { $0?.hasTurned() } ?? isDraining
        await store.writersAnswer()
        return loopsTurn
    }

    /// From now on new work is refused; what was taken in is still answered, for as long as the grace allows.
    func drain() {
        guard !draining.exchange(true, ordering: .relaxed) else { return }
        // At a passed socket who comes waits for the next daemon; who is here already is served, over a connection that then ends.
        if server.withLock({ $0?.hasPassedSockets ?? false }) { closeDoors() } else { refusing.store(true, ordering: .relaxed) }
        // Who reads this may rely on it, so it is said once it is so, and before the end that it announces.
        log.info("draining", ["grace_seconds": .count(settings.server.drainGrace.components.seconds)])
        store.events.tail.end()
        store.messages.streams.end()
        exports.end()
        untilDrain.continuation.finish()
    }

    func drainingIsAsked() async {
        for await _ in untilDrain.stream {}
    }

    /// Takes nobody in any more; the server ends with its last answer.
    func closeDoors() {
        // The server holds the handlers and they hold the daemon; letting go of it here ends all three with the last answer.
        server.withLock { $0.take() }?.drain(grace: settings.server.drainGrace)
    }
}
