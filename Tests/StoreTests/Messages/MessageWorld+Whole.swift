import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

extension MessageWorld {
    /// What no row may ever be, with the rows that are.
    private static let wrongs = [
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
    private static let openAt = "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.state < 5"

    /// Whatever happened: what is counted is what is there, and nothing waits in vain.
    func expectWhole(_ comment: String = "", at location: SourceLocation = #_sourceLocation) async throws {
        let gauges = messages.gauges
        // As the writer sees it, who does nothing else meanwhile.
        let (found, counts) = try await messages.change { context in
            let found = try Self.wrongs.mapValues { try context.file.statement($0).all { $0.integer(0) } }
            let counts = try DeliveryState.allCases.filter(\.isOpen).map { state in
                let rows = try context.file.statement("SELECT count(*) FROM deliveries WHERE state = ?").first(.integer(state.rawValue)) { $0.int(0) }
                return (state, there: rows ?? 0, shown: gauges.count(state))
            }
            return (found, counts)
        }
        for (what, rows) in found { #expect(rows.isEmpty, "\(what), \(comment)", sourceLocation: location) }
        for (state, there, shown) in counts { #expect(shown == there, "the gauge of \(state), \(comment)", sourceLocation: location) }
    }
}
