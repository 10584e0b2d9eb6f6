// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The file of one day of receipt (`events/2026-11-25.db`): rows, and all counts of them.
package struct DayDB: TypedDatabase {
    let connection: Connection

    static let schema = Migration(steps: [dayV1, dayV2, dayV3, dayV4, dayV5])

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

        -- `id` is a UUID's 16 bytes or a text; `params` is the JSON text, or a blob if compressed.
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

        -- Texts of users, installations and sessions. Rows are only appended and are indexed when the day is sealed: keys are random, so each
        -- commit would rewrite most pages of an index.
        CREATE TABLE ids (key INTEGER NOT NULL, app INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL) STRICT;

        -- Counts by event time. `grain` is a `Grain` (1 minute, 2 hour, 3 day), `bucket` the number of grains since 1970.
        CREATE TABLE rollups (
            app INTEGER NOT NULL, metric INTEGER NOT NULL, grain INTEGER NOT NULL, bucket INTEGER NOT NULL, word INTEGER NOT NULL,
            count INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (app, metric, grain, bucket, word)
        ) STRICT, WITHOUT ROWID;

        -- Presence by quarter-hour of a UTC day: `early` has bits for the first 48, `late` for the others. New bits are appended to `presence`
        -- in the commit of their events and folded into `actives` by the thousand, because its keys are random too.
        CREATE TABLE presence (
            app INTEGER NOT NULL, day INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL,
            early INTEGER NOT NULL, late INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE actives (
            app INTEGER NOT NULL, day INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL,
            early INTEGER NOT NULL, late INTEGER NOT NULL,
            PRIMARY KEY (app, day, installation, user)
        ) STRICT, WITHOUT ROWID;

        -- The keys of event IDs (kind 0) and transactions (kind 1) of each commit, as one blob of 64-bit words.
        CREATE TABLE seen (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, keys BLOB NOT NULL) STRICT;

        -- `user` and `installation` are NULL if the event could not be decoded that far.
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

        -- Quarantined events by reason: `kept` rows, and those `dropped` beyond the limit.
        CREATE TABLE quarantine_counts (
            app INTEGER NOT NULL, reason TEXT NOT NULL, kept INTEGER NOT NULL, dropped INTEGER NOT NULL,
            PRIMARY KEY (app, reason)
        ) STRICT, WITHOUT ROWID;
        """

    private static let dayV2 = """
        -- Aliases of the day's requests at their exact times. Their presence is in `actives` too.
        CREATE TABLE aliases (
            app INTEGER NOT NULL, time INTEGER NOT NULL, installation INTEGER NOT NULL, user INTEGER NOT NULL,
            PRIMARY KEY (app, time, installation, user)
        ) STRICT, WITHOUT ROWID;
        """

    private static let dayV3 = """
        -- Parts of sessions: `parts` of them in `words`, for an app and a UTC day of events, with keys of subjects from `least` to `greatest`.
        CREATE TABLE session_chunks (
            number INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            day INTEGER NOT NULL,
            least INTEGER NOT NULL,
            greatest INTEGER NOT NULL,
            parts INTEGER NOT NULL,
            words BLOB NOT NULL
        ) STRICT;
        CREATE INDEX session_chunks_by_day ON session_chunks (app, day, least, greatest, parts);

        -- Events up to `seq` are in `session_chunks`. No row: none are, because version 0.1 wrote the file.
        CREATE TABLE sessions_through (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
        """

    private static let dayV4 = """
        -- Finds the purchases of a transaction.
        CREATE INDEX purchases_by_transaction ON purchases (transaction_key) WHERE transaction_key != 0;

        -- Clients' purchases that trusted ones of this day replaced: the number of the row, and the day in whose file it is.
        CREATE TABLE withdrawn (
            day INTEGER NOT NULL, seq INTEGER NOT NULL, app INTEGER NOT NULL, PRIMARY KEY (day, seq)
        ) STRICT, WITHOUT ROWID;

        -- A row if `seen` has transactions of version 0.1, which count once per app, up to this number.
        CREATE TABLE transactions_by_app (through INTEGER PRIMARY KEY) STRICT;
        INSERT INTO transactions_by_app SELECT max(number) FROM seen WHERE kind = 1 HAVING count(*) > 0;
        """

    private static let dayV5 = """
        -- The first number of the commit that withdrew the row.
        ALTER TABLE withdrawn ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
        """
}
