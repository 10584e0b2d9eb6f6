// SPDX-License-Identifier: Apache-2.0

/// Queries that compare the counters and due times of messages.db with its rows.
package enum MessageRecount {
    private static let openAt = "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.state < 5"
    /// Violated invariants, with queries for the rows that violate them.
    package static let wrongs = [
        "due though it is over or with a reader": "SELECT id FROM deliveries WHERE due IS NOT NULL AND state NOT IN (1, 2, 4)",
        "due at no origin": "SELECT id FROM deliveries WHERE due IS NOT NULL AND origin IS NULL",
        "with a reader though it is a webhook's": "SELECT id FROM deliveries WHERE state = 3 AND origin IS NOT NULL",
        "lost: it waits for nothing": "\(openAt) AND d.due IS NULL AND r.state = 1 AND r.url IS NOT NULL",
        "due at an endpoint that has not proven itself": "\(openAt) AND d.due IS NOT NULL AND r.state <> 1",
        "at another origin than its registration": "\(openAt) AND d.origin IS NOT r.origin",
        "open though its registration is not reached": "\(openAt) AND r.state > 2",
        "open though its registration is gone": "SELECT id FROM deliveries WHERE state < 5 AND registration NOT IN (SELECT id FROM registrations)",
        "made twice": "SELECT min(id) FROM deliveries GROUP BY message, registration HAVING count(*) > 1",
        "of no message": "SELECT id FROM deliveries WHERE message NOT IN (SELECT id FROM messages)",
        "an attempt of no delivery": "SELECT delivery FROM attempts WHERE delivery NOT IN (SELECT id FROM deliveries)",
        "a topic that counts wrongly":
            "SELECT id FROM topics t WHERE subscribers = 0 OR subscribers <> (SELECT count(*) FROM subscriptions WHERE topic = t.id)",
        "a subscription of nobody": "SELECT seq FROM subscriptions WHERE registration NOT IN (SELECT id FROM registrations)",
        "counted wrongly": """
        SELECT coalesce(c.message, d.message) FROM (SELECT * FROM message_counts WHERE count <> 0) c
        FULL JOIN (SELECT message, state, count(*) AS count FROM deliveries GROUP BY 1, 2) d USING (message, state) WHERE c.count IS NOT d.count
        """,
    ]
}
