// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A condition that an app's operator is notified of once, until it clears.
package struct StandingAlert: Sendable, Hashable {
    package var app: AppID
    package var topic: AlertTopic
    package var cause: String

    package init(app: AppID, topic: AlertTopic, cause: String) {
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

extension MessageStore {
    package func standingAlerts() async throws -> Set<StandingAlert> {
        try await read { file in
            Set(
                try file.statement("SELECT app, topic, cause FROM alerts").all { row in
                    AlertTopic(rawValue: row.text(1)).map { StandingAlert(app: AppID(rawValue: row.integer(0)), topic: $0, cause: row.text(2)) }
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
}
