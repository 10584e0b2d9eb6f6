// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import CrashStore
import Database
import Delivery
import DocumentStore
import EventStore
import FunctionStore
import HTTPServer
import Ingest
import JSON
import MessageStore
import Platform
import Symbols
import Workers

/// The composition root: opens the store and makes each service from the parts it uses.
///
/// Routes name a service and a method of it (`.task(\.issues, Issues.list)`); no handler sees the whole daemon.
final class Daemon: Sendable {
    // MARK: Parts

    let store: Stores
    let clock: WallClock
    let log: Log
    let metrics = Metrics()
    let configuration: LiveConfiguration
    let rates: KeyRates
    let keyFailures: KeyFailures
    let disk: DiskGuard
    let drain = DrainState()
    let server: ServerHandle
    let readiness: Readiness
    let uptime = Uptime()
    let requests: RequestMetrics
    let mailMetrics: MailMetrics
    /// Memory held by requests.
    let requestMemory: RequestMemory
    let exportSlots = ExportSlots()
    /// For stored documents.
    let parser: JSONParser
    let symbols: SymbolStorage
    let symbolPieces: SymbolChunks
    let symbolizer: Symbolizer
    let symbolHealth: SymbolHealth
    let minidumps: MinidumpReaders

    // MARK: Services

    let health: Health
    let intake: IntakeServices
    let queries: Queries
    let savedQueries: SavedQueries
    let sqlQueries: SQLQueries
    let exports: Exports
    let tails: Tails
    let persons: Persons
    let personLists: PersonLists
    let personExports: PersonExports
    let issues: Issues
    let attachments: Attachments
    let symbolFiles: SymbolFiles
    let messaging: MessageServices
    let accounts: AccountServices
    let documents: Documents
    let documentPaths: DocumentPaths
    let documentIndexes: DocumentIndexes
    let documentPersons: DocumentPersons
    let files: AppFiles
    let filePaths: FilePaths
    let fileTransfers: FileTransfers
    let filesPending: FilesPending
    let fileRules: FileRules
    let fileFigures: FileFigures
    let tusUploads: TusUploads
    let functions: AppFunctions
    let functionTasks: FunctionTasks
    let functionRuns: FunctionRuns
    let functionFigures: FunctionStatisticsRoutes
    let triggerLags: TriggerLags
    let workers: WorkerDesk
    let callDesk: CallDesk
    let callables: Callables
    let documentExpiry: DocumentExpiry
    let documentChanges: DocumentChanges
    let documentTransfers: DocumentTransfers
    let documentStatistics: DocumentStatisticsRoutes
    let documentListens: DocumentListens
    let documentRules: DocumentRules
    let ruleTrials: RuleTrials
    let documentEmulator: DocumentEmulator
    let apps: Apps
    let keys: Keys
    let backups: Backups
    let audits: Audits
    let systemStatus: SystemStatus
    let integrations: Integrations
    let emulator: AccountEmulator

    init(_ configuration: Configuration, log: Log, clock: WallClock = .system) throws {
        (self.clock, self.log) = (clock, log)
        let live = LiveConfiguration(configuration)
        self.configuration = live
        keyFailures = KeyFailures(live, clock, log, metrics)
        let memory = RequestMemory(configuration.httpCaps)
        requestMemory = memory
        let parser = JSONParser(memory: JSONMemory(take: memory.reserve, giveBack: memory.release))
        self.parser = parser
        store = try Daemon.openStore(configuration, parser, clock, metrics, log)
        disk = DiskGuard(store.paths.root, live)
        rates = KeyRates(AppQuotas(store, metrics))
        server = ServerHandle(live)
        readiness = Readiness(store: store, disk: disk, drain: drain, configuration: live)
        requests = RequestMetrics(metrics)
        mailMetrics = MailMetrics(metrics)
        symbols = SymbolStorage(try SymbolFolder(store.paths.symbols, limits: configuration.symbolFolder), store.crashes)
        symbolPieces = SymbolChunks(in: store.paths.uploads, most: configuration.symbols.fileBytes)
        symbolizer = Symbolizer(configuration, folder: store.paths.symbols)
        symbolHealth = SymbolHealth(log: log)
        minidumps = MinidumpReaders(store.paths, parser, symbolHealth, metrics)

        health = Health(readiness: readiness, metrics: metrics)
        intake = IntakeServices(store, parser, IntakeNames(Demangler.ofDaemon(.request), symbolHealth), minidumps.intake, rates, disk, clock)
        queries = Queries(store: store, clock: clock)
        savedQueries = SavedQueries(store: store, clock: clock, log: log)
        sqlQueries = SQLQueries(store: store, configuration: live, clock: clock)
        exports = Exports(store: store, slots: exportSlots, clock: clock)
        tails = Tails(store: store, configuration: live)
        persons = Persons(store: store)
        personLists = PersonLists(store: store)
        personExports = PersonExports(store: store, persons: persons, slots: exportSlots)
        issues = Issues(store: store, clock: clock, log: log)
        attachments = Attachments(store: store)
        symbolFiles = SymbolFiles(store: store, storage: symbols, configuration: live, disk: disk, quotas: rates.quotas, clock: clock)
        messaging = MessageServices(store, parser, rates, disk, live, clock)
        accounts = try AccountServices(
            store, NativeUsers(parser: parser), disk, server, live, exportSlots, clock, log, metrics, NativeEvents(parser: parser), rates.quotas)
        documents = Documents(store: store, parser: parser, disk: disk, quotas: rates.quotas, clock: clock)
        documentPaths = DocumentPaths(documents: documents)
        documentIndexes = DocumentIndexes(store: store, parser: parser)
        documentPersons = DocumentPersons(store: store, parser: parser)
        files = AppFiles(store: store)
        filePaths = FilePaths(store: store)
        fileTransfers = FileTransfers(store: store)
        filesPending = FilesPending(store: store)
        fileRules = FileRules(documents: documents)
        fileFigures = FileFigures(store: store)
        tusUploads = TusUploads(store: store)
        functions = AppFunctions(store: store, disk: disk, quotas: rates.quotas, configuration: live)
        functionTasks = FunctionTasks(store: store, parser: parser, disk: disk, quotas: rates.quotas)
        functionRuns = FunctionRuns(store: store, configuration: live)
        triggerLags = TriggerLags(metrics)
        workers = try WorkerDesk(.ofDaemon(store, live, memory, clock, log), parser, metrics)
        callDesk = CallDesk(live, store.functions, CallMetrics(metrics), workers, clock: clock)
        functionFigures = FunctionStatisticsRoutes(store: store, desk: callDesk, lags: triggerLags)
        callables = Callables(store: store, desk: callDesk, parser: parser, rates: rates, clock: clock)
        documentExpiry = DocumentExpiry(store: store, parser: parser)
        documentChanges = DocumentChanges(store: store, configuration: live)
        documentTransfers = DocumentTransfers(store: store, documents: documents, slots: exportSlots)
        documentStatistics = DocumentStatisticsRoutes(store: store)
        documentListens = DocumentListens(store: store, parser: parser, configuration: live, clock: clock)
        documentRules = DocumentRules(documents: documents)
        ruleTrials = RuleTrials(documents: documents)
        documentEmulator = DocumentEmulator(documents: documents)
        apps = Apps(store: store, configuration: live, rates: rates, symbols: symbols, symbolPieces: symbolPieces)
        keys = Keys(store: store, rates: rates, server: server, clock: clock)
        backups = Backups(store: store)
        audits = Audits(store: store, clock: clock)
        systemStatus = SystemStatus(
            store: store, server: server, readiness: readiness, symbolizer: symbolizer, symbolHealth: symbolHealth, workers: workers, clock: clock,
            uptime: uptime)
        emulator = AccountEmulator(store: store, configuration: live, clock: clock)
        integrations = Integrations(
            intake.ofIntegrations, DebugFiles(store: store, storage: symbols, chunks: symbolPieces, configuration: live, log: log, clock: clock),
            accounts, emulator, documents, parser: parser, store: store, limits: messaging.limits, disk: disk, clock: clock, metrics: metrics)
        registerMetrics()
    }

    private static func openStore(
        _ configuration: Configuration, _ parser: JSONParser, _ clock: WallClock, _ metrics: Metrics, _ log: Log
    ) throws -> Stores {
        var options = configuration.store
        options.accounts.sendsMail = configuration.sendsMail
        options.crashes.anonymise = StoredCrashes(parser: parser).anonymized
        options.crashes.report = StoredCrashes(parser: parser).report
        return try Stores(configuration.storage.directory, options: options, clock: clock, metrics: metrics, log: log) { reason in
            log.error("storage failed; stopping", ["reason": .text(reason)])
            OwnProcess.end(code: 1)
        }
    }

    var settings: Configuration { configuration.now }
}

extension Daemon {
    /// Binds the configured addresses, unless sockets were passed, and the control socket.
    func makeServer(onlyControl: Bool = false, passedSockets: [Int32] = []) throws -> HTTPServer {
        let front = FrontDoor(self)
        var options = settings.httpServer(controlSocket: store.paths.controlSocket, onlyControl: onlyControl)
        options.passedSockets = passedSockets
        let made = try HTTPServer(
            configuration: options, memory: requestMemory,
            plan: { front.plan(for: $0) },
            problem: { front.response(to: $0, $1) })
        server.put(made)
        return made
    }

    /// Rejects new requests from now on. Accepted requests are answered within the configured grace.
    func beginDrain() {
        guard drain.begin() else { return }
        // New connections at a passed socket wait for the next daemon; open connections are served once more and then closed.
        if server.hasPassedSockets { stopAccepting() } else { drain.rejectRequests() }
        // Logged after the state has changed, because readers of the log rely on it.
        log.info("draining", ["grace_seconds": .count(settings.server.drainGrace.components.seconds)])
        store.events.tail.end()
        store.messages.streams.end()
        store.accounts.hub.end()
        store.documents.followers.end()
        store.documents.listening.end()
        documents.holds.drain()
        store.functions.logs.end()
        exportSlots.end()
        drain.announce()
    }

    /// Accepts no more requests; the server ends with its last response.
    func stopAccepting() {
        // Taking the server breaks the cycle of server, handlers and handle.
        server.take()?.drain(grace: settings.server.drainGrace)
    }
}
