// SPDX-License-Identifier: Apache-2.0

/// Queries that compare the counters of crashes.db with its reports.
package enum CrashRecount {
    private static let person = "CASE WHEN user = 0 THEN installation ELSE user END"
    /// Violated invariants, with queries for the rows that violate them.
    package static let wrongs = [
        "an issue whose count differs from its groupings":
            "SELECT id FROM issues i WHERE count <> (SELECT sum(count) FROM groupings WHERE issue = i.id)",
        "an issue whose first or last occurrence differs from its groupings": """
        SELECT id FROM issues i WHERE (first_seen, last_seen) IS NOT
            (SELECT min(first_seen), max(last_seen) FROM groupings WHERE issue = i.id AND count > 0)
        """,
        "an issue without groupings": "SELECT id FROM issues WHERE id NOT IN (SELECT issue FROM groupings)",
        "a grouping without an issue": "SELECT id FROM groupings WHERE issue NOT IN (SELECT id FROM issues)",
        "a grouping with a count below its stored reports": """
        SELECT id FROM groupings g WHERE count < (SELECT count(*) FROM crashes WHERE grouping = g.id)
        """,
        "a grouping whose count differs from its days": """
        SELECT id FROM groupings g WHERE count <> (SELECT ifnull(sum(count), 0) FROM issue_days WHERE grouping = g.id)
        """,
        "people that differ from the reports": """
        SELECT coalesce(p.issue, c.issue) FROM issue_people p FULL JOIN
            (SELECT issue, \(person) AS person, count(*) AS count FROM crashes JOIN groupings g ON g.id = grouping WHERE \(person) <> 0 GROUP BY 1, 2) c
            USING (issue, person) WHERE c.count IS NOT p.count
        """,
        "an issue with a wrong count of users": "SELECT id FROM issues i WHERE users <> (SELECT count(*) FROM issue_people WHERE issue = i.id)",
        "an issue with a wrong count of documents": """
        SELECT id FROM issues i WHERE (kept, kept_bytes) IS NOT (SELECT count(*), ifnull(sum(bytes), 0) FROM crashes JOIN groupings g
            ON g.id = grouping WHERE g.issue = i.id AND bytes > 0)
        """,
        "an app with a wrong count of documents": """
        SELECT app FROM stored s WHERE (payloads, bytes) IS NOT (SELECT count(*), ifnull(sum(bytes), 0) FROM crashes WHERE app = s.app AND bytes > 0)
        """,
        "a document without a report, or a report without its document": """
        SELECT coalesce(p.crash, c.id) FROM payloads p FULL JOIN (SELECT id, bytes FROM crashes WHERE bytes > 0) c ON c.id = p.crash
        WHERE c.id IS NULL OR p.crash IS NULL OR length(p.body) <> c.bytes
        """,
        "an app with a wrong size of attachments": """
        SELECT app FROM stored s WHERE attachment_bytes <> (SELECT ifnull(sum(bytes), 0) FROM attachments WHERE app = s.app)
        """,
        "an attachment without its report, or with other bytes than counted": """
        SELECT id FROM attachments WHERE crash NOT IN (SELECT id FROM crashes) OR ifnull(length(body), 0) <> bytes OR (state = 1) <> (bytes > 0)
        """,
        "tags of a report without a document, or not in keys of eight bytes": """
        SELECT crash FROM report_tags WHERE crash NOT IN (SELECT crash FROM payloads) OR length(keys) < 8 OR length(keys) % 8 <> 0
        """,
        "an evicted report that may be evicted": "SELECT id FROM crashes WHERE bytes = 0 AND irrelevance IS NOT NULL",
        "symbols requested for a report that does not exist": "SELECT crash FROM waiting WHERE crash NOT IN (SELECT id FROM crashes WHERE bytes > 0)",
    ]
}
