// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

extension AccountDB {
    /// Neither providers nor subjects nor addresses have control characters, with which they are joined.
    private static let columns = """
        id, app, uid, email, email_verified, name, photo, phone, password, anonymous, created, last_sign_in, valid_since, disabled, claims,
        (SELECT group_concat(provider || char(31) || subject || char(31) || coalesce(email, ''), char(30)) FROM identities WHERE account = accounts.id)
        """

    package func account(_ app: AppID, uid: String) throws -> Account? {
        try statement("SELECT \(AccountDB.columns) FROM accounts WHERE app = ? AND uid = ?").first(.integer(app.rawValue), .text(uid)) { Account($0) }
    }

    func account(_ app: AppID, email key: String) throws -> Account? {
        try statement("SELECT \(AccountDB.columns) FROM accounts WHERE app = ? AND email_key = ?").first(.integer(app.rawValue), .text(key)) {
            Account($0)
        }
    }

    func account(_ app: AppID, phone: String) throws -> Account? {
        try statement("SELECT \(AccountDB.columns) FROM accounts WHERE app = ? AND phone = ?").first(.integer(app.rawValue), .text(phone)) {
            Account($0)
        }
    }

    func countAccounts(_ app: AppID) throws -> Int {
        try statement("SELECT count(*) FROM accounts WHERE app = ?").first(.integer(app.rawValue)) { $0.int(0) } ?? 0
    }

    /// Whether a device signed in to an account before.
    func knows(_ device: UInt64, of account: Int64) throws -> Bool {
        try statement("SELECT 1 FROM devices WHERE account = ? AND device = ?").first(.integer(account), .key(device)) { _ in true } ?? false
    }

    func account(row id: Int64) throws -> Account? {
        try statement("SELECT \(AccountDB.columns) FROM accounts WHERE id = ?").first(.integer(id)) { Account($0) }
    }

    /// Returns accounts in the order of their creation.
    func accounts(_ app: AppID, after id: Int64, limit: Int) throws -> [Account] {
        try statement("SELECT \(AccountDB.columns) FROM accounts WHERE app = ? AND id > ? ORDER BY id LIMIT ?").all(
            .integer(app.rawValue), .integer(id), .integer(limit)
        ) { Account($0) }
    }

    /// Returns accounts whose user ID is a text or whose address begins with it, at most `limit`.
    func accounts(_ app: AppID, searched text: String, limit: Int) throws -> [Account] {
        let exact = try account(app, uid: text)
        let start = text.unicodeScalars.map(\.properties.lowercaseMapping).joined()
        // No address has a scalar above the last one of Unicode.
        let found = try statement(
            "SELECT \(AccountDB.columns) FROM accounts WHERE app = ? AND email_key >= ? AND email_key < ? ORDER BY email_key LIMIT ?"
        ).all(.integer(app.rawValue), .text(start), .text(start + "\u{10FFFF}"), .integer(limit)) { Account($0) }
        return Array(((exact.map { [$0] } ?? []) + found.filter { $0.id != exact?.id }).prefix(limit))
    }

    /// Creates an account. Throws for a user ID or an address that another account of the app has.
    func insert(_ draft: AccountDraft, app: AppID, at now: Timestamp) throws -> Account {
        let uid = draft.uid ?? AccountID.make()
        guard try account(app, uid: uid) == nil else {
            throw Refusal(.conflict, "There is an account with this user ID.", fields: [.init("uid", "taken", "belongs to another account")])
        }
        try requireFree(draft.email, app, except: nil)
        try requireFree(phone: draft.phone, app, except: nil)
        try add(draft, uid: uid, app: app, at: now)
        guard let made = try account(row: lastInsertedRow) else { throw StoreError.stopped }
        return made
    }

    /// Adds the row of an account whose user ID, address and phone number are free.
    ///
    /// - Parameter event: The number of the event of its import.
    func add(_ draft: AccountDraft, uid: String, app: AppID, import event: Int64? = nil, at now: Timestamp) throws {
        try statement(
            """
            INSERT INTO accounts (app, uid, email, email_key, email_verified, name, photo, phone, password, password_at, anonymous, created,
                last_sign_in, valid_since, disabled, claims, import_event)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(app.rawValue), .text(uid), .text(draft.email?.text), .text(draft.email?.key), .flag(draft.isEmailVerified), .text(draft.name),
            .text(draft.photoURL), .text(draft.phone), .text(draft.password), draft.password == nil ? .null : .integer(now.milliseconds),
            .flag(draft.isAnonymous), .integer((draft.created ?? now).milliseconds), draft.lastSignIn.map { .integer($0.milliseconds) } ?? .null,
            .integer(now.milliseconds), .flag(draft.isDisabled), .text(draft.claims), event.map { .integer($0) } ?? .null)
    }

    private func requireFree(_ email: EmailAddress?, _ app: AppID, except id: Int64?) throws {
        guard let email, let owner = try account(app, email: email.key), owner.id != id else { return }
        throw Refusal(.emailExists, "Another account has this email address.", hint: "Sign in, or use another address.")
    }

    private func requireFree(phone: String?, _ app: AppID, except id: Int64?) throws {
        guard let phone, let owner = try account(app, phone: phone), owner.id != id else { return }
        throw Refusal.phoneTaken
    }

    /// Changes an account and returns it.
    func update(_ account: Account, _ change: AccountChange, at now: Timestamp) throws -> Account {
        var new = account
        if let email = change.email {
            try requireFree(email, account.app, except: account.id)
            new.email = email?.text
            new.isEmailVerified = false
            try statement("UPDATE accounts SET email_key = ? WHERE id = ?").run(.text(email?.key), .integer(account.id))
        }
        if let password = change.password {
            new.password = password
            new.isAnonymous = new.isAnonymous && password == nil
            try statement("UPDATE accounts SET password_at = ? WHERE id = ?").run(.integer(now.milliseconds), .integer(account.id))
        }
        new.isEmailVerified = change.isEmailVerified ?? new.isEmailVerified
        new.isAnonymous = change.isAnonymous ?? new.isAnonymous
        new.name = change.name ?? new.name
        new.photoURL = change.photoURL ?? new.photoURL
        if let phone = change.phone {
            try requireFree(phone: phone, account.app, except: account.id)
            new.phone = phone
        }
        new.isDisabled = change.isDisabled ?? new.isDisabled
        new.claims = change.claims ?? new.claims
        try changeIdentities(of: &new, change, at: now)
        if change.endsSessions { new.validSince = now }
        try write(new)
        return new
    }

    private func changeIdentities(of account: inout Account, _ change: AccountChange, at now: Timestamp) throws {
        for provider in change.removedProviders + change.addedIdentities.map(\.provider) {
            try removeIdentities(provider, of: account.id)
            account.identities.removeAll { $0.provider.hasSameBytes(as: provider) }
        }
        for identity in change.addedIdentities {
            let owner = try self.account(account.app, identity.provider, subject: identity.subject)
            guard owner == nil else { throw Refusal.identityLinked }
            try insert(identity, of: account.id, app: account.app, at: now)
            account.identities = (account.identities + [identity]).sorted { $0.provider < $1.provider }
            account.isAnonymous = false
        }
    }

    private func write(_ account: Account) throws {
        try statement(
            """
            UPDATE accounts SET email = ?, email_verified = ?, name = ?, photo = ?, phone = ?, password = ?, anonymous = ?, valid_since = ?,
                disabled = ?, claims = ? WHERE id = ?
            """
        ).run(
            .text(account.email), .flag(account.isEmailVerified), .text(account.name), .text(account.photoURL), .text(account.phone),
            .text(account.password), .flag(account.isAnonymous), .integer(account.validSince.milliseconds), .flag(account.isDisabled),
            .text(account.claims), .integer(account.id))
    }

    func signedIn(_ id: Int64, at now: Timestamp) throws {
        try statement("UPDATE accounts SET last_sign_in = ? WHERE id = ?").run(.integer(now.milliseconds), .integer(id))
    }

    func setPassword(_ hash: String, of id: Int64) throws {
        try statement("UPDATE accounts SET password = ? WHERE id = ?").run(.text(hash), .integer(id))
    }
}

extension Account {
    init(_ row: Row) {
        self.init(
            id: row.integer(0), app: AppID(rawValue: row.integer(1)), uid: row.text(2), email: row.optionalText(3), isEmailVerified: row.int(4) == 1,
            name: row.optionalText(5), photoURL: row.optionalText(6), phone: row.optionalText(7), password: row.optionalText(8),
            isAnonymous: row.int(9) == 1, created: Timestamp(milliseconds: row.integer(10)),
            lastSignIn: row.optionalInteger(11).map { Timestamp(milliseconds: $0) }, validSince: Timestamp(milliseconds: row.integer(12)),
            isDisabled: row.int(13) == 1, claims: row.optionalText(14))
        identities = row.bytes(15).split(separator: 30).map { bytes in
            let parts = bytes.split(separator: 31, maxSplits: 2, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 3 else { return Identity(provider: parts[0], subject: "") }
            return Identity(provider: parts[0], subject: parts[1], email: parts[2].isEmpty ? nil : parts[2])
        }.sorted { $0.provider < $1.provider }
    }
}

extension Value {
    static func flag(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
}
