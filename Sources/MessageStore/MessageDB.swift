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

    static let schema = Migration(steps: [messagesV1, messagesV2, messagesV3, messagesV4, messagesV5, ownedDevices])

    private static let messagesV1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        -- The origins of webhooks: scheme, host and port as one text.
        CREATE TABLE origins (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

        -- `origin` and `url` are null for a stream. `scheme` is 0 if the app's secret signs. Only streams use `gap` and `gap_through`.
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

        -- The secret of an app, which signs for every registration without one of its own.
        CREATE TABLE app_secrets (
            app INTEGER PRIMARY KEY, scheme INTEGER NOT NULL, secret BLOB NOT NULL, old_secret BLOB, old_until INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE topics (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
            subscribers INTEGER NOT NULL DEFAULT 0, UNIQUE (app, name)
        ) STRICT;
        -- `seq` is the order of creation. A message reaches subscriptions up to its `fence` only.
        CREATE TABLE subscriptions (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER NOT NULL, registration INTEGER NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX subscribers ON subscriptions (topic, registration);
        CREATE UNIQUE INDEX subscribed ON subscriptions (registration, topic);

        -- `registrations` has the rows of a message to tokens. `place` is the last registration for which deliveries were created, `closed` the
        -- last delivery examined while a message is cancelled or expires.
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
        -- A partial index is used only by statements that repeat its condition literally (`StateConditions.swift`).
        CREATE INDEX messages_scheduled ON messages (send_at) WHERE stage = 1;
        CREATE INDEX messages_to_spread ON messages (priority DESC, id) WHERE stage = 2;
        CREATE INDEX messages_to_cancel ON messages (stage) WHERE stage = 3;
        CREATE INDEX messages_by_expiry ON messages (expires);
        CREATE INDEX messages_that_expire ON messages (expires) WHERE stage < 5;
        CREATE INDEX messages_that_collapse ON messages (app, collapse_key) WHERE collapse_key IS NOT NULL;
        CREATE TABLE message_counts (
            message INTEGER NOT NULL, state INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (message, state)
        ) STRICT, WITHOUT ROWID;

        -- `due` is the time of a webhook's next attempt, or the end of its lease; null if no attempt is planned.
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

        -- Deleted apps whose data is not completely removed yet.
        CREATE TABLE deleted_apps (app INTEGER PRIMARY KEY) STRICT;

        -- Alerts in effect. A cause is published once until it ends.
        CREATE TABLE alerts (
            app INTEGER NOT NULL, topic TEXT NOT NULL, cause TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (app, topic, cause)
        ) STRICT, WITHOUT ROWID;
        """

    private static let messagesV2 = """
        -- Origins take turns with challenges. `challenge_due` is kept after a confirmation: the registration gets no other challenge before.
        DROP INDEX registrations_to_challenge;
        CREATE INDEX registrations_to_challenge ON registrations (origin, challenge_due) WHERE state = 2;

        -- An origin is removed with its last registration. Its number is never reused, because the sender may still hold it.
        CREATE TABLE named_origins (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO named_origins SELECT id, text FROM origins WHERE id IN (SELECT origin FROM registrations);
        DROP TABLE origins;
        ALTER TABLE named_origins RENAME TO origins;
        CREATE INDEX registrations_of_origin ON registrations (origin) WHERE origin IS NOT NULL;

        -- 1 if a newer message with its collapse key arrived while the delivery was in flight. It is not retried.
        ALTER TABLE deliveries ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;
        """

    private static let messagesV3 = """
        -- The platform sections, a JSON object that is passed on unchanged.
        ALTER TABLE messages ADD COLUMN platform BLOB;
        """

    private static let messagesV4 = """
        -- Complements `deliveries_open`: each delivery of a registration is in one of the two indexes.
        CREATE INDEX deliveries_over ON deliveries (registration) WHERE state >= 5;

        -- Replaced secrets that still sign for a while, in the format of `ReplacedSecrets`.
        ALTER TABLE registrations ADD COLUMN replaced_secrets TEXT;
        UPDATE registrations SET replaced_secrets = old_until || ' ' || scheme || ' ' || hex(old_secret) WHERE old_secret IS NOT NULL;
        ALTER TABLE registrations DROP COLUMN old_secret;
        ALTER TABLE registrations DROP COLUMN old_until;
        ALTER TABLE app_secrets ADD COLUMN replaced_secrets TEXT;
        UPDATE app_secrets SET replaced_secrets = old_until || ' ' || scheme || ' ' || hex(old_secret) WHERE old_secret IS NOT NULL;
        ALTER TABLE app_secrets DROP COLUMN old_secret;
        ALTER TABLE app_secrets DROP COLUMN old_until;
        """

    private static let messagesV5 = """
        -- The newest dead letters, for alerts.
        CREATE INDEX dead_letters_by_time ON deliveries (changed) WHERE state = 6;
        """

    private static let ownedDevices = """
        -- `proved` is 1 if an ID token or a server named `user`; `session` is the session of the ID token.
        ALTER TABLE registrations ADD COLUMN proved INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE registrations ADD COLUMN session BLOB;
        CREATE INDEX registrations_of_session ON registrations (session) WHERE session IS NOT NULL;

        -- `addressee` is the user that a message is for, `about` the one that an event of `$accounts` is about.
        ALTER TABLE messages ADD COLUMN addressee TEXT;
        ALTER TABLE messages ADD COLUMN about TEXT;
        CREATE INDEX messages_to_users ON messages (app, addressee) WHERE addressee IS NOT NULL;
        CREATE INDEX messages_about_users ON messages (app, about) WHERE about IS NOT NULL;
        """
}
