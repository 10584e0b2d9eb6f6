// SPDX-License-Identifier: Apache-2.0

package import Database
package import SQLite

/// The database `audit.db`: one row per audited action, and one per key and hour for denied requests.
package struct AuditDB: TypedDatabase {
    package static let schema = Migration(steps: [
        """
        -- `app` and `key` are 0 for actions of the whole daemon and for callers without a key. `person` is the keyed hash of a user or an
        -- installation, 0 for none, so that an erasure stays one.
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, action TEXT NOT NULL, app INTEGER NOT NULL, key INTEGER NOT NULL,
            role TEXT NOT NULL, address TEXT NOT NULL, person INTEGER NOT NULL, detail TEXT NOT NULL, outcome TEXT NOT NULL,
            status INTEGER NOT NULL, count INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX entries_by_app ON entries (app, id);
        CREATE INDEX entries_by_time ON entries (at);
        CREATE UNIQUE INDEX denials ON entries (app, key, at) WHERE action = 'role.denied'
        """
    ])

    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }
}
