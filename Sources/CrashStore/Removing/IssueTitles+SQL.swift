// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import SQLite

/// Recomputes titles after an erasure.
///
/// A title quotes the exception message of some report, and must not outlive that report. The store does not record which report a title is
/// from, so every grouping of an affected issue gets its title from its oldest remaining document:
///
///     issue 7 "no user ann@example.com"        its reports: a (ann), b (ben)
///     erase ann → report a removed → title from b: "no user ben@example.com"
///     erase ben → no document left → title without a message
extension CrashFileContext {
    /// Returns a title without the message, for a group of which no document remains.
    func wordlessTitle(of leaving: [LeavingCrash]) throws -> String {
        IssueTitle.withoutMessage(try leaving.first { $0.bytes > 0 }.flatMap { try report($0.id) })
    }

    /// Sets titles of groupings and issue. The issue keeps its title if a grouping has it; otherwise it gets that of its oldest document.
    /// Groupings without a document get the issue's title.
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

    /// Returns nil for an unreadable document, which must not prevent an erasure.
    private func report(_ crash: Int64) throws -> CrashReport? {
        try file.readablePayload(of: crash).flatMap(limits.report)
    }
}

extension CrashDB {
    /// Returns an issue's groupings with their oldest stored document, ordered by it. The group that collects new groups above the limit of
    /// issues has a fixed title that contains no message.
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
