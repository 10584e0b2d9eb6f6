// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A condition that an app's operator is notified of once, until it clears.
package struct StandingAlert: Sendable, Hashable {
    package var app: AppID
    package var topic: DaemonTopic
    package var cause: String

    package init(app: AppID, topic: DaemonTopic, cause: String) {
        self.app = app
        self.topic = topic
        self.cause = cause
    }
}

/// The disabled registrations of an app at one origin.
package struct DisabledOrigin: Sendable {
    package var app: AppID
    package var origin: String
    package var registrations: Int
    package var failingSince: Timestamp
}

/// The deliveries of an app to one origin that failed at their last attempt.
package struct ExhaustedOrigin: Sendable {
    package var app: AppID
    package var origin: String
    package var deliveries: Int
    /// The first of them.
    package var since: Timestamp
}

extension MessageStore {
    package func standingAlerts() async throws -> Set<StandingAlert> {
        try await read { file in
            Set(
                try file.statement("SELECT app, topic, cause FROM alerts").all { row in
                    DaemonTopic(rawValue: row.text(1)).map { StandingAlert(app: AppID(rawValue: row.integer(0)), topic: $0, cause: row.text(2)) }
                }.compactMap { $0 })
        }
    }

    /// Publishes an alert and marks it as raised, in one transaction. Does nothing if it is already raised.
    package func raise(_ alert: StandingAlert, _ publication: Publication) async throws {
        try await change { context in
            try context.file.statement("INSERT OR IGNORE INTO alerts (app, topic, cause, since) VALUES (?, ?, ?, ?)").run(
                .integer(alert.app.rawValue), .text(alert.topic.rawValue), .text(alert.cause), .integer(context.now.milliseconds))
            if context.file.changes == 1 { _ = try context.publish(app: alert.app, publication) }
        }
    }

    /// Clears an alert, so that it is published again when it recurs.
    package func clear(_ alert: StandingAlert) async throws {
        try await change { context in
            try context.file.statement("DELETE FROM alerts WHERE app = ? AND topic = ? AND cause = ?")
                .run(.integer(alert.app.rawValue), .text(alert.topic.rawValue), .text(alert.cause))
        }
    }

    package func disabledOrigins() async throws -> [DisabledOrigin] {
        try await read { file in
            try file.statement(
                """
                SELECT r.app, o.text, count(*), min(r.failing_since) FROM registrations r JOIN origins o ON o.id = r.origin
                WHERE r.state = \(sql: RegistrationState.disabled) GROUP BY r.app, r.origin
                """
            ).all { row in
                DisabledOrigin(
                    app: AppID(rawValue: row.integer(0)), origin: row.text(1), registrations: row.int(2),
                    failingSince: Timestamp(milliseconds: row.integer(3)))
            }
        }
    }

    /// Returns the origins at which deliveries failed for good since a time. Only the newest dead letters count, so that the cost is bounded.
    package func exhaustedOrigins(since time: Timestamp) async throws -> [ExhaustedOrigin] {
        try await read { file in
            try file.statement(
                """
                SELECT m.app, o.text, count(*), min(d.changed)
                FROM (
                    SELECT message, origin, changed FROM deliveries WHERE state = \(sql: DeliveryState.dead) AND changed >= ?
                    ORDER BY changed DESC LIMIT 50000
                ) d CROSS JOIN messages m ON m.id = d.message CROSS JOIN origins o ON o.id = d.origin GROUP BY m.app, d.origin
                """
            ).all(.integer(time.milliseconds)) { row in
                ExhaustedOrigin(
                    app: AppID(rawValue: row.integer(0)), origin: row.text(1), deliveries: row.int(2), since: Timestamp(milliseconds: row.integer(3)))
            }
        }
    }
}
