// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// The state of one user's documents: the local store, the views of listeners, the queue of writes, and the connection.
///
/// The values that decide (`TargetView`, `Overlay`, `PendingWrites`) know nothing of it. It stores what they say and does what they need.
actor DocumentEngine {
    /// A target that somebody listens to.
    struct ActiveTarget {
        enum Start {
            /// By the stream's token.
            case token
            /// By the versions that the client has.
            case known
            case anew
        }

        let number: Int64
        var view: TargetView
        /// The documents of the result as the daemon said last.
        var members: Set<DocumentPath>
        /// Whether `members` has ever been the whole result.
        var isKnown: Bool
        /// Whether the store's token covers the result.
        var hasToken: Bool
        var start = Start.anew
        /// Whether the open stream has the target.
        var isOpen = false
        /// Whether the view shows the result of the stream's last commit.
        var isCurrent = false
        /// Whether a view has been offered to listeners.
        var isShown = false
        /// By their numbers.
        var feeds: [Int: WeakFeed] = [:]

        mutating func becomeCurrent() { (isCurrent, isKnown, hasToken) = (true, true, true) }
    }

    /// A listener's feed, which lives as long as its stream.
    struct WeakFeed {
        weak var feed: SnapshotFeed?
    }

    let transport: any DocumentTransport
    let store: LocalStore
    let options: DocumentOptions
    nonisolated let user: String?
    var overlay = Overlay()
    var queue: [PendingWrites] = []
    var outcomes: [Int64: WriteOutcome] = [:]
    var targets: [Int64: ActiveTarget] = [:]
    var numbers: [StreamTarget.Kind: Int64] = [:]
    /// Documents that confirmed writes changed, with the stamps of these commits. Older news about them is ignored.
    var settled = SettledWrites()
    var readsInFlight = 0
    var failureFeeds: [Int: AsyncStream<WriteFailure>.Continuation] = [:]
    var failureFeedCount = 0
    var feedCount = 0
    var isNetworkEnabled = true
    var isClosed = false
    /// Whether the last attempt to reach the daemon failed.
    var isOffline = false

    // The connection.
    var streaming: Task<Void, Never>?
    let streamLoop: ReconnectingLoop
    var streamID: String?
    /// Events of a commit that are complete with the next token.
    var group: [StreamEvent] = []
    var removedTargets: [Int64] = []
    /// The targets that the stream had when their last listener left, with the removals that the daemon has not answered. Until then its events
    /// are about the target that left, and not about one that has the number again.
    var leavingTargets: [Int64: Int] = [:]
    var isChangingTargets = false

    // The queue.
    var flushing: Task<Void, Never>?
    let flushPause = Pause()

    // Transactions.
    /// The clients of earlier commits that none under way uses.
    var idleClients: [TransactionClient] = []

    static let mostTargets = 100

    init(_ options: DocumentOptions, user: String?, file: String, transport: any DocumentTransport) throws(DocumentError) {
        (self.options, self.transport, self.user) = (options, transport, user)
        streamLoop = ReconnectingLoop(options.backoff, now: options.now)
        store = try LocalStore.open(file, cacheBytes: options.cacheBytes)
        queue = try store.pending()
        for pending in queue { overlay.add(pending) }
    }

    /// Starts to send writes of an earlier launch.
    func start() { flushSoon() }

    var now: Int64 { Int64(options.now().timeIntervalSince1970 * 1_000_000) }

    func close() {
        if isClosed { return }
        isClosed = true
        stopConnections()
        for target in targets.values { for feed in target.feeds.values { feed.feed?.end() } }
        (targets, numbers) = ([:], [:])
        for outcome in outcomes.values { outcome.resolve(.failure(DocumentError(.cancelled, "The documents were closed; the writes stay queued."))) }
        outcomes = [:]
        for feed in failureFeeds.values { feed.finish() }
        failureFeeds = [:]
        transport.close()
        store.close()
    }

    // MARK: Network

    func setNetworkEnabled(_ isEnabled: Bool) {
        guard isEnabled != isNetworkEnabled, !isClosed else { return }
        isNetworkEnabled = isEnabled
        if isEnabled {
            isOffline = false
            connectSoon()
            flushSoon()
        } else {
            stopConnections()
            lostConnection()
        }
    }

    /// Ends pauses between attempts.
    func connectNow() {
        streamLoop.retryNow()
        flushPause.cut()
    }

    private func stopConnections() {
        streaming?.cancel()
        flushing?.cancel()
        (streaming, flushing, streamID) = (nil, nil, nil)
    }

    /// Shows listeners that their results are those of the cache.
    func lostConnection() {
        isOffline = true
        (group, streamID) = ([], nil)
        for number in targets.keys {
            targets[number]?.isOpen = false
            targets[number]?.isCurrent = false
            show(number, evenEmpty: true)
        }
    }

    func note(_ error: DocumentError) {
        if error.code == .unavailable { isOffline = true }
    }

    // MARK: Views

    /// Offers the view of a target to its listeners.
    ///
    /// - Parameter evenEmpty: Whether the first view may be empty, because nothing better is to come soon.
    func show(_ number: Int64, evenEmpty: Bool = false) {
        guard let target = targets[number] else { return }
        let documents = target.view.documents
        guard target.isShown || target.isCurrent || target.isKnown || evenEmpty || !documents.isEmpty else { return }
        targets[number]?.isShown = true
        let view = feedView(documents, of: target.view, isFromCache: !target.isCurrent)
        for feed in target.feeds.values { feed.feed?.offer(view) }
    }

    func feedView(_ documents: [ViewedDocument], of view: TargetView, isFromCache: Bool) -> FeedView {
        var isPending = documents.contains(where: \.hasPendingWrites)
        if case .document(let path) = view.kind { isPending = overlay.has(path) }
        return FeedView(documents: documents, isFromCache: isFromCache, hasPendingWrites: isPending)
    }

    /// Computes documents anew in all views, after their queued writes or what is known of them has changed.
    func refresh(_ paths: some Sequence<DocumentPath>) {
        let paths = Array(Set(paths))
        for (number, target) in targets {
            let covered = paths.filter(target.view.covers)
            if covered.isEmpty { continue }
            targets[number]?.view.refresh(covered, overlay)
            show(number)
        }
    }

    /// The cached documents that queued writes of a target change, whether or not they are in its result.
    func basesOfPending(in view: TargetView) throws(DocumentError) -> [RemoteDocument] {
        var documents: [RemoteDocument] = []
        for path in overlay.paths where view.covers(path) { if let cached = try store.document(path) { documents.append(cached.document) } }
        return documents
    }
}

/// The commits of confirmed writes, by document. The newest thousand are kept.
struct SettledWrites {
    private static let most = 1_000
    private var stamps: [DocumentPath: Int64] = [:]
    private var order: [DocumentPath] = []

    subscript(path: DocumentPath) -> Int64? { stamps[path] }

    mutating func add(_ path: DocumentPath, _ stamp: Int64) {
        if stamps.updateValue(stamp, forKey: path) == nil { order.append(path) }
        if order.count > SettledWrites.most * 2 {
            for old in order.prefix(SettledWrites.most) { stamps[old] = nil }
            order.removeFirst(SettledWrites.most)
        }
    }

    /// The documents whose commits are not after a stamp.
    func paths(upTo stamp: Int64) -> [DocumentPath] { stamps.filter { $0.value <= stamp }.map(\.key) }
    /// The documents whose commits are after a stamp.
    func paths(after stamp: Int64) -> [DocumentPath] { stamps.filter { $0.value > stamp }.map(\.key) }

    mutating func remove(upTo stamp: Int64) {
        stamps = stamps.filter { $0.value > stamp }
        order.removeAll { stamps[$0] == nil }
    }
}
