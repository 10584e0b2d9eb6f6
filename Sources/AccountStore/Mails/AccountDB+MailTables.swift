// SPDX-License-Identifier: Apache-2.0

extension AccountDB {
    static let codesAndMails = """
        -- Codes of mails. Their secrets are not here: they follow from `id` and the key outside this file. `found` is 0 until it was looked up
        -- whom the code concerns. `session` stays when a change ends the others. `password` and `name` are those of a sign-up.
        CREATE TABLE codes (
            id BLOB PRIMARY KEY, app INTEGER NOT NULL, account INTEGER, kind TEXT NOT NULL, email TEXT NOT NULL, email_key TEXT NOT NULL,
            locale TEXT NOT NULL, continue_url TEXT, opens_app INTEGER NOT NULL, session BLOB, password TEXT, name TEXT,
            created INTEGER NOT NULL, expires INTEGER NOT NULL, used INTEGER, tries INTEGER NOT NULL, found INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX codes_by_email ON codes (app, email_key);
        CREATE INDEX codes_by_account ON codes (account) WHERE account IS NOT NULL;
        CREATE INDEX new_codes ON codes (id) WHERE found = 0;
        CREATE INDEX codes_by_expiry ON codes (expires);

        -- Mails to send and sent ones. `handed` is the state while the server may have the mail and has not answered.
        CREATE TABLE mails (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, account INTEGER, code BLOB, kind TEXT NOT NULL, receiver TEXT NOT NULL,
            about TEXT NOT NULL, locale TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, next_try INTEGER NOT NULL,
            created INTEGER NOT NULL, expires INTEGER NOT NULL, ended INTEGER, error TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX mails_by_code ON mails (code) WHERE code IS NOT NULL;
        CREATE INDEX due_mails ON mails (next_try) WHERE state = 'due';
        CREATE INDEX handed_mails ON mails (id) WHERE state = 'handed';
        CREATE INDEX mails_by_account ON mails (app, account, kind);
        CREATE INDEX ended_mails ON mails (ended) WHERE ended IS NOT NULL;
        """
}
