// SPDX-License-Identifier: Apache-2.0

package import Database
package import SQLite

/// The database `documents.db`: collections, documents and the log of their changes.
package struct DocumentDB: TypedDatabase {
    package static let schema = Migration(steps: [
        """
        -- `epoch` is a random ID of the file's history. `stamp` and `log_bytes` are those of the last commit; `log_start` is the stamp of the
        -- newest change that is no longer in the log.
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO meta (key, value) VALUES ('epoch', randomblob(16)), ('stamp', 0), ('log_bytes', 0), ('log_start', 0);

        -- `grp` is the ID of the collection, the last part of its path. `documents` and `bytes` count its documents and their bodies.
        CREATE TABLE collections (
            number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, path TEXT NOT NULL, grp TEXT NOT NULL, documents INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX collections_by_path ON collections (app, path);
        CREATE INDEX collections_by_group ON collections (app, grp, path);
        CREATE INDEX empty_collections ON collections (number) WHERE documents = 0;

        -- `id` has the order of IDs (`StoredID`), `body` is the JSON of the fields. `created` and `version` are stamps of commits.
        CREATE TABLE documents (
            number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id BLOB NOT NULL, created INTEGER NOT NULL, version INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX documents_by_id ON documents (collection, id);

        -- One row for each document that a commit changed, with its state before; without one `before` is null. `kind` is that of
        -- `ChangeKind`, with the number of runs of functions that led to the change above it.
        CREATE TABLE changes (
            stamp INTEGER NOT NULL, n INTEGER NOT NULL, collection INTEGER NOT NULL, id BLOB NOT NULL, kind INTEGER NOT NULL,
            created INTEGER NOT NULL, version INTEGER NOT NULL, before BLOB, PRIMARY KEY (stamp, n)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX changes_by_collection ON changes (collection, stamp, n);

        -- The last batch of each client installation, with the answer it got.
        CREATE TABLE clients (
            app INTEGER NOT NULL, client TEXT NOT NULL, batch INTEGER NOT NULL, stamp INTEGER NOT NULL, answer BLOB NOT NULL,
            at INTEGER NOT NULL, PRIMARY KEY (app, client)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX clients_by_time ON clients (at);
        """,
        """
        -- An index is built up to the document `built` of those that existed when it was made, the last of which is `until`.
        CREATE TABLE indexes (
            number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, scope TEXT NOT NULL, grp TEXT NOT NULL, until INTEGER NOT NULL,
            built INTEGER NOT NULL, created INTEGER NOT NULL, dropped INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX indexes_by_app ON indexes (app, grp);
        CREATE INDEX indexes_to_build ON indexes (number) WHERE built < until AND NOT dropped;
        CREATE INDEX indexes_to_remove ON indexes (number) WHERE dropped;
        CREATE TABLE index_fields (idx INTEGER NOT NULL, n INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (idx, n))
            STRICT, WITHOUT ROWID;

        -- The key is that of `StoredIndex`, `number` that of the document. `cut` marks keys that other values may share.
        CREATE TABLE entries (key BLOB PRIMARY KEY, number INTEGER NOT NULL, cut INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX cut_entries ON entries (key) WHERE cut = 1;
        """,
        """
        -- Security rules, each revision that was set.
        CREATE TABLE rules (
            app INTEGER NOT NULL, revision INTEGER NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (app, revision)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        -- `body` is the JSON of the setting's fields.
        CREATE TABLE settings (app INTEGER NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (app, name)) STRICT, WITHOUT ROWID;
        -- The stamp of the newest change of an app that an erasure removed from the log.
        CREATE TABLE app_logs (app INTEGER PRIMARY KEY, log_start INTEGER NOT NULL) STRICT;
        -- Why there is an index, when a query last read it, to the hour; its entries with the bytes of their keys. Indexes without these counts are built anew.
        ALTER TABLE indexes ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE indexes ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE indexes ADD COLUMN origin TEXT NOT NULL DEFAULT 'declared';
        ALTER TABLE indexes ADD COLUMN reason TEXT NOT NULL DEFAULT '';
        ALTER TABLE indexes ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
        DELETE FROM entries;
        UPDATE indexes SET built = 0, until = (SELECT ifnull(max(number), 0) FROM documents);
        """,
        """
        -- The documents of all collections with an ID at the end of a day of UTC, by its number. The small ones of an app are together under
        -- the empty ID, which each day has.
        CREATE TABLE sizes (
            app INTEGER NOT NULL, day INTEGER NOT NULL, grp TEXT NOT NULL, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY (app, day, grp)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        -- Whether all batches of the client had no writes.
        ALTER TABLE clients ADD COLUMN without_writes INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX clients_without_writes ON clients (app, at) WHERE without_writes = 1;
        """,
        """
        -- The role and the API key that set a revision; the key is 0 for the operator. Null in rows of versions that stored no author.
        ALTER TABLE rules ADD COLUMN role TEXT;
        ALTER TABLE rules ADD COLUMN key INTEGER;
        """,
    ])

    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }
}

extension DocumentDB {
    /// A number of the table `meta`.
    enum Mark: String {
        case stamp
        case logBytes = "log_bytes"
        case logStart = "log_start"
    }

    func mark(_ mark: Mark) throws -> Int64 {
        try statement("SELECT value FROM meta WHERE key = ?").first(.text(mark.rawValue)) { $0.integer(0) } ?? 0
    }

    func set(_ mark: Mark, _ value: Int64) throws {
        try statement("UPDATE meta SET value = ? WHERE key = ?").run(.integer(value), .text(mark.rawValue))
    }

    func epoch() throws -> [UInt8] { try statement("SELECT value FROM meta WHERE key = 'epoch'").first { $0.bytes(0) } ?? [] }

    func beginEpoch() throws { try statement("UPDATE meta SET value = randomblob(16) WHERE key = 'epoch'").run() }
}
