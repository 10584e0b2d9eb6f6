// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// The entry point of documents: reads, queries, writes and listeners that work offline.
///
/// ```swift
/// let documents = try Documents(DocumentOptions(address: address, key: "sb_ingest_…"))
/// try await documents.document("users/u1").set(["name": "Ann"], merge: true)
/// for try await users in documents.collection("users").order("name").limit(20).snapshots() { show(users) }
/// ```
///
/// Create one and keep it as long as the app runs. It writes to a file that no other process and no other `Documents` may use.
public final class Documents: Sendable {
    /// Makes the connection for a user. The in-memory service has one of its own.
    typealias TransportFactory = @Sendable (_ options: DocumentOptions, _ user: String?) -> any DocumentTransport

    private struct State {
        var engine: DocumentEngine
        /// False once the engine is closed for a change of the user, until the next one is open.
        var isOpen = true
        /// The last change of the user, which the next one waits for.
        var change: Task<DocumentError?, Never>?
        var isNetworkEnabled = true
        var isClosed = false
        /// By user.
        var localDataRemovals: [String?: Int] = [:]
    }

    let options: DocumentOptions
    private let makeTransport: TransportFactory
    private let state: Locked<State>
    private let following = Locked<Task<Void, Never>?>(nil)

    /// Opens the store of the options' user, and sends writes that an earlier launch has queued.
    ///
    /// - Throws: ``DocumentError`` with the code `dataLoss` if the file cannot be opened, or is in use.
    public convenience init(_ options: DocumentOptions) throws(DocumentError) {
        try self.init(options, transport: { HTTPTransport($0, user: $1) })
    }

    init(_ options: DocumentOptions, transport: @escaping TransportFactory) throws(DocumentError) {
        (self.options, makeTransport) = (options, transport)
        let user: String?
        if let follows = options.follows { user = try follows.current() } else { user = options.user }
        let engine = try Documents.open(options, user: user, transport)
        state = Locked(State(engine: engine))
        Task { await engine.start() }
        if let follows = options.follows {
            let task = Task { [weak self] in for await _ in follows.changes() { _ = try? await self?.engine() } }
            following.withLock { $0 = task }
        }
    }

    deinit {
        following.withLock { $0 }?.cancel()
        let engine = state.withLock { $0.engine }
        Task { await engine.close() }
    }

    /// The engine of the user whom the documents are about now.
    func engine() async throws(DocumentError) -> DocumentEngine {
        while true {
            let (engine, isOpen, isClosed) = state.withLock { ($0.engine, $0.isOpen, $0.isClosed) }
            guard !isClosed, let follows = options.follows else { return engine }
            let user = try follows.current()
            if user == engine.user, isOpen { return engine }
            let leaves = engine.user != nil && engine.user != user
            try await change(to: user, removingLocalData: leaves && options.removesLocalDataAtSignOut, isFollowing: true)
        }
    }

    /// The user whom the documents are about now; while the user of the app cannot be known, the one before.
    var user: String? {
        let known = state.withLock { $0.engine.user }
        guard let follows = options.follows else { return known }
        do throws(DocumentError) { return try follows.current() } catch { return known }
    }

    // MARK: Files

    /// The folder in which sync engines keep documents; nil for documents in memory without one.
    var localFolder: URL? { options.isPersistent || options.folder != nil ? options.chosenFolder : nil }

    private static func open(_ options: DocumentOptions, user: String?, _ transport: TransportFactory) throws(DocumentError) -> DocumentEngine {
        var file = ":memory:"
        if options.isPersistent {
            let url = options.chosenFolder.appendingPathComponent(StoreName.of(user) + ".db")
            do {
                try PrivateFolder.make(url.deletingLastPathComponent())
            } catch {
                throw DocumentError(.dataLoss, "The folder of the local store cannot be created: \(error.localizedDescription)")
            }
            file = url.path
        }
        return try DocumentEngine(options, user: user, file: file, transport: transport(options, user))
    }

    // MARK: References

    /// A document by its path, such as `users/u1`. A wrong path is an error of the first call that uses it.
    public func document(_ path: String) -> DocumentReference { DocumentReference(documents: self, path: path) }

    /// A collection by its path, such as `users` or `users/u1/orders`.
    public func collection(_ path: String) -> CollectionReference { CollectionReference(documents: self, path: path) }

    /// All collections with an ID, at any depth.
    public func collectionGroup(_ id: String) -> Query { Query(documents: self, group: id) }

    // MARK: Writes

    /// A batch of writes that are made together.
    public func batch() -> WriteBatch { WriteBatch(documents: self) }

    /// Reads and writes documents so that nothing that was read changes before the writes. It needs the daemon.
    ///
    /// The body may run several times: after a conflict it begins again. The daemon then holds what it reads for two seconds, and repeated
    /// transactions wait for each other, so that none is repeated for ever.
    ///
    /// ```swift
    /// let left = try await documents.transaction { transaction in
    ///     let item = try await transaction.get(documents.document("items/i1"))
    ///     let left = (item["left"]?.int ?? 0) - 1
    ///     transaction.update(item.reference, ["left": .integer(Int64(left))])
    ///     return left
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attempts: The most times that the body runs.
    ///   - body: Reads, then writes with the transaction that it gets.
    /// - Throws: What the body throws; ``DocumentError`` with the code `aborted` after `attempts` conflicts.
    public func transaction<T: Sendable>(attempts: Int = 5, _ body: (Transaction) async throws -> T) async throws -> T {
        var backoff = Backoff(first: options.backoff.first / 10, longest: options.backoff.longest)
        for attempt in 1...max(1, attempts) {
            let transaction = Transaction(try await engine(), holdsReads: attempt > 1)
            do {
                let result = try await body(transaction)
                try await transaction.commit()
                return result
            } catch {
                transaction.leave()
                guard let failure = error as? DocumentError, failure.code == .aborted, attempt < attempts else { throw error }
                // The daemon makes repeated transactions wait for each other; one that it has not let wait pauses here.
                if attempt > 1, !transaction.wasHeld { try await backoff.pause(retryAfter: nil) }
            }
        }
        throw DocumentError(.aborted, "The transaction was repeated \(attempts) times.")
    }

    /// Returns when the daemon has decided about all writes that are queued now.
    public func waitForPendingWrites() async throws(DocumentError) { try await engine().waitForPendingWrites() }

    /// Streams the writes that the daemon has refused and that were undone here, also those of an earlier launch.
    /// The stream ends with a change of the user. A refusal while no stream is open is not kept for a later one, and at most the newest 100 wait
    /// for a reader.
    public func failures() async -> AsyncStream<WriteFailure> {
        do throws(DocumentError) { return await (try engine()).failures() } catch { return AsyncStream { $0.finish() } }
    }

    // MARK: Connection

    /// Stops and allows all requests. Without the network, reads come from the cache and writes stay queued.
    public func setNetworkEnabled(_ isEnabled: Bool) async {
        let engine = state.withLock { state in
            state.isNetworkEnabled = isEnabled
            return state.engine
        }
        await engine.setNetworkEnabled(isEnabled)
    }

    /// Ends pauses between attempts. Call it when the app becomes active, or the device has a network again.
    public func connectNow() async { await state.withLock { $0.engine }.connectNow() }

    /// Changes the user, whose documents and queued writes are apart from those of all others. Streams of the earlier user end.
    ///
    /// Documents of a `SignalboxApp` follow its user by themselves, and are those of that user again with the next call.
    ///
    /// - Parameters:
    ///   - user: The user's ID; nil for nobody.
    ///   - removingLocalData: Whether cached documents and queued writes of the earlier user are removed from the device, with what sync engines
    ///     keep of them.
    public func setUser(_ user: String?, removingLocalData: Bool = false) async throws(DocumentError) {
        try await change(to: user, removingLocalData: removingLocalData)
    }

    /// Changes the user after all changes before.
    ///
    /// - Parameter isFollowing: Whether nothing is to do if the user is that one already.
    private func change(to user: String?, removingLocalData: Bool = false, isFollowing: Bool = false) async throws(DocumentError) {
        let change = state.withLock { state in
            let earlier = state.change
            let change = Task { () -> DocumentError? in
                _ = await earlier?.value
                return await self.replaceEngine(user, removingLocalData, isFollowing)
            }
            state.change = change
            return change
        }
        if let error = await change.value { throw error }
    }

    private func replaceEngine(_ user: String?, _ removingLocalData: Bool, _ isFollowing: Bool) async -> DocumentError? {
        let (old, isOpen, isClosed) = state.withLock { ($0.engine, $0.isOpen, $0.isClosed) }
        if isClosed || isFollowing && isOpen && old.user == user { return nil }
        state.withLock { $0.isOpen = false }
        await old.close()
        if removingLocalData { removeLocalData(of: old.user) }
        do throws(DocumentError) {
            let new = try Documents.open(options, user: user, makeTransport)
            let isNetworkEnabled = state.withLock { state in
                (state.engine, state.isOpen) = (new, true)
                return state.isNetworkEnabled
            }
            if !isNetworkEnabled { await new.setNetworkEnabled(false) }
            await new.start()
            return nil
        } catch { return error }
    }

    /// The number of times that the local data of a user was removed since the launch.
    func localDataRemovals(of user: String?) -> Int { state.withLock { $0.localDataRemovals[user] ?? 0 } }

    private func removeLocalData(of user: String?) {
        let name = StoreName.of(user)
        // A sync engine sees the number, and forgets what it has in memory, before it can read or write its file.
        EngineFiles.access.withLock { _ in
            state.withLock { $0.localDataRemovals[user, default: 0] += 1 }
            let damaged = ".db" + LocalStore.damagedSuffix
            for suffix in [".db", ".db-wal", ".db-shm", ".db-journal", damaged, damaged + "-wal", StoreName.engineSuffix] {
                try? FileManager.default.removeItem(at: options.chosenFolder.appendingPathComponent(name + suffix))
            }
        }
    }

    /// Ends streams and requests. Queued writes are sent by the next launch.
    public func close() async {
        following.withLock { $0 }?.cancel()
        let (engine, change) = state.withLock { state in
            state.isClosed = true
            return (state.engine, state.change)
        }
        await engine.close()
        // A change under way may have opened another one.
        _ = await change?.value
        await state.withLock { $0.engine }.close()
    }
}

/// The names of the files of a user, which letters and digits stand in as themselves.
///
///     nil → documents     "ann" → documents-ann     "a/b" → documents-a_2fb
enum StoreName {
    static let engineSuffix = ".engines"
    /// The longest part of a path; longer names have several, so that no two are equal.
    private static let mostBytes = 200

    static func of(_ user: String?) -> String {
        guard let user else { return "documents" }
        return "documents-" + plain(user)
    }

    static func plain(_ text: String) -> String {
        let hex = Array("0123456789abcdef")
        let pieces = text.utf8.map { byte -> String in
            let isPlain = (48...57).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
            return isPlain ? String(Unicode.Scalar(byte)) : "_\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
        }
        let bytes = Array(pieces.joined().utf8)
        return stride(from: 0, to: bytes.count, by: mostBytes).map { start in
            String(decoding: bytes[start..<min(start + mostBytes, bytes.count)], as: UTF8.self)
        }.joined(separator: "/")
    }
}

/// The place that a read is answered from.
public enum DocumentSource: Sendable {
    /// The daemon; the cache if it cannot be reached.
    case `default`
    /// The daemon; an error without it.
    case server
    /// This device, without a request.
    case cache
}

/// Writes that the daemon has refused.
public struct WriteFailure: Sendable, Equatable {
    /// The documents that they would have changed.
    public let paths: [String]
    /// The reason.
    public let error: DocumentError
}
