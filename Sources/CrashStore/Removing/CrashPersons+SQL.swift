// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Compression
import Crashes
import Database
package import Platform
import SQLite

extension RemovalCounts.Kind {
    /// Crash reports.
    package static let crashes = Self("crashes")
}

extension CrashStore {
    /// Erases a person's reports with their counts, or anonymizes them under new keys. Returns how many there were.
    ///
    /// The reports are found in batches of 100 by a scan, and each batch is one change. An interrupted erasure can be repeated and finds
    /// the rest.
    ///
    ///     erasure      report removed, counters −1, titles of its issue recomputed, see `retitle`
    ///     anonymity    counters unchanged, new user and installation keys, identifying data removed from the document
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        var after: Int64 = 0
        while true {
            let place = after
            // Batches are small because the change decodes documents to find new titles.
            let rows = try await read(.large, seconds: ReaderPool.removalSeconds) { try $0.crashes(of: removal.keys, after: place, limit: 100) }
            guard let last = rows.last else { break }
            try await change { try $0.remove(rows, removal) }
            counts[.crashes] += rows.count
            after = last
        }
        return counts
    }

    /// Returns how many reports `remove` would affect.
    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        try await read(.large, seconds: ReaderPool.removalSeconds) { file in
            var counts = RemovalCounts()
            let sql = "SELECT count(*) FROM crashes NOT INDEXED WHERE \(removal.keys.condition)"
            counts[.crashes] = try file.uncached(sql).first { $0.int(0) } ?? 0
            return counts
        }
    }

    /// Returns a person's reports before a row, in reverse order of their receipt.
    package func crashes(of records: PersonRecords, before row: Int64, limit: Int) async throws -> [StoredCrash] {
        try await read(.large, seconds: 30) { file in
            let sql = "\(StoredCrash.selection) WHERE \(records.keys.condition(on: "c.")) AND c.id < ? ORDER BY c.id DESC LIMIT ?"
            return try file.uncached(sql).all(.integer(row), .integer(limit), row: StoredCrash.init)
        }
    }
}

extension CrashFileContext {
    fileprivate func remove(_ rows: [Int64], _ removal: PersonRemoval) throws {
        emptiesLog = true
        let crashes = try rows.compactMap { try file.leaving($0) }
        switch removal.kind {
        case .erasure: try erase(crashes)
        case .anonymity: for crash in crashes { try rename(crash, removal) }
        }
    }

    private func erase(_ crashes: [LeavingCrash]) throws {
        let titles = try Dictionary(grouping: crashes, by: \.issue).mapValues { try wordlessTitle(of: $0) }
        for crash in crashes { try remove(crash, uncounted: true) }
        try write()
        for (issue, title) in titles {
            try recount(issue)
            // Counts of reports removed by data retention stay, and so does their issue.
            if try self.issue(issue)?.count == 0, try !file.hasReports(issue) {
                try remove(issue: issue)
            } else {
                try retitle(issue, wordless: title)
            }
        }
    }

    /// Anonymizes a report. Its counts stay.
    private func rename(_ crash: LeavingCrash, _ removal: PersonRemoval) throws {
        var facts = crash.facts
        (facts.user, facts.installation) = (removal.keyAfterRemoval(facts.user), removal.keyAfterRemoval(facts.installation))
        try file.statement("UPDATE crashes SET user = ?, installation = ?, session = ?, flags = flags | ? WHERE id = ?")
            .run(
                .key(facts.user), .key(facts.installation), .key(removal.sessionAfterRemoval(crash.session, on: crash.facts.installation)),
                .integer(CrashFlags.anonymized.rawValue), .integer(crash.id))
        sums.countPerson(crash.facts, issue: crash.issue, by: -1)
        sums.countPerson(facts, issue: crash.issue, by: 1)
        try anonymizeAttachments(of: crash.id)
        try anonymizeTags(of: crash.id)
        // The memory of the process may contain anything.
        try removeMinidump(of: crash.id)
        if crash.bytes == 0 { return }
        // A symbolication in progress has the original document. Without the lease its result is discarded.
        try file.statement("UPDATE to_symbolicate SET leased = 0 WHERE crash = ?").run(integers: [crash.id])
        // An unreadable document may contain identifying data, so it is deleted.
        guard let payload = try file.readablePayload(of: crash.id), let nameless = limits.anonymise(payload) else {
            return try removeDocument(of: crash)
        }
        try replaceDocument(of: crash.id, app: crash.app, issue: crash.issue, bytes: crash.bytes, with: compress(nameless))
    }
}

extension CrashFileContext {
    /// Replaces the document of a report.
    func replaceDocument(of crash: Int64, app: Int64, issue: Int64, bytes: Int, with body: [UInt8]) throws {
        try file.statement("UPDATE payloads SET body = ? WHERE crash = ?").run(.blob(body), .integer(crash))
        try file.statement("UPDATE crashes SET bytes = ? WHERE id = ?").run(.integer(body.count), .integer(crash))
        sums.countDocument(app: app, bytes: bytes, by: -1)
        sums.countDocument(app: app, bytes: body.count, by: 1)
        try change(issue: issue) { $0.keptBytes += body.count - bytes }
    }
}

extension CrashDB {
    /// Finds a person's reports by a scan. Erasures are rare, and an index by person would slow down every report.
    fileprivate func crashes(of keys: PersonKeys, after row: Int64, limit: Int) throws -> [Int64] {
        try uncached("SELECT id FROM crashes NOT INDEXED WHERE id > ? AND \(keys.condition) ORDER BY id LIMIT ?")
            .all(.integer(row), .integer(limit)) { $0.integer(0) }
    }

    /// Returns the installations that reports name together with a user.
    package func installations(of user: UInt64, app: AppID) throws -> Set<UInt64> {
        Set(
            try statement("SELECT DISTINCT installation FROM crashes NOT INDEXED WHERE app = ? AND user = ? AND installation <> 0")
                .all(.integer(app.rawValue), .key(user)) { $0.key(0) })
    }

    /// Returns those of some installations that reports name together with another user.
    package func installations(_ installations: Set<UInt64>, ofOthersThan user: UInt64, app: AppID) throws -> Set<UInt64> {
        let sql =
            "SELECT DISTINCT installation FROM crashes NOT INDEXED WHERE app = ? AND user NOT IN (0, ?) AND installation IN \(installations.list)"
        return Set(try uncached(sql).all(.integer(app.rawValue), .key(user)) { $0.key(0) })
    }

    func leaving(_ crash: Int64) throws -> LeavingCrash? {
        try statement("\(LeavingCrash.selection) WHERE c.id = ?").first(.integer(crash), row: LeavingCrash.init)
    }
}

extension ReadSession {
    /// Whether a person has a report.
    package func hasCrash(of keys: PersonKeys) throws -> Bool {
        try withCrashes { try $0.uncached("SELECT 1 FROM crashes WHERE \(keys.condition) LIMIT 1").first { _ in true } ?? false }
    }
}
