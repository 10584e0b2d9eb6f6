// SPDX-License-Identifier: Apache-2.0

/// Queries that compare the counters and due times of messages.db with its rows.
package enum MessageRecount {
    private static let openAt = "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.state < 5"
    /// Violated invariants, with queries for the rows that violate them.
    package static let wrongs = [
        "due but finished or with a reader": "SELECT id FROM deliveries WHERE due IS NOT NULL AND state NOT IN (1, 2, 4)",
        "due without an origin": "SELECT id FROM deliveries WHERE due IS NOT NULL AND origin IS NULL",
        "with a reader but for a webhook": "SELECT id FROM deliveries WHERE state = 3 AND origin IS NOT NULL",
        "open for an active webhook but never due": "\(openAt) AND d.due IS NULL AND r.state = 1 AND r.url IS NOT NULL",
        "due at an unverified endpoint": "\(openAt) AND d.due IS NOT NULL AND r.state <> 1",
        "at another origin than its registration": "\(openAt) AND d.origin IS NOT r.origin",
        "open but its registration is unreachable": "\(openAt) AND r.state > 2",
        "open but its registration is deleted": "SELECT id FROM deliveries WHERE state < 5 AND registration NOT IN (SELECT id FROM registrations)",
        "made twice": "SELECT min(id) FROM deliveries GROUP BY message, registration HAVING count(*) > 1",
        "without a message": "SELECT id FROM deliveries WHERE message NOT IN (SELECT id FROM messages)",
        "an attempt without a delivery": "SELECT delivery FROM attempts WHERE delivery NOT IN (SELECT id FROM deliveries)",
        "a topic with a wrong count of subscribers":
            "SELECT id FROM topics t WHERE subscribers = 0 OR subscribers <> (SELECT count(*) FROM subscriptions WHERE topic = t.id)",
        "a subscription without a registration": "SELECT seq FROM subscriptions WHERE registration NOT IN (SELECT id FROM registrations)",
        "with a wrong count of deliveries": """
        SELECT coalesce(c.message, d.message) FROM (SELECT * FROM message_counts WHERE count <> 0) c
        FULL JOIN (SELECT message, state, count(*) AS count FROM deliveries GROUP BY 1, 2) d USING (message, state) WHERE c.count IS NOT d.count
        """,
    ]
}
