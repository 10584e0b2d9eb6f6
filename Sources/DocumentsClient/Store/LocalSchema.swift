// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// The tables of a local store. Later releases read them: each change of a table is a version with a step from the one before.
///
/// - `documents` has what the daemon said last; `provisional` ones were computed from a write that the daemon has confirmed.
/// - `entries` has the keys of local indexes, as the daemon's. While documents lack entries of an index, its `used` is below 0
///   (`LocalIndex.used`).
/// - `meta` has a row `indexed <ID>` for each collection ID whose fields have got indexes.
/// - `targets` has what was listened to; those that are `current` show the commit of the token in `meta`. `members` has their documents.
/// - `pending` has writes in the order of their numbers, with the client's ID under which they are sent; `batch` is set before that.
enum LocalSchema {
    static let version: Int64 = 2

    /// Makes the tables of a new store, or those of an earlier version.
    static func prepare(_ database: Database) throws(DocumentError) {
        let stored = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        if stored > version { throw DocumentError(.dataLoss, "The local store was written by a newer release of the app.") }
        if stored == version { return }
        try database.transaction { () throws(DocumentError) in
            if stored == 0 { try database.execute(tables) } else { try addClient(database) }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// The step from version 1, of which there are stores with the column and without it.
    ///
    /// Without it batches had numbers of their own. A write that was not sent gets another client, under which its own number was never used,
    /// and which is the same one in a copy of the store.
    private static func addClient(_ database: Database) throws(DocumentError) {
        try database.execute("CREATE INDEX IF NOT EXISTS targets_by_use ON targets (used)")
        let hasClient = try database.first("SELECT 1 FROM pragma_table_info('pending') WHERE name = 'client'") { _ in true } ?? false
        if hasClient { return }
        try database.execute(
            """
            ALTER TABLE pending ADD COLUMN client TEXT NOT NULL DEFAULT '';
            UPDATE pending SET client = (SELECT value FROM meta WHERE name = 'client') || CASE WHEN batch IS NULL THEN '-2' ELSE '' END;
            DELETE FROM meta WHERE name = 'batch';
            """)
    }

    private static let tables = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE collections (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, id TEXT NOT NULL);
        CREATE INDEX collections_by_id ON collections (id);
        CREATE TABLE documents (
            number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, collection INTEGER NOT NULL, version INTEGER NOT NULL, created INTEGER NOT NULL,
            provisional INTEGER NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE INDEX documents_by_collection ON documents (collection);
        CREATE INDEX documents_by_use ON documents (used);
        CREATE TABLE indexes (number INTEGER PRIMARY KEY, shape TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
        CREATE TABLE entries (key BLOB PRIMARY KEY, document INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE targets (number INTEGER PRIMARY KEY, target TEXT NOT NULL UNIQUE, current INTEGER NOT NULL, used INTEGER NOT NULL);
        CREATE TABLE members (target INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (target, document)) WITHOUT ROWID;
        CREATE INDEX members_by_document ON members (document);
        CREATE INDEX targets_by_use ON targets (used);
        CREATE TABLE pending (number INTEGER PRIMARY KEY AUTOINCREMENT, client TEXT NOT NULL, batch INTEGER, at INTEGER NOT NULL, body BLOB NOT NULL);
        """
}
