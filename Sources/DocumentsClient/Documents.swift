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

    let options: DocumentOptions
    private let makeTransport: TransportFactory
    private let current: Locked<DocumentEngine>

    /// Opens the store of the options' user, and sends writes that an earlier launch has queued.
    ///
    /// - Throws: ``DocumentError`` with the code `dataLoss` if the file cannot be opened, or is in use.
    public convenience init(_ options: DocumentOptions) throws(DocumentError) {
        try self.init(options, transport: { HTTPTransport($0, user: $1) })
    }

    init(_ options: DocumentOptions, transport: @escaping TransportFactory) throws(DocumentError) {
        (self.options, makeTransport) = (options, transport)
        current = Locked(try Documents.open(options, user: options.user, transport))
        start()
    }

    deinit {
        let engine = engine
        Task { await engine.close() }
    }

    var engine: DocumentEngine { current.withLock { $0 } }

    private func start() {
        let engine = engine
        Task { await engine.start() }
    }

    private static func open(_ options: DocumentOptions, user: String?, _ transport: TransportFactory) throws(DocumentError) -> DocumentEngine {
        var file = ":memory:"
        if options.isPersistent {
            do {
                try PrivateFolder.make(options.chosenFolder)
            } catch {
                throw DocumentError(.dataLoss, "The folder of the local store cannot be created: \(error.localizedDescription)")
            }
            file = options.chosenFolder.appendingPathComponent(fileName(of: user)).path
        }
        return try DocumentEngine(options, file: file, transport: transport(options, user))
    }

    /// The name of a user's file. Letters and digits stand for themselves, so that files can be told apart.
    ///
    ///     nil → documents.db     "ann" → documents-ann.db     "a/b" → documents-a_2fb.db
    static func fileName(of user: String?) -> String {
        guard let user else { return "documents.db" }
        let hex = Array("0123456789abcdef")
        let text = user.utf8.map { byte -> String in
            let isPlain = (48...57).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
            return isPlain ? String(Unicode.Scalar(byte)) : "_\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
        }.joined()
        return "documents-\(text.prefix(200)).db"
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
    /// The body may run several times: after a conflict it begins again.
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
    /// - Throws: What the body throws; ``DocumentError`` with the code `aborted` after `attempts` conflicts.
    public func transaction<T: Sendable>(attempts: Int = 5, _ body: (Transaction) async throws -> T) async throws -> T {
        var backoff = Backoff(first: options.backoff.first / 10, longest: options.backoff.longest)
        for attempt in 1...max(1, attempts) {
            let transaction = Transaction(engine)
            do {
                let result = try await body(transaction)
                try await transaction.commit()
                return result
            } catch let error as DocumentError where error.code == .aborted && attempt < attempts {
                try await backoff.pause(retryAfter: nil)
            }
        }
        throw DocumentError(.aborted, "The transaction was repeated \(attempts) times.")
    }

    /// Returns when the daemon has decided about all writes that are queued now.
    public func waitForPendingWrites() async throws(DocumentError) { try await engine.waitForPendingWrites() }

    /// Streams the writes that the daemon has refused and that were undone here, also those of an earlier launch.
    public func failures() async -> AsyncStream<WriteFailure> { await engine.failures() }

    // MARK: Connection

    /// Stops and allows all requests. Without the network, reads come from the cache and writes stay queued.
    public func setNetworkEnabled(_ isEnabled: Bool) async { await engine.setNetworkEnabled(isEnabled) }

    /// Ends pauses between attempts. Call it when the app becomes active, or the device has a network again.
    public func connectNow() async { await engine.connectNow() }

    /// Changes the user, whose documents and queued writes are apart from those of all others. Streams of the earlier user end.
    ///
    /// - Parameters:
    ///   - user: The user's ID; nil for nobody.
    ///   - removingLocalData: Whether cached documents and queued writes of the earlier user are removed from the device.
    public func setUser(_ user: String?, removingLocalData: Bool = false) async throws(DocumentError) {
        let old = engine
        await old.close()
        if removingLocalData { await old.removeFiles() }
        let new = try Documents.open(options, user: user, makeTransport)
        current.withLock { $0 = new }
        start()
    }

    /// Ends streams and requests. Queued writes are sent by the next launch.
    public func close() async {
        await engine.close()
    }
}

/// The place that a read is answered from.
public enum DocumentSource: Sendable {
    /// The daemon; the cache if it cannot be reached.
    case `default`
    case server
    case cache
}

/// Writes that the daemon has refused.
public struct WriteFailure: Sendable, Equatable {
    /// The documents that they would have changed.
    public let paths: [String]
    /// The reason.
    public let error: DocumentError
}
