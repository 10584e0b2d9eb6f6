// SPDX-License-Identifier: Apache-2.0

package import Listening
package import Platform
import SignalboxDocumentModel
import Synchronization

/// Tells listeners of commits, in their order, on a task of its own.
///
///     writer's thread ──publish──▶ feed ──▶ matcher ──▶ Listeners of the app ──▶ a turn of each stream with news
///     request         ──add──────────────────────────▶ Listeners ──▶ reads ──▶ readers ──answer──▶ Listeners
///
/// The writer only appends to the feed. A feed that grows too long is dropped, and listeners catch up from the change log.
package final class DocumentListening: Sendable {
    typealias Answering = @Sendable ([ListenRead], AppID, ListenAttempt) async throws -> [ListenAnswer?]
    private struct Feed {
        /// The stamp of the newest published commit.
        var stamp: Int64
        var commits: [CommittedDocuments.Commit] = []
        var changes = 0
        /// Whether commits were dropped since the matcher last took some.
        var hasLost = false
        var listenedApps: Set<AppID> = []
    }

    private struct State {
        var apps: [AppID: ListenedApp] = [:]
        var listeners: [ListenStreamID: DocumentListener] = [:]
        var lastStream = 0
        /// The changes that the listeners of all apps keep.
        var backlog = Backlog()
        var isOver = false
    }

    private static let (changesWaiting, senders) = (20_000, 8)
    private static let readers: [ListenReadQueue.Readers] = [.ofShort, .ofAny, .ofAny, .ofLongOfUsers, .ofLongOfUsers]
    package static let streams = 20_000
    /// The commits in one step of an app's listeners, during which its streams wait.
    private static let commitsAtOnce = 500
    private static let timeToLookForRoom = Duration.milliseconds(20)

    /// Names the file's history in tokens.
    let epoch: [UInt8]
    private let feed: Mutex<Feed>
    private let state = Mutex(State())
    private let published: AsyncStream<Void>
    private let publishing: AsyncStream<Void>.Continuation
    private let reads = ListenReadQueue()
    let turns = ListenTurns()
    let memory: ListenMemory
    let beats = ListenBeats()
    private let gauge: Gauge

    init(at stamp: Int64, epoch: [UInt8], _ gauge: Gauge, _ bounds: DocumentBounds) {
        (self.gauge, memory) = (gauge, ListenMemory(atMost: bounds.unsentBytes, patience: bounds.unsentPatience))
        feed = Mutex(Feed(stamp: stamp))
        self.epoch = epoch
        (published, publishing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Matches commits, makes reads and serves streams until `end`.
    func run(_ answering: @escaping Answering) async {
        await withTaskExecutorPreference(ListenThreads()) { await work(answering) }
    }

    private func work(_ answering: @escaping Answering) async {
        await withDiscardingTaskGroup { group in
            for reader in Self.readers { group.addTask { await self.makeReads(as: reader, answering) } }
            for _ in 0..<Self.senders {
                group.addTask { while let listener = await self.turns.next() { await listener.turn() } }
            }
            group.addTask { await self.beats.run() }
            for await _ in published { match() }
            group.cancelAll()
        }
    }

    /// The bytes of results and events that clients have not received.
    package var unsentBytes: Int { memory.total }

    /// Ends all streams, and opens no further ones. Clients resume by their tokens.
    package func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.end(nil) }
        if listeners.isEmpty { turns.end() }
        publishing.finish()
        reads.end()
    }

    // MARK: Commits

    /// Takes the commits of a transaction from the writer's thread.
    func publish(_ committed: CommittedDocuments) {
        let isListened = feed.withLock { feed in
            feed.stamp = max(feed.stamp, committed.stamp)
            for commit in committed.commits where feed.listenedApps.contains(commit.app) && !feed.hasLost {
                feed.commits.append(commit)
                feed.changes += commit.changes.count
            }
            if feed.changes > Self.changesWaiting { (feed.commits, feed.changes, feed.hasLost) = ([], 0, true) }
            return !feed.listenedApps.isEmpty
        }
        if isListened { publishing.yield() }
    }

    private func match() {
        let (commits, stamp, hasLost) = feed.withLock { feed in
            defer { (feed.commits, feed.changes, feed.hasLost) = ([], 0, false) }
            return (feed.commits, feed.stamp, feed.hasLost)
        }
        for (app, ofApp) in Dictionary(grouping: commits, by: \.app) {
            for first in stride(from: 0, to: ofApp.count, by: Self.commitsAtOnce) {
                step(app) { $0.handle(ofApp[first...].prefix(Self.commitsAtOnce)) }
            }
        }
        // Readers may return the stamp of any commit, also of one that changed nothing of the app.
        for app in state.withLock({ Array($0.apps.keys) }) {
            step(app) { $0.catchUp(to: stamp, hasLost: hasLost) }
        }
    }

    /// Makes a step of an app's listeners, asks for the reads and wakes the streams with news.
    @discardableResult
    private func step(_ app: AppID, _ body: (inout ListenedApp) -> ListenWork) -> Bool {
        let result = state.withLock { state -> (reads: [ListenRead], woken: [DocumentListener])? in
            guard var ofApp = state.apps.removeValue(forKey: app) else { return nil }
            let others = state.backlog - ofApp.listeners.backlog
            (ofApp.listeners.shared.ofOthers, ofApp.listeners.shared.apps) = (others, state.apps.count + 1)
            let work = body(&ofApp)
            state.backlog = others + ofApp.listeners.backlog
            state.apps[app] = ofApp
            for (id, bytes) in work.loaded { if let listener = state.listeners[id] { memory.set(loaded: bytes, of: listener) } }
            return (work.reads, work.news.compactMap { state.listeners[$0] })
        }
        guard let result else { return false }
        for read in result.reads { reads.add(read, app) }
        for listener in result.woken { listener.wake() }
        return true
    }

    // MARK: Reads

    private func makeReads(as reader: ListenReadQueue.Readers, _ answering: Answering) async {
        while true {
            switch await reads.next(for: reader, memory) {
            case .reads(let group): await make(group, as: reader, answering)
            case .noRoom(let share, let isShort):
                memory.makeRoom(for: share, isShort: isShort)
                if (try? await Task.sleep(for: Self.timeToLookForRoom)) == nil { return }
            case .over: return
            }
        }
    }

    /// Makes reads of a group. Those for users are only tried if they may be long, as these wait for a turn among the queries of users.
    private func make(_ asked: ListenReadQueue.Group, as reader: ListenReadQueue.Readers, _ answering: Answering) async {
        let group = ListenReadQueue.Group(app: asked.app, reads: awaited(asked))
        if group.reads.isEmpty { return }
        let isLongOfUsers = reader == .ofLongOfUsers
        let attempt: ListenAttempt = isLongOfUsers ? .longOfUsers : group.reads.allSatisfy(\.isForUsers) ? .onlyIfShort : .whole
        do {
            let answers = try await answering(group.reads, group.app, attempt)
            // All reads of one target have the same result.
            let bytes = if case .result? = group.reads.first?.group { answers.first.flatMap(\.self)?.bytes } else { Int?.none }
            for (read, answer) in zip(group.reads, answers) {
                // Results of others may have taken the room meanwhile.
                guard let answer, memory.hasRoom(for: read, of: group.app) else {
                    reads.add(read, group.app, isLongOfUsers: isLongOfUsers)
                    continue
                }
                step(group.app) { $0.listeners.answer(read.id, answer, bytes: bytes) }
            }
        } catch is LongRead {
            for read in group.reads { reads.add(read, group.app, isLongOfUsers: true) }
        } catch {
            let waiting = state.withLock { state in
                group.reads.flatMap { state.apps[group.app]?.listeners.streams(waitingFor: $0.id) ?? [] }.compactMap { state.listeners[$0] }
            }
            for listener in waiting { listener.end(error) }
        }
    }

    /// The reads for which a stream still waits. A client may open streams and close them before their reads are made.
    private func awaited(_ group: ListenReadQueue.Group) -> [ListenRead] {
        var awaited: [ListenRead] = []
        step(group.app) { state in
            awaited = state.listeners.awaited(group.reads)
            return ListenWork()
        }
        return awaited
    }

    // MARK: Streams

    /// Opens a stream for an app's documents.
    package func open(_ app: AppID, for client: ListenClient = .server) throws(Refusal) -> DocumentListener {
        let opened = state.withLock { state -> DocumentListener? in
            guard !state.isOver, state.listeners.count < Self.streams else { return nil }
            state.lastStream += 1
            let listener = DocumentListener(self, app, ListenStreamID(state.lastStream), for: client)
            if state.apps[app] == nil {
                let stamp = feed.withLock { feed in
                    feed.listenedApps.insert(app)
                    return feed.stamp
                }
                state.apps[app] = ListenedApp(at: stamp)
            }
            state.apps[app]?.listeners.open(listener.id, for: client)
            state.listeners[listener.id] = listener
            gauge.set(Double(state.listeners.count))
            return listener
        }
        guard let opened else { throw Refusal(.overloaded, "Too many streams listen to documents.", retryAfterSeconds: 5) }
        return opened
    }

    /// The streams of an app, and the different targets with the number of their listeners.
    func listened(_ app: AppID) -> (streams: Int, targets: [(target: ListenTarget, listeners: Int)]) {
        state.withLock { ($0.apps[app]?.listeners.streamCount ?? 0, $0.apps[app]?.listeners.listened ?? []) }
    }

    /// The different targets of all apps, and the targets of all streams.
    package var figures: (targets: Int, listeners: Int) {
        state.withLock { state in
            state.apps.values.reduce(into: (0, 0)) { $0 = ($0.0 + $1.listeners.targetCount, $0.1 + $1.listeners.listenerCount) }
        }
    }

    func close(_ listener: ListenStreamID, app: AppID) {
        let isLast = state.withLock { state in
            state.listeners[listener] = nil
            gauge.set(Double(state.listeners.count))
            state.backlog -= state.apps[app]?.listeners.backlog ?? Backlog()
            state.apps[app]?.listeners.close(listener)
            state.backlog += state.apps[app]?.listeners.backlog ?? Backlog()
            state.apps[app]?.proofs.remove(listener)
            if state.apps[app]?.listeners.streamCount == 0 {
                state.apps[app] = nil
                feed.withLock { feed in
                    feed.listenedApps.remove(app)
                    feed.commits.removeAll { $0.app == app }
                }
            }
            return state.isOver && state.listeners.isEmpty
        }
        if isLast { turns.end() }
    }

    func add(_ target: ListenTarget, as number: Int, to listener: ListenStreamID, app: AppID, from start: ListenStart) {
        step(app) { $0.listeners.add(target, as: number, to: listener, from: start) }
    }

    func remove(_ number: Int, from listener: ListenStreamID, app: AppID) {
        step(app) { state in
            state.proofs.remove(number, of: listener)
            return state.listeners.remove(number, from: listener)
        }
    }

    func take(_ listener: DocumentListener) -> DocumentListener.Taken {
        var taken = DocumentListener.Taken()
        step(listener.app) { state in
            let next = state.listeners.take(listener.id)
            taken = DocumentListener.Taken(
                event: next.event, doubtful: state.proofs.takeDoubtful(of: listener.id), refused: state.listeners.refused(of: listener.id))
            if next.event != nil { memory.take(listener) }
            return next.work
        }
        return taken
    }

    // MARK: Proofs

    /// Notes what the permission for a target rests on.
    func rest(_ target: Int, of listener: ListenStreamID, app: AppID, on documents: Set<DocumentPath>, provedAt stamp: Int64) {
        step(app) { state in
            let isDoubtful = state.proofs.set(target, of: listener, restsOn: documents, provedAt: stamp)
            return ListenWork(news: isDoubtful ? [listener] : [])
        }
    }

    func doubtAll(of listener: ListenStreamID, app: AppID) {
        step(app) { state in
            state.proofs.doubtAll(of: listener)
            return ListenWork(news: [listener])
        }
    }
}
