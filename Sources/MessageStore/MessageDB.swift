// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The database `messages.db`: registrations, topics, messages and deliveries.
///
///     registrations ──▶ subscriptions ◀── topics      who gets what
///     messages ──▶ deliveries ──▶ attempts            one delivery per message and registration reached, with its log
///     message_counts                                  deliveries by message and state
///     origins                                         hosts of webhooks, by which deliveries are claimed
///
/// Enumerated columns contain the raw values of `RegistrationState`, `MessageStage`, `DeliveryState` and `MessagePriority`.
package struct MessageDB: TypedDatabase {
    let connection: Connection

    static let schema = Migration(steps: [messagesV1, messagesV2, messagesV3, messagesV4])

    private static let messagesV1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        -- Where webhooks go: scheme, host and port as one text.
        CREATE TABLE origins (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

        -- `origin` and `url` are null for a stream; `scheme` is 0 where the app's own secret signs. `gap` and `gap_through` are a stream's.
        CREATE TABLE registrations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL, token TEXT NOT NULL, kind INTEGER NOT NULL,
            installation TEXT, user TEXT, platform INTEGER NOT NULL, app_version TEXT,
            origin INTEGER, url TEXT,
            state INTEGER NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL,
            scheme INTEGER NOT NULL, secret BLOB, old_secret BLOB, old_until INTEGER NOT NULL DEFAULT 0,
            failing_since INTEGER, challenge_tries INTEGER NOT NULL DEFAULT 0, challenge_due INTEGER,
            gap INTEGER NOT NULL DEFAULT 0, gap_through INTEGER NOT NULL DEFAULT 0,
            UNIQUE (app, token)
        ) STRICT;
        CREATE INDEX registrations_of_app ON registrations (app);
        CREATE INDEX registrations_of_installation ON registrations (app, installation) WHERE installation IS NOT NULL;
        CREATE INDEX registrations_of_user ON registrations (app, user) WHERE user IS NOT NULL;
        CREATE INDEX registrations_by_contact ON registrations (seen);
        CREATE INDEX registrations_disabled ON registrations (app) WHERE state = 3;
        CREATE INDEX registrations_to_challenge ON registrations (challenge_due) WHERE challenge_due IS NOT NULL;

        -- What signs for every registration of an app that has no secret of its own.
        CREATE TABLE app_secrets (
            app INTEGER PRIMARY KEY, scheme INTEGER NOT NULL, secret BLOB NOT NULL, old_secret BLOB, old_until INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE topics (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
            subscribers INTEGER NOT NULL DEFAULT 0, UNIQUE (app, name)
        ) STRICT;
        -- `seq` is the order in which they were made, in which a message's fence stands.
        CREATE TABLE subscriptions (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER NOT NULL, registration INTEGER NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX subscribers ON subscriptions (topic, registration);
        CREATE UNIQUE INDEX subscribed ON subscriptions (registration, topic);

        -- `registrations` are the rows of a message to tokens; `place` is the last registration that deliveries were made for, `closed` the last
        -- delivery that was looked at to close it.
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL, public TEXT NOT NULL UNIQUE, stage INTEGER NOT NULL,
            topic_name TEXT, condition TEXT, registrations BLOB,
            notification BLOB, data BLOB, text TEXT, label TEXT, collapse_key TEXT, priority INTEGER NOT NULL,
            ttl INTEGER NOT NULL, created INTEGER NOT NULL, send_at INTEGER, sent INTEGER, expires INTEGER NOT NULL,
            fence INTEGER NOT NULL DEFAULT 0, last_registration INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0,
            closed INTEGER NOT NULL DEFAULT 0, audience INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX messages_of_app ON messages (app, id);
        -- Queries of a partial index repeat its condition as it stands here, or it is not used.
        CREATE INDEX messages_scheduled ON messages (send_at) WHERE stage = 1;
        CREATE INDEX messages_to_spread ON messages (priority DESC, id) WHERE stage = 2;
        CREATE INDEX messages_to_cancel ON messages (stage) WHERE stage = 3;
        CREATE INDEX messages_by_expiry ON messages (expires);
        CREATE INDEX messages_that_expire ON messages (expires) WHERE stage < 5;
        CREATE INDEX messages_that_collapse ON messages (app, collapse_key) WHERE collapse_key IS NOT NULL;
        CREATE TABLE message_counts (
            message INTEGER NOT NULL, state INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (message, state)
        ) STRICT, WITHOUT ROWID;

        -- `due` is when a webhook delivery is to be tried, or when its lease ends; null where there is nothing to be tried.
        CREATE TABLE deliveries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL, registration INTEGER NOT NULL, origin INTEGER,
            state INTEGER NOT NULL, due INTEGER, attempts INTEGER NOT NULL DEFAULT 0, claim INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deliveries_due ON deliveries (origin, due) WHERE due IS NOT NULL;
        CREATE INDEX deliveries_of_message ON deliveries (message);
        CREATE INDEX deliveries_open ON deliveries (registration) WHERE state < 5;
        CREATE INDEX dead_letters ON deliveries (message) WHERE state = 6;
        CREATE TABLE attempts (
            delivery INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
            status INTEGER NOT NULL, error TEXT NOT NULL, response BLOB, PRIMARY KEY (delivery, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE idempotency (
            app INTEGER NOT NULL, key TEXT NOT NULL, hash BLOB NOT NULL, answer TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (app, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_by_age ON idempotency (until);

        -- Apps that were deleted, for as long as something of theirs is left.
        CREATE TABLE deleted_apps (app INTEGER PRIMARY KEY) STRICT;

        -- Alerts that stand: a cause is told once, until it is over.
        CREATE TABLE alerts (
            app INTEGER NOT NULL, topic TEXT NOT NULL, cause TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (app, topic, cause)
        ) STRICT, WITHOUT ROWID;
        """

    private static let messagesV2 = """
        -- Origins take turns in being asked, and `challenge_due` outlasts the proof: until then nobody of that registration is asked again.
        DROP INDEX registrations_to_challenge;
        CREATE INDEX registrations_to_challenge ON registrations (origin, challenge_due) WHERE state = 2;

        -- Origins go with the last registration that names them, and their numbers are not given again: whoever holds one of them up may know it still.
        CREATE TABLE named_origins (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO named_origins SELECT id, text FROM origins WHERE id IN (SELECT origin FROM registrations);
        DROP TABLE origins;
        ALTER TABLE named_origins RENAME TO origins;
        CREATE INDEX registrations_of_origin ON registrations (origin) WHERE origin IS NOT NULL;

        -- 1 where a newer one of its collapse key came while it was under way: it is not tried again.
        ALTER TABLE deliveries ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;
        """

    private static let messagesV3 = """
        -- A JSON object of what only some platforms understand, handed on as it came.
        ALTER TABLE messages ADD COLUMN platform BLOB;
        """

    private static let messagesV4 = """
        -- With `deliveries_open` it leads from a registration to all of its deliveries, each of which stands in one of the two.
        CREATE INDEX deliveries_over ON deliveries (registration) WHERE state >= 5;

        -- Secrets that were replaced and sign for a while yet, as `ReplacedSecrets` writes them.
        ALTER TABLE registrations ADD COLUMN replaced_secrets TEXT;
        UPDATE registrations SET replaced_secrets = old_until || ' ' || scheme || ' ' || hex(old_secret) WHERE old_secret IS NOT NULL;
        ALTER TABLE registrations DROP COLUMN old_secret;
        ALTER TABLE registrations DROP COLUMN old_until;
        ALTER TABLE app_secrets ADD COLUMN replaced_secrets TEXT;
        UPDATE app_secrets SET replaced_secrets = old_until || ' ' || scheme || ' ' || hex(old_secret) WHERE old_secret IS NOT NULL;
        ALTER TABLE app_secrets DROP COLUMN old_secret;
        ALTER TABLE app_secrets DROP COLUMN old_until;
        """
}
