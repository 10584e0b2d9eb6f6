// SPDX-License-Identifier: Apache-2.0

import Database

extension MainDB {
    static let schema = Migration(steps: [mainV1, mainV2, mainV3, mainV4, mainV5, mainV6, mainV7])

    private static let mainV1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE apps (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE, created INTEGER NOT NULL) STRICT;
        CREATE TABLE app_settings (
            app INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (app, name)
        ) STRICT, WITHOUT ROWID;

        -- `secret` is stored for ingest keys only, which ship in apps and are public. Other keys are stored as hashes.
        CREATE TABLE keys (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            role TEXT NOT NULL,
            label TEXT NOT NULL,
            hash BLOB NOT NULL UNIQUE,
            secret TEXT,
            hint TEXT NOT NULL,
            created INTEGER NOT NULL,
            bundle_ids TEXT NOT NULL,
            origins TEXT NOT NULL,
            events_per_minute INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX keys_by_app ON keys (app);

        -- Users (kind 1) and installations (kind 2): the text of a key, and its first presence, to the quarter-hour.
        CREATE TABLE people (
            app INTEGER NOT NULL, key INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL, first_seen INTEGER NOT NULL,
            PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;

        -- A NULL value is a deleted property. Its time prevents an older update from restoring it.
        CREATE TABLE properties (
            app INTEGER NOT NULL, person INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, time INTEGER NOT NULL,
            PRIMARY KEY (app, person, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE aliases (
            app INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (app, installation, user)
        ) STRICT, WITHOUT ROWID;

        -- Persons being erased: their keys and IDs until all data is removed, so that an interrupted erasure continues with the same rows.
        -- `salt` derives the new keys of an anonymised person; 0 for an erasure.
        CREATE TABLE departures (
            app INTEGER NOT NULL, person INTEGER NOT NULL, key INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL, salt INTEGER NOT NULL,
            PRIMARY KEY (app, person, key)
        ) STRICT, WITHOUT ROWID;
        -- Blocked users and installations, whose events are dropped, each with the person it was blocked with.
        CREATE TABLE blocked (
            app INTEGER NOT NULL, key INTEGER NOT NULL, person INTEGER NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;

        -- Counts of days whose files were deleted, by quarter-hour (grain 4) and day (grain 3).
        CREATE TABLE history (
            app INTEGER NOT NULL, metric INTEGER NOT NULL, grain INTEGER NOT NULL, bucket INTEGER NOT NULL, word TEXT NOT NULL,
            source INTEGER NOT NULL, count INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (app, metric, grain, bucket, word, source)
        ) STRICT, WITHOUT ROWID;

        -- Cached numbers of distinct people in past periods. An entry is valid while the period has `stamp` events.
        CREATE TABLE people_counts (
            app INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, people INTEGER NOT NULL, stamp INTEGER NOT NULL,
            PRIMARY KEY (app, start, end)
        ) STRICT, WITHOUT ROWID;
        """

    private static let mainV4 = """
        -- Queries and cohorts (`kind`) under a name. `query` is the name of a query, "" for cohorts; `parameters` is a JSON object.
        CREATE TABLE saved_definitions (
            app INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, query TEXT NOT NULL, parameters TEXT NOT NULL,
            created INTEGER NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (app, kind, name)
        ) STRICT, WITHOUT ROWID;
        """

    private static let mainV3 = """
        -- The start of the quarter-hour in which each user (kind 1), or installation without a user (kind 2), was last seen. Sightings since the
        -- last fold are in `presence` of the running day.
        CREATE TABLE last_seen (
            app INTEGER NOT NULL, key INTEGER NOT NULL, kind INTEGER NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX persons_by_last_seen ON last_seen (app, kind, seen, key);
        CREATE INDEX people_by_id ON people (app, kind, id);
        INSERT INTO last_seen SELECT app, key, kind, first_seen FROM people WHERE kind = 1 AND id != '';
        """

    private static let mainV2 = """
        -- A service account's public key and the audience its signatures must name. The private key is not stored.
        ALTER TABLE keys ADD COLUMN public_key BLOB;
        ALTER TABLE keys ADD COLUMN audience TEXT;
        """

    private static let mainV7 = """
        -- What each app has sent on its last UTC day.
        CREATE TABLE app_uses (app INTEGER PRIMARY KEY, day INTEGER NOT NULL, events INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
        """

    private static let mainV5 = """
        -- `last_used` is the hour of the last request, `replaces` the key that a rotation gave a successor.
        ALTER TABLE keys ADD COLUMN last_used INTEGER;
        ALTER TABLE keys ADD COLUMN expires INTEGER;
        ALTER TABLE keys ADD COLUMN replaces INTEGER;
        """

    private static let mainV6 = """
        -- Every project ID that an app has or had. A row stays when the app gets another one or is deleted, so that no other app gets its
        -- tokens and clients.
        CREATE TABLE projects (project TEXT PRIMARY KEY COLLATE NOCASE, app INTEGER NOT NULL, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """
}
