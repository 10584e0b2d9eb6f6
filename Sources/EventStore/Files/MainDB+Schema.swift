// SPDX-License-Identifier: Apache-2.0

import Database

extension MainDB {
    static let schema = Migration(steps: [mainV1, mainV2])

    private static let mainV1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE apps (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE, created INTEGER NOT NULL) STRICT;
        CREATE TABLE app_settings (
            app INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (app, name)
        ) STRICT, WITHOUT ROWID;

        -- `secret` is kept for ingest keys alone, which ship in apps and are public by nature; of the others only the hash.
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

        -- Users (kind 1) and installations (kind 2): the text behind a key and when it was first there, to the quarter-hour.
        CREATE TABLE people (
            app INTEGER NOT NULL, key INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL, first_seen INTEGER NOT NULL,
            PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;

        -- A NULL value is a property that was deleted: its time keeps older news from bringing it back.
        CREATE TABLE properties (
            app INTEGER NOT NULL, person INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, time INTEGER NOT NULL,
            PRIMARY KEY (app, person, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE aliases (
            app INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (app, installation, user)
        ) STRICT, WITHOUT ROWID;

        -- Persons who are being taken out: their keys and ids until nothing of theirs is left, so that what a kill cut short is done to the
        -- same rows when it is begun again. `salt` makes their new keys; 0 where they get none.
        CREATE TABLE departures (
            app INTEGER NOT NULL, person INTEGER NOT NULL, key INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL, salt INTEGER NOT NULL,
            PRIMARY KEY (app, person, key)
        ) STRICT, WITHOUT ROWID;
        -- Users and installations of whom nothing more is taken in, each with the person it was blocked with.
        CREATE TABLE blocked (
            app INTEGER NOT NULL, key INTEGER NOT NULL, person INTEGER NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;

        -- Counts of days of receipt whose files are gone, by quarter-hour (grain 4) and day (grain 3).
        CREATE TABLE history (
            app INTEGER NOT NULL, metric INTEGER NOT NULL, grain INTEGER NOT NULL, bucket INTEGER NOT NULL, word TEXT NOT NULL,
            source INTEGER NOT NULL, count INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (app, metric, grain, bucket, word, source)
        ) STRICT, WITHOUT ROWID;

        -- How many different people there were in periods that are over, while the events of those days are as many as `stamp`.
        CREATE TABLE people_counts (
            app INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, people INTEGER NOT NULL, stamp INTEGER NOT NULL,
            PRIMARY KEY (app, start, end)
        ) STRICT, WITHOUT ROWID;
        """

    private static let mainV2 = """
        -- Of a key that is a service account: what checks its signatures, and the address they must be meant for. Its private half is not here.
        ALTER TABLE keys ADD COLUMN public_key BLOB;
        ALTER TABLE keys ADD COLUMN audience TEXT;
        """
}
