// SPDX-License-Identifier: Apache-2.0

import Compression
package import Crashes
import Database
package import Platform
import SQLite

/// A report to symbolicate.
package struct CrashToSymbolicate: Sendable {
    package var row: Int64
    package var app: AppID
    package var id: String
    package var payload: [UInt8]
}

extension CrashStore {
    /// Leases the report that has waited longest. Nil if none is due.
    ///
    /// The claim counts as an attempt before it succeeds, because a report may crash the daemon. For the same reason one report is claimed
    /// at a time. After `CrashBounds.symbolTries` attempts it is given up:
    ///
    ///     claim  → leased until T, tries 1
    ///     crash of the daemon → restart clears the lease → claim → tries 2
    ///     symbolicated(…)     → row removed; ignored if the lease was revoked meanwhile
    ///     giveBack(…)         → the lease stays until T, tries 1
    package func claimForSymbols(until leaseEnds: Timestamp) async throws -> CrashToSymbolicate? {
        try await change { try $0.claimForSymbols(until: leaseEnds) }
    }

    /// Returns a report whose symbolication failed for an external reason. It is due when the lease ends, and the attempt does not count.
    package func giveBack(_ crash: Int64) async throws {
        try await change { context in
            try context.file.statement("UPDATE to_symbolicate SET tries = max(tries - 1, 0) WHERE crash = ?").run(integers: [crash])
            try context.endHold(ofCrash: crash)
        }
    }

    /// Stores a symbolicated report. Its stack may now belong to another group, and the report moves there.
    ///
    /// - Parameter build: The app's build, which orders releases when the report reaches a closed issue.
    /// - Parameter report: The symbolicated report, if it may still miss source maps or mappings.
    /// - Parameter unreadable: The hashes of files that could not be read. The report waits for others in their place.
    package func symbolicated(
        _ crash: Int64, payload: [UInt8], group: GroupKey, build: String? = nil, report: CrashReport? = nil, unreadable: Set<String> = []
    ) async throws {
        let body = compress(payload)
        let missing = report.map { WantedSymbols.stillMissing($0, atMost: limits.wantedImages) } ?? []
        try await change { context in
            try context.symbolicated(crash, body: body, group, build: build) { app, tries in
                try context.want(missing, for: crash, app: app, tries: tries, unreadable: unreadable)
            }
        }
    }
}

extension CrashFileContext {
    fileprivate func claimForSymbols(until leaseEnds: Timestamp) throws -> CrashToSymbolicate? {
        let due = try file.statement("SELECT crash, tries FROM to_symbolicate WHERE leased <= ? ORDER BY leased LIMIT 1")
        while let (crash, tries) = try due.first(.integer(now.milliseconds), row: { ($0.integer(0), $0.int(1)) }) {
            // An unreadable document, or one with too many attempts, must not block the others.
            if tries < limits.symbolTries, let found = try file.toSymbolicate(crash) {
                try file.statement("UPDATE to_symbolicate SET leased = ?, tries = tries + 1 WHERE crash = ?")
                    .run(integers: [leaseEnds.milliseconds, crash])
                return found
            }
            try file.statement("DELETE FROM to_symbolicate WHERE crash = ?").run(integers: [crash])
            try lookForDueAlerts()
        }
        return nil
    }

    /// - Parameter want: Requests missing symbols for the app's report, which had a number of attempts.
    fileprivate func symbolicated(
        _ crash: Int64, body: [UInt8], _ group: GroupKey, build: String?, want: (_ app: Int64, _ tries: Int) throws -> Void
    ) throws {
        guard let old = try file.symbolicatable(crash) else { return }
        try replaceDocument(of: crash, app: old.app, issue: old.issue, bytes: old.bytes, with: body)
        try file.statement("UPDATE crashes SET flags = flags | ? WHERE id = ?").run(.integer(CrashFlags.symbolicated.rawValue), .integer(crash))
        let queued = try file.statement("DELETE FROM to_symbolicate WHERE crash = ? RETURNING tries")
        let tries = try queued.first(.integer(crash)) { $0.int(0) } ?? 0
        // Files that arrived after the lookup are used in another one. It counts as an attempt, so that it is not repeated without end.
        try want(old.app, tries)
        let grouping = try follow(old, to: group)
        if grouping.issue == old.issue { try endHold(ofIssue: old.issue) }
        if grouping.id != old.facts.grouping { try move(crash, old, to: grouping, build: build) }
        ofThisChange.symbolicated += 1
        try lookForDueAlerts()
    }

    /// Returns the grouping of the symbolicated stack. If its group is new, it takes over the issue of the old group, once per old group.
    ///
    /// A group of unsymbolicated stacks may combine unrelated crashes. The first symbolicated report therefore keeps the issue, with its
    /// state and notes, and the others separate from it:
    ///
    ///     r1, r2, r3 without symbols                 group h1 → issue 7
    ///     r1 becomes h2, a new group                 h2 → issue 7, which gets its title; `follower` of h1 = h2
    ///     r2 becomes h3, a new group                 h3 → issue 8, because h1 has a follower
    ///     r3 becomes h4, known in issue 5            r3 moves to issue 5
    private func follow(_ old: SymbolicatableCrash, to group: GroupKey) throws -> GroupingRow {
        let key = GroupingKey(app: old.app, kind: old.kind, version: group.version, hash: group.hash, variant: group.stackHash)
        let time = Timestamp(milliseconds: old.facts.time)
        if try group.hash == old.hash || old.hasFollower || old.hash == GroupKey.hashBeyond || restOf(key) != nil {
            return try grouping(group, app: old.app, kind: old.kind, time: time)
        }
        let made = try grouping(group, app: old.app, kind: old.kind, time: time, newIssue: old.issue)
        try inheritFormer(key, from: old.facts.grouping)
        try file.statement("UPDATE groupings SET follower = ? WHERE app = ? AND hash = ? AND version = ? AND kind = ?")
            .run(.integer(made.id), .integer(old.app), .blob(old.hash), .integer(old.version), .integer(old.kind.rawValue))
        try change(issue: old.issue) { ($0.title, $0.culprit, $0.reason) = (group.title, group.culprit, group.reason) }
        try note(.symbolicated, of: old.issue, detail: nil)
        return made
    }

    /// Moves a report to another grouping. Another issue handles it like a new report. An issue that becomes empty is merged into that
    /// issue.
    private func move(_ crash: Int64, _ old: SymbolicatableCrash, to grouping: GroupingRow, build: String?) throws {
        let (bytes, target) = (try file.bytes(of: crash), grouping.issue)
        try file.statement("UPDATE crashes SET grouping = ? WHERE id = ?").run(integers: [grouping.id, crash])
        sums.count(old.facts, issue: old.issue, by: -1)
        var facts = old.facts
        facts.grouping = grouping.id
        sums.count(facts, issue: target)
        newestBuilds.see(build, of: facts)
        if target != old.issue {
            try change(issue: old.issue) { $0.keep(-1, bytes: bytes) }
            let release = try file.word(facts.release)?.text
            try change(issue: target) { issue in
                _ = try meet(facts, release: release, build: build, &issue)
                issue.keep(1, bytes: bytes)
            }
        }
        try write()
        for id in Set([old.issue, target]) { try recount(id) }
        guard target != old.issue, let left = try issue(old.issue), left.count == 0, let into = try issue(target) else { return }
        try write()
        try merge(left, into: into)
    }
}

/// The columns of a report that its move to another grouping needs.
private struct SymbolicatableCrash {
    var facts: CrashFacts
    var app: Int64
    var kind: CrashKind
    var issue: Int64
    var bytes: Int
    var version: Int
    var hash: [UInt8]
    var hasFollower: Bool
}

extension CrashDB {
    fileprivate func toSymbolicate(_ crash: Int64) throws -> CrashToSymbolicate? {
        guard let payload = try readablePayload(of: crash) else { return nil }
        return try statement("\(StoredCrash.selection) WHERE c.id = ?").first(.integer(crash), row: StoredCrash.init).flatMap { stored in
            try statement("SELECT app FROM crashes WHERE id = ?").first(.integer(crash)) { row in
                CrashToSymbolicate(row: crash, app: AppID(rawValue: row.integer(0)), id: stored.id, payload: payload)
            }
        }
    }

    /// Returns a leased report. Nil if the report or its document was removed or replaced since the claim.
    fileprivate func symbolicatable(_ crash: Int64) throws -> SymbolicatableCrash? {
        let columns = CrashFacts.columns.split(separator: ", ").map { "c.\($0)" }.joined(separator: ", ")
        return try statement(
            """
            SELECT \(columns), c.app, c.kind, g.issue, c.bytes, g.version, g.hash, g.follower FROM crashes c JOIN groupings g ON g.id = c.grouping
            WHERE c.id = ? AND c.bytes > 0 AND EXISTS (SELECT 1 FROM to_symbolicate t WHERE t.crash = c.id AND t.leased > 0)
            """
        ).first(.integer(crash)) { row in
            SymbolicatableCrash(
                facts: CrashFacts(row), app: row.integer(7), kind: CrashKind(rawValue: row.int(8)) ?? .nonfatal, issue: row.integer(9),
                bytes: row.int(10), version: row.int(11), hash: row.bytes(12), hasFollower: !row.isNull(13))
        }
    }

    fileprivate func bytes(of crash: Int64) throws -> Int {
        try statement("SELECT bytes FROM crashes WHERE id = ?").first(.integer(crash)) { $0.int(0) } ?? 0
    }
}
