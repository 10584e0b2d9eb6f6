// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import SQLite

/// A title is what some report's exception said, and must not outlive the report where a person is erased.
///
/// Whose words a title has is not known, so whatever lost a report by erasure is called anew.
extension CrashFileContext {
    /// What is told of erased reports where no other is left.
    func wordlessTitle(of leaving: [LeavingCrash]) throws -> String {
        IssueTitle.withoutMessage(try leaving.first { $0.bytes > 0 }.flatMap { try report($0.id) })
    }

    /// Calls each grouping after the oldest report that is kept of it. The issue keeps a title that one of them has, else it is called after
    /// the oldest of all; and so is a grouping of which no report is kept.
    func retitle(_ issue: Int64, wordless: String) throws {
        let groupings = try file.groupingsByAge(of: issue)
        var titles: [Int64: String] = [:]
        for grouping in groupings {
            titles[grouping.id] = try grouping.ownTitle ?? grouping.oldest.flatMap { try report($0) }.map(IssueTitle.of)
        }
        var title = groupings.lazy.compactMap { titles[$0.id] }.first ?? wordless
        try change(issue: issue) { row in
            if titles.values.contains(row.title) { title = row.title } else { row.title = title }
        }
        for grouping in groupings {
            try file.statement("UPDATE groupings SET title = ? WHERE id = ?").run(.text(titles[grouping.id] ?? title), .integer(grouping.id))
        }
    }

    /// Nil for a document that cannot be read: it must not keep anybody from being erased.
    private func report(_ crash: Int64) throws -> CrashReport? {
        try file.readablePayload(of: crash).flatMap(limits.report)
    }
}

extension CrashDB {
    /// An issue's groupings with the oldest report that is kept of each, that of the oldest first. The one that gathers what is beyond the
    /// issues' number has a title of its own, which no report said.
    fileprivate func groupingsByAge(of issue: Int64) throws -> [(id: Int64, ownTitle: String?, oldest: Int64?)] {
        try statement(
            """
            SELECT id, CASE WHEN hash = ? THEN title END, (
                SELECT min(c.id) FROM crashes c INDEXED BY crashes_to_evict_of_grouping WHERE c.grouping = g.id AND c.irrelevance IS NOT NULL
            ) AS oldest FROM groupings g WHERE issue = ? ORDER BY oldest IS NULL, oldest, id
            """
        ).all(.blob(GroupKey.hashBeyond), .integer(issue)) { ($0.integer(0), $0.optionalText(1), $0.optionalInteger(2)) }
    }
}
