// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentStore {
    /// Removes the documents of apps that are no longer in the directory, some hundred rows at a time.
    package func forgetDeletedApps() async throws {
        let (directory, limit) = (directory, bounds.removedAtOnce)
        ruleCache.shadows.keep { [apps = directory.now.apps] in apps[$0] != nil }
        try await SpareSpace.inPieces(atMost: limit) { limit in
            let removed = try await change { context in
                // The directory is read on the writer's thread. An app created later has no rows yet.
                let gone = try context.file.apps(in: ["collections", "clients", "indexes", "rules", "settings", "app_logs", "sizes"]).subtracting(
                    directory.now.apps.keys.map(\.rawValue))
                return try gone.reduce(0) { try $0 + context.removeSome(ofApp: $1, atMost: limit) }
            }
            if removed > 0 { mustEmptyLog.make() }
            return removed
        }
    }

    /// Removes old changes, answers of batches and sizes, and notes the sizes of today; returns the number of rows removed.
    package func retain(_ apps: [App]) async throws -> Int {
        var total = 0
        for app in apps { total += try await noteSizes(of: app) }
        while true {
            let removed = try await change { [bounds] in try $0.removeOld(bounds) }
            total += removed
            if removed == 0 { return total }
        }
    }
}

extension DocumentContext {
    /// Removes changes that are too old or beyond the size of the log, and old answers. Returns the number of rows.
    func removeOld(_ bounds: DocumentBounds) throws -> Int {
        let oldest = (now - bounds.logKept).milliseconds * 1_000
        var last: (stamp: Int64, n: Int64)?
        var (kept, removed) = (marks.logBytes, 0)
        for change in try file.oldestChanges(atMost: bounds.removedAtOnce) {
            guard change.stamp < oldest || kept > bounds.logBytes else { break }
            last = (change.stamp, change.n)
            (kept, removed) = (kept - change.bytes, removed + 1)
        }
        if let last {
            try file.removeChanges(through: last.stamp, last.n)
            (marks.logBytes, marks.logStart) = (kept, last.stamp)
        }
        return removed + (try file.removeClients(before: now - DocumentBounds.clientsKept, atMost: bounds.removedAtOnce))
    }

    /// Removes rows of an app: documents and changes of one collection, then the collection. Returns the number of rows.
    func removeSome(ofApp app: Int64, atMost limit: Int) throws -> Int {
        (indexesByApp[AppID(rawValue: app)], clientsWithoutWrites[AppID(rawValue: app)]) = (nil, nil)
        forgetCollections()
        let others = try file.removeClients(ofApp: app, atMost: limit) + file.removeSomeEntries(ofApp: app, atMost: limit)
        if others > 0 { return others }
        guard let collection = try file.someCollection(ofApp: app) else {
            return try file.removeRules(ofApp: app) + file.removeSettings(ofApp: app) + file.removeSizes(ofApp: app)
        }
        let documents = try file.removeDocuments(of: collection, atMost: limit)
        if documents > 0 { return documents }
        let changes = try file.removeChanges(of: collection, atMost: limit)
        marks.logBytes -= changes.bytes
        if changes.rows > 0 { return changes.rows }
        try file.removeCollection(collection)
        return 1
    }
}

extension DocumentDB {
    fileprivate func oldestChanges(atMost limit: Int) throws -> [(stamp: Int64, n: Int64, bytes: Int64)] {
        try statement(
            "SELECT stamp, n, length(id) + coalesce(length(before), 0) + ? FROM changes ORDER BY stamp, n LIMIT ?"
        ).all(.integer(ChangeRow.overhead), .integer(Int64(limit))) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
    }

    fileprivate func removeChanges(through stamp: Int64, _ n: Int64) throws {
        try statement("DELETE FROM changes WHERE (stamp, n) <= (?, ?)").run(.integer(stamp), .integer(n))
    }

    fileprivate func removeClients(before time: Timestamp, atMost limit: Int) throws -> Int {
        // By time, as with pairs of app and client all clients are read. Those of the last time are removed together.
        try statement("DELETE FROM clients WHERE at <= (SELECT max(at) FROM (SELECT at FROM clients WHERE at < ? ORDER BY at LIMIT ?))").run(
            .integer(time.milliseconds), .integer(Int64(limit)))
        return changes
    }

    fileprivate func removeClients(ofApp app: Int64, atMost limit: Int) throws -> Int {
        try statement("DELETE FROM clients WHERE app = ? AND client IN (SELECT client FROM clients WHERE app = ? LIMIT ?)").run(
            .integer(app), .integer(app), .integer(Int64(limit)))
        return changes
    }

    fileprivate func removeRules(ofApp app: Int64) throws -> Int {
        try statement("DELETE FROM rules WHERE app = ?").run(.integer(app))
        return changes
    }

    fileprivate func someCollection(ofApp app: Int64) throws -> Int64? {
        try statement("SELECT number FROM collections WHERE app = ? LIMIT 1").first(.integer(app)) { $0.integer(0) }
    }

    fileprivate func removeDocuments(of collection: Int64, atMost limit: Int) throws -> Int {
        try statement("DELETE FROM documents WHERE number IN (SELECT number FROM documents WHERE collection = ? LIMIT ?)").run(
            .integer(collection), .integer(Int64(limit)))
        return changes
    }

    fileprivate func removeChanges(of collection: Int64, atMost limit: Int) throws -> (rows: Int, bytes: Int64) {
        let removed = try statement(
            """
            DELETE FROM changes WHERE (stamp, n) IN (SELECT stamp, n FROM changes WHERE collection = ? LIMIT ?)
            RETURNING length(id) + coalesce(length(before), 0) + ?
            """
        ).all(.integer(collection), .integer(Int64(limit)), .integer(ChangeRow.overhead)) { $0.integer(0) }
        return (removed.count, removed.reduce(0, +))
    }

    fileprivate func removeCollection(_ number: Int64) throws {
        try statement("DELETE FROM collections WHERE number = ?").run(.integer(number))
    }

    /// Removes collections without documents and changes. Each call looks at some, in turn.
    func removeUnusedCollections(after last: Int64, atMost limit: Int) throws -> (removed: Int, last: Int64) {
        let empty = try statement("SELECT number FROM collections WHERE documents = 0 AND number > ? ORDER BY number LIMIT ?").all(
            .integer(last), .integer(Int64(limit))
        ) { $0.integer(0) }
        let change = try statement("SELECT 1 FROM changes WHERE collection = ? LIMIT 1")
        var removed = 0
        for number in empty where try change.first(.integer(number), row: { $0.integer(0) }) == nil {
            try removeCollection(number)
            removed += 1
        }
        return (removed, empty.count == limit ? empty.last ?? 0 : 0)
    }
}
