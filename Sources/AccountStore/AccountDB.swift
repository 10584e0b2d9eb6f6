// SPDX-License-Identifier: Apache-2.0

package import Database
package import SQLite

/// The database `accounts.db`: accounts, sessions, wrapped signing keys, codes, mails and account events.
package struct AccountDB: TypedDatabase {
    package static let schema = Migration(steps: [
        """
        -- `key_fingerprint` tells whether the key outside this file is the one that wraps its secrets.
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        -- Keys that sign ID tokens. `private` is PKCS #8, encrypted with the key outside this file.
        CREATE TABLE keys (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, private BLOB NOT NULL, public BLOB NOT NULL, certificate BLOB NOT NULL,
            created INTEGER NOT NULL, signs_from INTEGER NOT NULL, signs_until INTEGER NOT NULL, known_until INTEGER NOT NULL
        ) STRICT;

        -- `email_key` is the address as it is compared. `password` is a hash with its parameters. ID tokens from before `valid_since` are void.
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, uid TEXT NOT NULL, email TEXT, email_key TEXT,
            email_verified INTEGER NOT NULL, name TEXT, photo TEXT, phone TEXT, password TEXT, password_at INTEGER, anonymous INTEGER NOT NULL,
            created INTEGER NOT NULL, last_sign_in INTEGER, valid_since INTEGER NOT NULL, disabled INTEGER NOT NULL, claims TEXT
        ) STRICT;
        CREATE UNIQUE INDEX accounts_by_uid ON accounts (app, uid);
        CREATE UNIQUE INDEX accounts_by_email ON accounts (app, email_key) WHERE email_key IS NOT NULL;
        CREATE INDEX anonymous_accounts ON accounts (last_sign_in) WHERE anonymous = 1;

        -- One row for the life of a session. `counter` is that of the newest refresh token, `lost` the times at which an older one was
        -- accepted. `key` is the ingest key that the session was made or last refreshed with.
        CREATE TABLE sessions (
            id BLOB PRIMARY KEY, account INTEGER NOT NULL, key INTEGER NOT NULL, created INTEGER NOT NULL, refreshed INTEGER NOT NULL,
            counter INTEGER NOT NULL, lost INTEGER NOT NULL, method TEXT NOT NULL, client TEXT NOT NULL, place TEXT NOT NULL, claims TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions (account, created);
        CREATE INDEX sessions_by_use ON sessions (refreshed);
        -- The installations (keyed hashes) that signed in to an account, whose guesses count apart from those of strangers.
        CREATE TABLE devices (
            account INTEGER NOT NULL, device INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (account, device)
        ) STRICT, WITHOUT ROWID;
        -- Sessions that ended while their last ID token was valid.
        CREATE TABLE ended_sessions (id BLOB PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        -- What happened to accounts. After an erasure `uid` is a random text.
        CREATE TABLE audit (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, uid TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL,
            method TEXT NOT NULL, place TEXT NOT NULL, session BLOB, count INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX audit_by_account ON audit (app, uid, seq);
        CREATE INDEX audit_by_app ON audit (app, seq);
        CREATE INDEX audit_by_time ON audit (at);

        -- Deleted accounts whose data in other stores is still to be erased or anonymised.
        CREATE TABLE departures (
            app INTEGER NOT NULL, uid TEXT NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (app, uid)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE INDEX accounts_by_phone ON accounts (app, phone) WHERE phone IS NOT NULL;
        """,
        """
        -- Users of identity providers, each of one account. `subject` is the provider's ID of the user.
        CREATE TABLE identities (
            app INTEGER NOT NULL, provider TEXT NOT NULL, subject TEXT NOT NULL, account INTEGER NOT NULL, email TEXT, linked_at INTEGER NOT NULL,
            PRIMARY KEY (app, provider, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identities_by_account ON identities (account);
        """,
        """
        -- Authenticator apps. `secret` is encrypted with the key outside this file. `last_step` is the half minute of the last code.
        CREATE TABLE factors (
            id TEXT PRIMARY KEY, account INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT, secret BLOB NOT NULL, last_step INTEGER,
            created INTEGER NOT NULL, confirmed_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX factors_by_account ON factors (account);
        -- Unused recovery codes, hashed with the key outside this file.
        CREATE TABLE recovery_codes (account INTEGER NOT NULL, code BLOB NOT NULL, PRIMARY KEY (account, code)) STRICT, WITHOUT ROWID;
        -- The kind of the second factor with which a session began.
        ALTER TABLE sessions ADD COLUMN second_factor TEXT;
        """,
        followUps, figures, codesAndMails, importEvents, depths, deletions,
    ])

    private static let followUps = """
        -- Why a session ended, and whether devices of its user may still have to be released.
        ALTER TABLE ended_sessions ADD COLUMN why TEXT NOT NULL DEFAULT 'session_ended';
        ALTER TABLE ended_sessions ADD COLUMN owns INTEGER NOT NULL DEFAULT 1;
        CREATE INDEX owning_sessions ON ended_sessions (at) WHERE owns = 1;

        -- Events for the topic `$accounts`, until messages.db has them.
        CREATE TABLE notices (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, uid TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL,
            method TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notices_of_account ON notices (app, uid);
        """

    private static let figures = """
        -- Events by UTC day, for figures.
        CREATE TABLE tallies (
            app INTEGER NOT NULL, day INTEGER NOT NULL, method TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (app, day, method, what)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO tallies SELECT app, at / 86400000, method, what, sum(count) FROM audit
            WHERE what IN ('created', 'signed_in', 'sign_in_failed') GROUP BY app, at / 86400000, method, what;
        -- Covers the count of accounts by state.
        CREATE INDEX accounts_by_state ON accounts (app, anonymous, email_verified, disabled);
        CREATE INDEX confirmed_factors ON factors (account) WHERE confirmed_at IS NOT NULL;
        """

    private static let importEvents = """
        -- Events of imports are not in the index by user ID, because a large import would change most of its pages with each commit.
        -- `import_event` is the number of an account's. It is listed when the account goes.
        ALTER TABLE accounts ADD COLUMN import_event INTEGER;
        ALTER TABLE audit ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;
        DROP INDEX audit_by_account;
        CREATE INDEX audit_by_account ON audit (app, uid, seq) WHERE listed = 1;
        """

    private static let depths = """
        -- The number of runs of functions that led to the event, one by the other.
        ALTER TABLE audit ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
        """

    private static let deletions = """
        -- The user IDs of deletions whose events no longer have them, by the number of the event, until triggers of functions have read them.
        CREATE TABLE deletions (seq INTEGER PRIMARY KEY, app INTEGER NOT NULL, uid TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
        CREATE INDEX deletions_by_app ON deletions (app, seq);
        """

    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }
}
