// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// Targets that were listened to, with the documents that the daemon said are in their results.
extension LocalStore {
    struct StoredTarget {
        let number: Int64
        /// Whether the result is that of the stream's token.
        let isCurrent: Bool
        /// Whether the daemon has ever said what the result is.
        let isKnown: Bool
    }

    /// The token of the last event that was stored.
    var token: String? {
        get throws(DocumentError) { try meta("token") }
    }

    /// Returns the row of a target, which is made without a result if there is none.
    func target(_ kind: StreamTarget.Kind, at now: Int64) throws(DocumentError) -> StoredTarget {
        let text = LocalStore.text(of: kind)
        let known = try database.first("SELECT number, current FROM targets WHERE target = ?", .text(text)) { row in
            StoredTarget(number: row.integer(0), isCurrent: row.integer(1) == 1, isKnown: row.integer(1) >= 0)
        }
        if let known {
            try database.run("UPDATE targets SET used = ? WHERE number = ?", .integer(now), .integer(known.number))
            return known
        }
        try database.run("INSERT INTO targets (target, current, used) VALUES (?, -1, ?)", .text(text), .integer(now))
        return StoredTarget(number: database.lastRow, isCurrent: false, isKnown: false)
    }

    func members(of target: Int64) throws(DocumentError) -> [Cached] {
        let rows = try database.all("SELECT document FROM members WHERE target = ?", .integer(target)) { $0.integer(0) }
        var documents: [Cached] = []
        for number in rows { if let cached = try cached(number: number) { documents.append(cached) } }
        return documents
    }

    func addMember(_ document: Int64, to target: Int64) throws(DocumentError) {
        try database.run("INSERT OR IGNORE INTO members (target, document) VALUES (?, ?)", .integer(target), .integer(document))
    }

    func removeMember(_ path: DocumentPath, of target: Int64) throws(DocumentError) {
        try database.run(
            "DELETE FROM members WHERE target = ? AND document = (SELECT number FROM documents WHERE path = ?)", .integer(target),
            .text(path.description))
    }

    func removeMembers(of target: Int64) throws(DocumentError) {
        try database.run("DELETE FROM members WHERE target = ?", .integer(target))
    }

    /// Whether a document is in the result of a target.
    func isMember(_ path: DocumentPath) throws(DocumentError) -> Bool {
        try database.first(
            "SELECT 1 FROM members WHERE document = (SELECT number FROM documents WHERE path = ?) LIMIT 1", .text(path.description)
        ) { _ in true } ?? false
    }

    /// Notes that targets show the commit of a token. All others do not show it.
    func setToken(_ token: String, current: Set<Int64>) throws(DocumentError) {
        try setMeta("token", token)
        let before = Set(try database.all("SELECT number FROM targets WHERE current = 1") { $0.integer(0) })
        for number in before.subtracting(current) { try database.run("UPDATE targets SET current = 0 WHERE number = ?", .integer(number)) }
        for number in current.subtracting(before) { try database.run("UPDATE targets SET current = 1 WHERE number = ?", .integer(number)) }
    }

    /// The most targets that are remembered.
    static let mostTargets = 300

    /// Forgets targets that were listened to longest ago, if there are too many.
    ///
    /// - Parameter isNeeded: Whether a target is listened to.
    func trimTargets(_ isNeeded: (Int64) -> Bool) throws(DocumentError) {
        let count = Int(try database.first("SELECT count(*) FROM targets") { $0.integer(0) } ?? 0)
        guard count > LocalStore.mostTargets else { return }
        let oldest = try database.all("SELECT number FROM targets ORDER BY used, number") { $0.integer(0) }
        try database.transaction { () throws(DocumentError) in
            for number in oldest.filter({ !isNeeded($0) }).prefix(count - LocalStore.mostTargets) { try forgetTarget(number) }
            try forgetEmptyCollections()
        }
    }

    func forgetTarget(_ number: Int64) throws(DocumentError) {
        try removeMembers(of: number)
        try database.run("DELETE FROM targets WHERE number = ?", .integer(number))
    }

    /// The text by which a target is found again.
    private static func text(of kind: StreamTarget.Kind) -> String {
        var json = JSONText()
        switch kind {
        case .document(let path): json.string(path.description)
        case .query(let query): json.query(query)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
