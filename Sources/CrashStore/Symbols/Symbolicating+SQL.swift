// SPDX-License-Identifier: Apache-2.0

import Compression
package import Crashes
import Database
package import Platform
import SQLite

/// A report that can be looked up in symbol files.
package struct CrashToSymbolicate: Sendable {
    package var row: Int64
    package var app: AppID
    package var id: String
    package var payload: [UInt8]
}

extension CrashStore {
    /// Takes a report to look up, one that has waited longest; whoever does not come back in time leaves it to others.
    ///
    /// That is a try, as a report may end the daemon that looks it up; so none is taken along with another.
    package func claimForSymbols(until leaseEnds: Timestamp) async throws -> CrashToSymbolicate? {
        try await change { try $0.claimForSymbols(until: leaseEnds) }
    }

    /// Gives a report back whose look-up has failed by no fault of its own: it is there again when its lease ends, and that was no try.
    package func giveBack(_ crash: Int64) async throws {
        try await change { context in
            try context.file.statement("UPDATE to_symbolicate SET tries = max(tries - 1, 0) WHERE crash = ?").run(integers: [crash])
        }
    }

    /// Puts a report that was looked up in its place: with another stack it may belong elsewhere.
    ///
    /// - Parameter build: The app's, by which issues that are closed tell whether it comes after their release.
    package func symbolicated(_ crash: Int64, payload: [UInt8], group: GroupKey, build: String? = nil) async throws {
        let body = compress(payload)
        try await change { try $0.symbolicated(crash, body: body, group, build: build) }
    }
}

extension CrashFileContext {
    fileprivate func claimForSymbols(until leaseEnds: Timestamp) throws -> CrashToSymbolicate? {
        let due = try file.statement("SELECT crash, tries FROM to_symbolicate WHERE leased <= ? ORDER BY leased LIMIT 1")
        while let (crash, tries) = try due.first(.integer(now.milliseconds), row: { ($0.integer(0), $0.int(1)) }) {
            // One whose document cannot be read must not keep the others from being looked up.
            if tries < limits.symbolTries, let found = try file.toSymbolicate(crash) {
                try file.statement("UPDATE to_symbolicate SET leased = ?, tries = tries + 1 WHERE crash = ?")
                    .run(integers: [leaseEnds.milliseconds, crash])
                return found
            }
            try file.statement("DELETE FROM to_symbolicate WHERE crash = ?").run(integers: [crash])
        }
        return nil
    }

    fileprivate func symbolicated(_ crash: Int64, body: [UInt8], _ group: GroupKey, build: String?) throws {
        guard let old = try file.symbolicatable(crash) else { return }
        try replaceDocument(of: crash, app: old.app, issue: old.issue, bytes: old.bytes, with: body)
        try file.statement("UPDATE crashes SET flags = flags | ? WHERE id = ?").run(.integer(CrashFlags.symbolicated.rawValue), .integer(crash))
        try file.statement("DELETE FROM to_symbolicate WHERE crash = ?").run(integers: [crash])
        let grouping = try follow(old, to: group)
        if grouping.id != old.facts.grouping { try move(crash, old, to: grouping, build: build) }
        ofThisChange.symbolicated += 1
    }

    /// The grouping of the new stack. Where it is new, too, the old grouping's issue goes on with it, once: what else comes out of the old
    /// grouping was put together only for want of names.
    private func follow(_ old: SymbolicatableCrash, to group: GroupKey) throws -> GroupingRow {
        let key = GroupingKey(app: old.app, kind: old.kind, version: group.version, hash: group.hash, variant: group.stackHash)
        let time = Timestamp(milliseconds: old.facts.time)
        if try group.hash == old.hash || old.hasFollower || old.hash == GroupKey.hashBeyond || restOf(key) != nil {
            return try grouping(group, app: old.app, kind: old.kind, time: time)
        }
        let made = try grouping(group, app: old.app, kind: old.kind, time: time, newIssue: old.issue)
        try file.statement("UPDATE groupings SET follower = ? WHERE app = ? AND hash = ? AND version = ? AND kind = ?")
            .run(.integer(made.id), .integer(old.app), .blob(old.hash), .integer(old.version), .integer(old.kind.rawValue))
        try change(issue: old.issue) { ($0.title, $0.culprit, $0.reason) = (group.title, group.culprit, group.reason) }
        try note(.symbolicated, of: old.issue, detail: nil)
        return made
    }

    /// Lets a report count for another grouping, whose issue meets it as any other. An issue of which nothing is left becomes part of the
    /// one it went to.
    private func move(_ crash: Int64, _ old: SymbolicatableCrash, to grouping: GroupingRow, build: String?) throws {
        let (bytes, target) = (try file.bytes(of: crash), grouping.issue)
        try file.statement("UPDATE crashes SET grouping = ? WHERE id = ?").run(integers: [grouping.id, crash])
        sums.count(old.facts, issue: old.issue, by: -1)
        var facts = old.facts
        facts.grouping = grouping.id
        sums.count(facts, issue: target)
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

/// What must be known of a report before it counts elsewhere.
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

    /// Nil where the report or its document has gone meanwhile, or was replaced.
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
