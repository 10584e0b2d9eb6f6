// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// The documents and queued writes of one user on this device.
///
/// Not `Sendable`: it belongs to the engine that opened it.
final class LocalStore {
    let database: Database
    /// The ID under which the daemon knows the batches of new writes.
    private(set) var client: String
    /// The ID at the time of opening: that of the writes of earlier launches, unless the store is a copy.
    private var openingClient = ""
    /// The number of the last write of earlier launches.
    private var lastEarlierWrite: Int64 = 0
    private let cacheBytes: Int
    /// The bytes of all documents.
    private(set) var bytes: Int
    var indexes: [LocalIndex] = []
    /// The IDs of collections whose fields have got indexes.
    var indexedCollections: Set<ExactName> = []

    /// - Parameter path: The file; `:memory:` for a store that ends with the process.
    init(_ path: String, cacheBytes: Int) throws(DocumentError) {
        database = try Database(path)
        self.cacheBytes = cacheBytes
        try LocalSchema.prepare(database)
        client = ""
        bytes = 0
        client = try meta("client") ?? ""
        let mark = StoreMark(path)?.text ?? ""
        // Two copies with one ID would send different writes under the same numbers, and the daemon would take them for repetitions.
        let stored = try meta("mark")
        if client.isEmpty || stored != mark {
            let database = database
            try database.transaction { () throws(DocumentError) in
                try renewClient()
                try setMeta("mark", mark)
            }
        }
        openingClient = client
        lastEarlierWrite = try database.first("SELECT max(number) FROM pending") { $0.integer(0) } ?? 0
        bytes = try meta("bytes").flatMap { Int($0) } ?? 0
        try loadIndexes()
    }

    /// Closes the file. Everything that is called afterwards throws.
    func close() { database.close() }

    /// Makes changes, all or none, also of what is held here, and goes on with indexes that are not filled.
    func transaction<T>(_ body: () throws(DocumentError) -> T) throws(DocumentError) -> T {
        let (client, bytes, indexes, indexedCollections) = (client, bytes, indexes, indexedCollections)
        do throws(DocumentError) {
            return try database.transaction { () throws(DocumentError) in
                let result = try body()
                try fillSome()
                return result
            }
        } catch {
            (self.client, self.bytes, self.indexes, self.indexedCollections) = (client, bytes, indexes, indexedCollections)
            throw error
        }
    }

    func meta(_ name: String) throws(DocumentError) -> String? {
        try database.first("SELECT value FROM meta WHERE name = ?", .text(name)) { $0.text(0) }
    }

    func setMeta(_ name: String, _ value: String) throws(DocumentError) {
        try database.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", .text(name), .text(value))
    }

    /// Takes a new ID for new writes. Those that are queued keep the one they have.
    private func renewClient() throws(DocumentError) {
        client = RandomID.random()
        try setMeta("client", client)
    }

    /// Whether an ID is one under which this store has queued writes, and not that of a store of which it is a copy.
    func isOwn(_ client: String) -> Bool { [self.client, openingClient].contains(client) }

    /// Whether writes were queued since the store was opened.
    func isNew(_ pending: PendingWrites) -> Bool { pending.number > lastEarlierWrite }

    /// Takes a new ID for new writes and those since the opening, after the daemon has seen batches that this store does not know: it is an
    /// older state of itself, or has a copy. Writes of before keep their ID, as the daemon may know them.
    func renewClientOfNewWrites() throws(DocumentError) {
        try renewClient()
        try database.run("UPDATE pending SET client = ? WHERE number > ?", .text(client), .integer(lastEarlierWrite))
    }

    // MARK: Documents

    private static let columns = "path, version, created, body, provisional, number"

    /// A cached document.
    struct Cached {
        let document: RemoteDocument
        let isProvisional: Bool
        let number: Int64
    }

    private static func cached(_ row: Row) -> Cached? {
        guard let path = DocumentPath(row.text(0)), let fields = JSONNode(row.blob(3)).flatMap(NativeText.fields) else { return nil }
        return Cached(
            document: RemoteDocument(path: path, fields: fields, version: row.integer(1), created: row.integer(2)),
            isProvisional: row.integer(4) != 0, number: row.integer(5))
    }

    func document(_ path: DocumentPath) throws(DocumentError) -> Cached? {
        try database.first("SELECT \(LocalStore.columns) FROM documents WHERE path = ?", .text(path.description), row: LocalStore.cached) ?? nil
    }

    func cached(number: Int64) throws(DocumentError) -> Cached? {
        try database.first("SELECT \(LocalStore.columns) FROM documents WHERE number = ?", .integer(number), row: LocalStore.cached) ?? nil
    }

    /// Keeps a document, unless a version is there of after the stamp at which the daemon told of it. Returns its number.
    ///
    /// An older version of a later stamp is kept: the daemon was restored from a backup.
    @discardableResult
    func put(_ document: RemoteDocument, of stamp: Int64, isProvisional: Bool = false, at now: Int64) throws(DocumentError) -> Int64 {
        let old = try self.document(document.path)
        if let old, old.document.version > stamp || old.document.version == document.version && !old.isProvisional { return old.number }
        var json = JSONText()
        json.object(document.fields)
        let collection = try collectionNumber(of: document.path)
        let size = json.bytes.count + document.path.description.utf8.count
        var number = old?.number ?? 0
        if let old {
            let before = try storedBytes(old.number)
            try database.run(
                "UPDATE documents SET version = ?, created = ?, provisional = ?, used = ?, bytes = ?, body = ? WHERE number = ?",
                .integer(document.version), .integer(document.created), .integer(isProvisional ? 1 : 0), .integer(now), .integer(Int64(size)),
                .blob(json.bytes), .integer(old.number))
            try count(size - before)
        } else {
            try database.run(
                "INSERT INTO documents (path, collection, version, created, provisional, used, bytes, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                .text(document.path.description), .integer(collection), .integer(document.version), .integer(document.created),
                .integer(isProvisional ? 1 : 0), .integer(now), .integer(Int64(size)), .blob(json.bytes))
            number = database.lastRow
            try count(size)
        }
        try updateEntries(of: number, from: old?.document, to: document)
        if let id = document.path.parent?.id { try indexFields(of: id) }
        return number
    }

    /// Forgets a document, also as a member of targets.
    func remove(_ path: DocumentPath) throws(DocumentError) {
        guard let old = try document(path) else { return }
        try updateEntries(of: old.number, from: old.document, to: nil)
        try count(-storedBytes(old.number))
        try database.run("DELETE FROM members WHERE document = ?", .integer(old.number))
        try database.run("DELETE FROM documents WHERE number = ?", .integer(old.number))
    }

    private func storedBytes(_ number: Int64) throws(DocumentError) -> Int {
        Int(try database.first("SELECT bytes FROM documents WHERE number = ?", .integer(number)) { $0.integer(0) } ?? 0)
    }

    private func count(_ more: Int) throws(DocumentError) {
        if more == 0 { return }
        bytes += more
        try setMeta("bytes", String(bytes))
    }

    func collectionNumber(of path: DocumentPath) throws(DocumentError) -> Int64 {
        guard let parent = path.parent else { throw .invalid("The path of a document has no collection.") }
        let text = parent.description
        if let known = try database.first("SELECT number FROM collections WHERE path = ?", .text(text), row: { $0.integer(0) }) { return known }
        try database.run("INSERT INTO collections (path, id) VALUES (?, ?)", .text(text), .text(parent.id.text.text))
        return database.lastRow
    }

    /// Calls a function with each cached document of a query's collections until it returns false.
    func eachDocument(of query: DocumentQuery, _ body: (RemoteDocument) throws(DocumentError) -> Bool) throws(DocumentError) {
        guard let collection = query.collection else { return }
        let visit = { (row: Row) throws(DocumentError) -> Bool in
            guard let cached = LocalStore.cached(row) else { return true }
            return try body(cached.document)
        }
        let columns = LocalStore.columns.split(separator: ", ").map { "d.\($0)" }.joined(separator: ", ")
        let join = "SELECT \(columns) FROM collections c JOIN documents d ON d.collection = c.number WHERE c."
        if query.everyDepth { return try database.each(join + "id = ?", [.text(collection.text.text)], visit) }
        let path = query.parent.map { "\($0)/\(collection.text)" } ?? collection.text.text
        try database.each(join + "path = ?", [.text(path)], visit)
    }

    // MARK: Size

    /// Notes that documents were used, at most once a minute, so that they are not the first to be removed.
    func touch(_ paths: some Sequence<DocumentPath>, at now: Int64) throws(DocumentError) {
        for path in paths {
            try database.run(
                "UPDATE documents SET used = ? WHERE path = ? AND used < ?", .integer(now), .text(path.description), .integer(now - 60_000_000))
        }
    }

    var isTooLarge: Bool { bytes > cacheBytes }

    /// Removes documents that were used longest ago while the cache is too large. Targets that lose a member begin anew later.
    ///
    /// - Parameter isNeeded: Whether a document must stay: it is shown, or has queued writes.
    func evict(_ isNeeded: (DocumentPath) -> Bool) throws(DocumentError) {
        guard isTooLarge else { return }
        let goal = cacheBytes / 10 * 9
        var (doomed, sum): ([DocumentPath], Int) = ([], 0)
        let excess = bytes - goal
        try database.each("SELECT path, bytes FROM documents ORDER BY used, number", []) { row in
            guard let path = DocumentPath(row.text(0)), !isNeeded(path) else { return true }
            doomed.append(path)
            sum += Int(row.integer(1))
            return sum < excess
        }
        for path in doomed {
            try database.run(
                """
                DELETE FROM targets WHERE number IN (
                    SELECT target FROM members WHERE document = (SELECT number FROM documents WHERE path = ?))
                """, .text(path.description))
            try remove(path)
        }
        try database.run("DELETE FROM members WHERE target NOT IN (SELECT number FROM targets)")
        try forgetEmptyCollections()
    }

    func forgetEmptyCollections() throws(DocumentError) {
        try database.run("DELETE FROM collections WHERE number NOT IN (SELECT collection FROM documents)")
    }
}

/// Random IDs.
enum RandomID {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let (timeDigits, randomDigits) = (8, 12)

    static func random() -> String {
        String(decoding: (0..<22).map { _ in alphabet.randomElement() ?? alphabet[0] }, as: UTF8.self)
    }

    /// An ID of 20 characters that begins with the time, so that documents that are added together are stored together.
    static func new(at now: Date) -> String {
        var digits: [UInt8] = []
        var milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1_000))
        for _ in 0..<timeDigits {
            digits.append(alphabet[Int(milliseconds % UInt64(alphabet.count))])
            milliseconds /= UInt64(alphabet.count)
        }
        digits.reverse()
        for _ in 0..<randomDigits { digits.append(alphabet.randomElement() ?? alphabet[0]) }
        return String(decoding: digits, as: UTF8.self)
    }
}
