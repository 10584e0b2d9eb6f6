// SPDX-License-Identifier: Apache-2.0

package import Database
package import SQLite

/// The database `files.db`: the rows of files and uploads, and the bytes of small files.
package struct FileDB: TypedDatabase {
    package static let schema = Migration(steps: [
        """
        -- `stamp` is the generation of the last change, in microseconds; `link_key` signs links; `leaving` counts the rows of that table.
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO meta (key, value) VALUES ('stamp', 0), ('leaving', 0), ('link_key', randomblob(32));

        -- The bytes of a file are the file `blob` on the disk or, if they are few, the row `content` of `contents`. They are in a table of their
        -- own, so that a listing does not read them.
        CREATE TABLE objects (
            app INTEGER NOT NULL, path TEXT NOT NULL, blob BLOB, content INTEGER, size INTEGER NOT NULL, type TEXT NOT NULL, sha256 BLOB NOT NULL,
            crc32c INTEGER NOT NULL, md5 BLOB, generation INTEGER NOT NULL, metageneration INTEGER NOT NULL, cache_control TEXT,
            content_disposition TEXT, content_encoding TEXT, content_language TEXT, metadata BLOB, tokens TEXT, owner TEXT,
            created INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY (app, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX objects_by_owner ON objects (app, owner) WHERE owner IS NOT NULL;
        CREATE UNIQUE INDEX objects_by_blob ON objects (blob) WHERE blob IS NOT NULL;
        CREATE TABLE contents (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

        -- An upload of several requests. `blob` is its file in `incoming`, durable up to `committed`. `condition` is null for any state, 0 for no
        -- file, -1 for some file, else a generation. `claims` and `way` are the caller's.
        CREATE TABLE uploads (
            id BLOB PRIMARY KEY, app INTEGER NOT NULL, path TEXT NOT NULL, blob BLOB NOT NULL, length INTEGER, committed INTEGER NOT NULL,
            type TEXT NOT NULL, cache_control TEXT, content_disposition TEXT, content_encoding TEXT, content_language TEXT, metadata BLOB,
            owner TEXT, condition INTEGER, sha256 BLOB, crc32c INTEGER, md5 BLOB, claims BLOB NOT NULL, way TEXT NOT NULL,
            created INTEGER NOT NULL, expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX uploads_by_app ON uploads (app, owner);
        CREATE INDEX uploads_by_end ON uploads (expires);
        CREATE UNIQUE INDEX uploads_by_blob ON uploads (blob);

        -- The sums of an app are those of the owner '', which also counts files without an owner; those of app 0 are of all apps. `reserved` is
        -- the sum of the declared lengths of open uploads.
        CREATE TABLE usage (
            app INTEGER NOT NULL, owner TEXT NOT NULL, bytes INTEGER NOT NULL, files INTEGER NOT NULL, uploads INTEGER NOT NULL,
            reserved INTEGER NOT NULL, PRIMARY KEY (app, owner)
        ) STRICT, WITHOUT ROWID;

        -- Files on the disk that have no row any more and are to be removed; of app 0 those in `incoming`.
        CREATE TABLE leaving (blob BLOB PRIMARY KEY, app INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        -- Links that can be revoked: removing the row does it.
        CREATE TABLE links (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, path TEXT NOT NULL, expires INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX links_by_path ON links (app, path);
        CREATE INDEX links_by_end ON links (expires);

        -- `seq` is a stamp, that of a new file is its generation; `what` is that of `FileChange`.
        CREATE TABLE changes (
            seq INTEGER PRIMARY KEY, app INTEGER NOT NULL, path TEXT NOT NULL, owner TEXT, what INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX changes_by_app ON changes (app, seq);

        -- The security rules of apps. The newest revision applies; all are kept.
        CREATE TABLE rules (
            app INTEGER NOT NULL, revision INTEGER NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (app, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE settings (app INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (app, name)) STRICT, WITHOUT ROWID;
        """,
        """
        -- The number of runs of functions that led to the change, one by the other; the size of the file, and the number of its details.
        ALTER TABLE changes ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE changes ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE changes ADD COLUMN metageneration INTEGER NOT NULL DEFAULT 1;
        """,
        """
        -- New files of clients that stay unreadable until the function `pending_until` allows them. Those in `objects` stay readable meanwhile.
        CREATE TABLE pending (
            app INTEGER NOT NULL, path TEXT NOT NULL, blob BLOB, content INTEGER, size INTEGER NOT NULL, type TEXT NOT NULL, sha256 BLOB NOT NULL,
            crc32c INTEGER NOT NULL, md5 BLOB, generation INTEGER NOT NULL, metageneration INTEGER NOT NULL, cache_control TEXT,
            content_disposition TEXT, content_encoding TEXT, content_language TEXT, metadata BLOB, tokens TEXT, owner TEXT,
            created INTEGER NOT NULL, updated INTEGER NOT NULL, pending_until TEXT NOT NULL, depth INTEGER NOT NULL, PRIMARY KEY (app, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pending_by_owner ON pending (app, owner) WHERE owner IS NOT NULL;
        CREATE UNIQUE INDEX pending_by_blob ON pending (blob) WHERE blob IS NOT NULL;
        """,
        """
        -- The generation of the file; of a deleted one, before it. Null in rows of versions that stored no generation.
        ALTER TABLE changes ADD COLUMN generation INTEGER;
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

extension FileDB {
    func stamp() throws -> Int64 { try statement("SELECT value FROM meta WHERE key = 'stamp'").first { $0.integer(0) } ?? 0 }

    func set(stamp: Int64) throws { try statement("UPDATE meta SET value = ? WHERE key = 'stamp'").run(.integer(stamp)) }

    /// Removes what belongs to files on the disk that a backup does not have.
    func forgetUnfinished() throws {
        try execute(
            """
            DELETE FROM uploads; DELETE FROM leaving; UPDATE meta SET value = 0 WHERE key = 'leaving';
            UPDATE usage SET uploads = 0, reserved = 0; DELETE FROM usage WHERE files = 0
            """)
    }

    func linkKey() throws -> [UInt8] { try statement("SELECT value FROM meta WHERE key = 'link_key'").first { $0.bytes(0) } ?? [] }
}
