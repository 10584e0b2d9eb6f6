// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The file of one day of receipt (`events/2026-11-25.db`): rows, and all counts of them.
package struct DayDB: TypedDatabase {
    let connection: Connection

    static let schema = Migration(steps: [dayV1])

    // Event rows are narrow and append-only. Rarely needed columns are in `details` under the same number. Keys are 64-bit hashes of texts
    // in `words`, `contexts` and `ids`. 0 means none, which SQLite stores without a byte.
    private static let dayV1 = """
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            name INTEGER NOT NULL,
            time INTEGER NOT NULL,
            received INTEGER NOT NULL,
            user INTEGER NOT NULL,
            installation INTEGER NOT NULL,
            session INTEGER NOT NULL,
            context INTEGER NOT NULL,
            flags INTEGER NOT NULL
        ) STRICT;

        -- `id` is a UUID's 16 bytes or a text; `params` the JSON text, or a blob where it is compressed.
        CREATE TABLE details (seq INTEGER PRIMARY KEY, id ANY NOT NULL, params ANY) STRICT;

        CREATE TABLE purchases (
            seq INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            transaction_key INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            currency INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE words (id INTEGER PRIMARY KEY, app INTEGER NOT NULL, kind INTEGER NOT NULL, key INTEGER NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;

        CREATE TABLE contexts (
            id INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            key INTEGER NOT NULL UNIQUE,
            platform TEXT, app_version TEXT, build TEXT, os_version TEXT, device_model TEXT, locale TEXT, country TEXT, environment TEXT
        ) STRICT;

        -- Texts of users, installations and sessions, as they were first spelled. Appended only, and indexed when the day closes:
        -- keys are random, and a tree over them would rewrite most of its pages with every commit.
        CREATE TABLE ids (key INTEGER NOT NULL, app INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL) STRICT;

        -- Counts by the events' own time: grain 1 is the minute, 2 the hour, 3 the day; bucket is counted in grains from 1970.
        CREATE TABLE rollups (
            app INTEGER NOT NULL, metric INTEGER NOT NULL, grain INTEGER NOT NULL, bucket INTEGER NOT NULL, word INTEGER NOT NULL,
            count INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (app, metric, grain, bucket, word)
        ) STRICT, WITHOUT ROWID;

        -- Who was there in which quarter-hours of a UTC day: `early` has bits for the first 48, `late` for the others. News is
        -- appended to `presence` with the events that brought it and folded into `actives` by the thousand, for the same reason.
        CREATE TABLE presence (
            app INTEGER NOT NULL, day INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL,
            early INTEGER NOT NULL, late INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE actives (
            app INTEGER NOT NULL, day INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL,
            early INTEGER NOT NULL, late INTEGER NOT NULL,
            PRIMARY KEY (app, day, installation, user)
        ) STRICT, WITHOUT ROWID;

        -- Keys of the ids (kind 0) and transactions (kind 1) of each commit, as one blob of 64-bit words.
        CREATE TABLE seen (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, keys BLOB NOT NULL) STRICT;

        -- `user` and `installation` are NULL where the event does not let itself be read so far.
        CREATE TABLE quarantine (
            seq INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            received INTEGER NOT NULL,
            time INTEGER,
            user INTEGER,
            installation INTEGER,
            id TEXT,
            reason TEXT NOT NULL,
            field TEXT NOT NULL,
            message TEXT NOT NULL,
            source TEXT NOT NULL,
            envelope TEXT NOT NULL,
            raw BLOB NOT NULL
        ) STRICT;

        -- What was quarantined, and what beyond the limit was only counted.
        CREATE TABLE quarantine_counts (
            app INTEGER NOT NULL, reason TEXT NOT NULL, kept INTEGER NOT NULL, dropped INTEGER NOT NULL,
            PRIMARY KEY (app, reason)
        ) STRICT, WITHOUT ROWID;
        """
}
