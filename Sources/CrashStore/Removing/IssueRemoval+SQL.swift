// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

extension CrashStore {
    /// Removes an issue with its reports, counters, people, notes and history. Later reports of its groups make a new issue.
    ///
    /// Each change removes a chunk of reports, so that intake does not wait for all of them. An interrupted removal leaves the issue with
    /// the rest of its reports and is repeated. IDs of reports stay deduplicated as with data retention:
    ///
    ///     issue 7 with 2,500 reports    1,000, 1,000 and 500 reports removed, then the issue
    ///     report a is sent again        duplicate, without an issue
    ///
    /// The ID of an issue that was merged into another is rejected: it would remove more than the issue it names.
    package func removeIssue(_ id: String, app: AppID) async throws {
        let issue = try await read { try $0.issue(named: id, app: app) }
        guard issue.publicID == id else {
            throw Refusal(.conflict, "The issue was merged into \(issue.publicID).", hint: "Delete that issue, or split it first.")
        }
        while try await change({ try $0.removeChunk(ofIssue: issue.id) }) {}
    }
}

extension CrashFileContext {
    /// Removes a chunk of an issue's reports, or the issue if it has none. Returns whether there is more to do.
    fileprivate func removeChunk(ofIssue id: Int64) throws -> Bool {
        try write()
        let rows = try file.statement("\(LeavingCrash.selection) WHERE g.issue = ? LIMIT ?")
            .all(.integer(id), .integer(limits.chunk), row: LeavingCrash.init)
        for row in rows { try remove(row, uncounted: false) }
        if rows.isEmpty { try remove(issue: id) }
        return !rows.isEmpty
    }
}
