// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// Deletes documents above the quota of an app or issue. The reports stay and remain counted.
///
/// The policy is `Eviction`: it thins each issue out instead of deleting the oldest documents. Each document has a stored irrelevance, a
/// random level that grows with the issue, and an age weight. The largest sums go first. Example of an issue two documents above its quota:
///
///     document                            irrelevance + age
///     a   2 days old                      9 + 3             12   deleted
///     b   2 hours old                     10 + 1            11   deleted
///     c   5 minutes old                   10 + 0            10
///     d   2 days old                      4 + 3              7
///     e   the issue's first report        −1,000 + 3      −997   deleted only if no others are left
///
/// Within one level the oldest document has the largest weight. Reading the oldest of each level from an index is therefore enough to find
/// the largest sums, and there are few levels.
extension CrashFileContext {
    /// Evicts documents of one app above its quota. Returns false if none is above it or nothing can be evicted.
    func evictOfApp() throws -> Bool {
        let over = try file.statement("SELECT app, payloads, bytes FROM stored WHERE payloads > ? OR bytes > ? LIMIT 1")
            .first(.integer(limits.payloadsOfApp), .integer(limits.bytesOfApp)) { ($0.integer(0), $0.int(1), $0.integer(2)) }
        guard let (app, count, bytes) = over else { return false }
        let excess = Excess(count: count, quota: limits.payloadsOfApp, bytes: bytes, byteQuota: limits.bytesOfApp)
        return try evict(excess, from: [("app", app)])
    }

    /// Evicts documents of an issue. Returns false if it is within its quota or nothing can be evicted.
    func evict(ofIssue id: Int64) throws -> Bool {
        guard let issue = try issue(id) else { return false }
        let excess = Excess(
            count: issue.kept, quota: limits.payloadsOfIssue, bytes: Int64(issue.keptBytes), byteQuota: limits.bytesOfIssue)
        if excess.isNone { return false }
        return try evict(excess, from: file.groupings(of: id).map { ("grouping", $0) })
    }

    /// Evicts the documents with the largest weight, at most `excess.run` in one change.
    private func evict(_ excess: Excess, from places: [(column: String, id: Int64)]) throws -> Bool {
        var candidates: [Candidate] = []
        let bands = Eviction.bands(at: now)
        for (column, id) in places { candidates += try file.candidates(column, id, limit: excess.run, bands) }
        var (gone, bytes) = (0, Int64(0))
        for candidate in candidates.sorted(by: Candidate.goesBefore) where gone < excess.run && !excess.isMet(gone, bytes) {
            guard let row = try file.leaving(candidate.row) else { continue }
            try removeDocument(of: row)
            (gone, bytes) = (gone + 1, bytes + Int64(row.bytes))
        }
        ofThisChange.evicted += gone
        return gone > 0
    }
}

/// The amount by which an app or issue exceeds its quotas.
private struct Excess {
    var count: Int
    var quota: Int
    var bytes: Int64
    var byteQuota: Int64

    var isNone: Bool { count <= quota && bytes <= byteQuota }

    /// The limit of documents per change.
    var run: Int {
        bytes > byteQuota ? Eviction.largestRun : Eviction.run(stored: count, quota: quota)
    }

    /// Whether enough was evicted. The target is 5 % below the quota, so that the next report does not evict again.
    func isMet(_ gone: Int, _ goneBytes: Int64) -> Bool {
        let byCount = gone >= Eviction.run(stored: count, quota: quota)
        return byCount && (bytes <= byteQuota || bytes - goneBytes <= byteQuota - byteQuota / 20)
    }
}

/// A document that may be evicted, with the sum of irrelevance and age.
private struct Candidate {
    var row: Int64
    var weight: Int

    static func goesBefore(_ a: Candidate, _ b: Candidate) -> Bool {
        (b.weight, a.row) < (a.weight, b.row)
    }
}

extension CrashDB {
    /// Returns the oldest documents of each level of irrelevance, with their weights.
    fileprivate func candidates(_ column: String, _ id: Int64, limit: Int, _ bands: [Eviction.Band]) throws -> [Candidate] {
        let index = column == "app" ? "crashes_to_evict" : "crashes_to_evict_of_grouping"
        let next = try statement(
            """
            SELECT irrelevance FROM crashes INDEXED BY \(index) WHERE \(column) = ? AND irrelevance IS NOT NULL AND irrelevance < ?
            ORDER BY irrelevance DESC LIMIT 1
            """)
        let oldest = try statement(
            "SELECT id, received FROM crashes INDEXED BY \(index) WHERE \(column) = ? AND irrelevance = ? ORDER BY id LIMIT ?")
        var found: [Candidate] = []
        var degree = Int64.max
        while let irrelevance = try next.first(.integer(id), .integer(degree), row: { $0.integer(0) }) {
            degree = irrelevance
            found += try oldest.all(.integer(id), .integer(irrelevance), .integer(limit)) { row in
                let received = Timestamp(milliseconds: row.integer(1))
                let age = bands.first { $0.from <= received && received < $0.to }?.weight ?? 0
                return Candidate(row: row.integer(0), weight: Int(irrelevance) + age)
            }
        }
        return found
    }

    /// Returns the issues above their quota, for instance because a setting has changed since the last run.
    func overfullIssues(_ limits: CrashBounds) throws -> Set<Int64> {
        Set(
            try statement("SELECT id FROM issues WHERE kept > ? OR kept_bytes > ?")
                .all(.integer(limits.payloadsOfIssue), .integer(limits.bytesOfIssue)) { $0.integer(0) })
    }
}
