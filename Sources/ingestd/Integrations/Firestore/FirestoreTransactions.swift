// SPDX-License-Identifier: Apache-2.0

import Crypto
import DocumentStore
import Firestore
import Platform
import SignalboxDocumentModel
import Synchronization

/// The open transactions of the Firestore API, in memory: what each has read, and the version of the database that it reads.
///
/// A commit is refused if something that its transaction read was changed since. A restart ends all transactions; clients repeat them.
final class FirestoreTransactions: Sendable {
    /// The bounds of an owner.
    struct Bounds {
        var transactions = 1_000
        /// Of one user, or of one address of clients without a token.
        var ofClient = 50
        /// The bytes of what all open transactions have read.
        var bytes = 16 << 20
        /// Of one user, or of one address of clients without a token.
        var bytesOfClient = 4 << 20
    }

    typealias Owner = DocumentHolds.Group

    /// The documents and queries that a commit depends on.
    struct Reads: Sendable {
        let hold: DocumentHolds.ID?
        let documents: [DocumentCommit.Read]
        let conditions: [DocumentCommit.Condition]
    }

    private static let idBytes = 16
    private static let idleSpan = Timestamp.Span.minutes(1)
    private static let longestSpan = Timestamp.Span.seconds(270)
    /// The bytes of a read without its path or query.
    private static let readBytes = 256

    private struct Open {
        /// The user or the address that began it; nil for servers.
        let client: ExactName?
        let isReadOnly: Bool
        let began: Timestamp
        var used: Timestamp
        var at: DocumentTime?
        /// The hold of one that repeats another.
        var hold: DocumentHolds.ID?
        var hasAskedForHold = false
        var bytes = 0
        var documents: [DocumentPath: DocumentTime?] = [:]
        var conditions: [DocumentCommit.Condition] = []

        func isOver(_ now: Timestamp) -> Bool { now - used > idleSpan || now - began > longestSpan }
    }

    /// The open transactions of one owner.
    private struct OfOwner {
        var open: [[UInt8]: Open] = [:]
        var bytes = 0

        mutating func remove(_ id: [UInt8]) -> Open? {
            guard let transaction = open.removeValue(forKey: id) else { return nil }
            bytes -= transaction.bytes
            return transaction
        }

        mutating func add(_ transaction: Open, _ id: [UInt8]) {
            open[id] = transaction
            bytes += transaction.bytes
        }

        /// The bytes of what a client's transactions have read.
        func bytes(of client: ExactName) -> Int { open.values.reduce(0) { $0 + ($1.client == client ? $1.bytes : 0) } }

        /// Ends the transactions of the client that has read most, if that is more than another has with what it has read now. Servers have none.
        mutating func makeRoom(for client: ExactName?, with bytes: Int) {
            var read: [ExactName: Int] = [:]
            for one in open.values { if let name = one.client { read[name, default: 0] += one.bytes } }
            guard let client, let most = read.max(by: { $0.value < $1.value }), most.key != client,
                most.value > read[client, default: 0] + bytes
            else { return }
            for (id, one) in open where one.client == most.key { _ = remove(id) }
        }

        func isFull(for client: ExactName?, _ bounds: Bounds) -> Bool {
            if open.count >= bounds.transactions || bytes >= bounds.bytes { return true }
            guard let client, open.count >= bounds.ofClient else { return false }
            return open.values.count { $0.client == client } >= bounds.ofClient
        }

        mutating func removeThoseOver(_ now: Timestamp) { for (id, one) in open where one.isOver(now) { _ = remove(id) } }
    }

    private let owners = Mutex<[Owner: OfOwner]>([:])
    private let clock: WallClock
    private let bounds: Bounds

    init(clock: WallClock, _ bounds: Bounds = Bounds()) {
        (self.clock, self.bounds) = (clock, bounds)
    }

    /// Begins a transaction and returns its ID.
    func begin(_ options: FirestoreTransaction, _ owner: Owner, _ client: ExactName? = nil) throws(FirestoreFault) -> [UInt8] {
        let (id, now) = (randomBytes(Self.idBytes), clock.now())
        var made = Open(client: client, isReadOnly: false, began: now, used: now)
        switch options {
        case .readOnly(let time): made = Open(client: client, isReadOnly: true, began: now, used: now, at: time)
        case .readWrite(nil): break
        case .readWrite(let retried?):
            guard retried.count == Self.idBytes else { throw Self.malformed }
            made.hold = HeldDocuments.newID()
        }
        let isFull = owners.withLock { owners in
            var all = owners.removeValue(forKey: owner) ?? OfOwner()
            if all.isFull(for: client, bounds) { all.removeThoseOver(now) }
            let isFull = all.isFull(for: client, bounds)
            if !isFull { all.add(made, id) }
            owners[owner] = all
            return isFull
        }
        if isFull { throw FirestoreFault(.resourceExhausted, "Too many transactions are open. Commit or roll back others first.") }
        return id
    }

    /// Returns the time that a transaction reads at; nil before its first read.
    func time(of id: [UInt8], _ owner: Owner) throws(FirestoreFault) -> DocumentTime? { try change(id, owner) { $0.at } }

    /// Returns the hold that the next read of a transaction asks for. The first read of a repeated one waits for its documents.
    func holdRequest(of id: [UInt8], _ owner: Owner) throws(FirestoreFault) -> HeldDocuments.Request? {
        try change(id, owner) { transaction in
            guard let hold = transaction.hold else { return nil }
            defer { transaction.hasAskedForHold = true }
            return transaction.hasAskedForHold ? .extend(hold) : .take(hold)
        }
    }

    /// Notes documents that a transaction has read.
    func note(_ documents: [(path: DocumentPath, version: DocumentTime?)], at stamp: DocumentTime, in id: [UInt8], _ owner: Owner)
        throws(FirestoreFault)
    {
        try change(id, owner) { transaction in
            transaction.at = transaction.at ?? stamp
            if transaction.isReadOnly { return }
            for document in documents where transaction.documents[document.path] == nil {
                transaction.documents[document.path] = .some(document.version)
                transaction.bytes += document.path.size + Self.readBytes
            }
        }
    }

    /// Notes a query that a transaction has made.
    func note(_ query: DocumentQuery, bytes: Int, at stamp: DocumentTime, in id: [UInt8], _ owner: Owner) throws(FirestoreFault) {
        try change(id, owner) { transaction in
            transaction.at = transaction.at ?? stamp
            if transaction.isReadOnly { return }
            transaction.conditions.append(.init(query, at: stamp))
            transaction.bytes += bytes + Self.readBytes
        }
    }

    /// Changes an open transaction. One that has read more than a commit may depend on, or than its client may have read, ends.
    ///
    /// If all have read too much, those of the client that has read most end.
    private func change<T: Sendable>(_ id: [UInt8], _ owner: Owner, _ body: (inout Open) -> T) throws(FirestoreFault) -> T {
        let now = clock.now()
        let result: Result<T, FirestoreFault> = owners.withLock { owners in
            guard var all = owners.removeValue(forKey: owner) else { return .failure(Self.expired) }
            defer { owners[owner] = all }
            guard var transaction = all.remove(id), !transaction.isOver(now) else { return .failure(Self.expired) }
            transaction.used = now
            let result = body(&transaction)
            guard fits(transaction) else { return .failure(Self.tooLarge) }
            guard transaction.client.map({ all.bytes(of: $0) + transaction.bytes <= bounds.bytesOfClient }) ?? true else {
                return .failure(Self.noRoom)
            }
            if all.bytes + transaction.bytes > bounds.bytes { all.removeThoseOver(now) }
            if all.bytes + transaction.bytes > bounds.bytes { all.makeRoom(for: transaction.client, with: transaction.bytes) }
            guard all.bytes + transaction.bytes <= bounds.bytes else { return .failure(Self.noRoom) }
            all.add(transaction, id)
            return .success(result)
        }
        return try result.get()
    }

    /// Whether a transaction has read no more than one may that is alone.
    private func fits(_ transaction: Open) -> Bool {
        let mostBytes = transaction.client == nil ? bounds.bytes : min(bounds.bytes, bounds.bytesOfClient)
        return transaction.documents.count + transaction.conditions.count <= DocumentBounds.conditions && transaction.bytes <= mostBytes
    }

    private static let expired = FirestoreFault(.invalidArgument, "The referenced transaction has expired or is no longer valid.")
    private static let malformed = FirestoreFault(.invalidArgument, "Invalid transaction.")
    private static let readOnly = FirestoreFault(.invalidArgument, "Cannot modify entities in a read-only transaction.")
    /// Clients do not repeat this one: the transaction would read too much again.
    private static let tooLarge = FirestoreFault(.invalidArgument, "The transaction has read too much. Read less in one.")
    private static let noRoom = FirestoreFault(
        .resourceExhausted, "The open transactions have read too much. Commit or roll back others, or read less in one.")

    /// Ends a transaction before its commit. Returns what it depends on. One that only reads stays open if the commit writes.
    func end(_ id: [UInt8], _ owner: Owner, isWriting: Bool) throws(FirestoreFault) -> Reads {
        let now = clock.now()
        let ended: Open? = owners.withLock { owners in
            guard let transaction = owners[owner]?.remove(id), !transaction.isOver(now) else { return nil }
            if transaction.isReadOnly, isWriting { owners[owner]?.add(transaction, id) }
            return transaction
        }
        guard let ended else { throw Self.expired }
        if ended.isReadOnly, isWriting { throw Self.readOnly }
        let documents = ended.documents.map { DocumentCommit.Read($0.key, version: $0.value) }
        return Reads(hold: ended.hold, documents: documents, conditions: ended.conditions)
    }

    /// Rolls a transaction back and returns its hold. Clients also roll back those whose commit failed, so one that has ended is no error.
    func cancel(_ id: [UInt8], _ owner: Owner) throws(FirestoreFault) -> DocumentHolds.ID? {
        guard id.count == Self.idBytes else { throw Self.malformed }
        return owners.withLock { $0[owner]?.remove(id)?.hold }
    }
}
