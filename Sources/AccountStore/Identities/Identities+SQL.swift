// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

extension AccountDB {
    /// Returns the account that has an identity.
    package func account(_ app: AppID, _ provider: String, subject: String) throws -> Account? {
        let id = try statement("SELECT account FROM identities WHERE app = ? AND provider = ? AND subject = ?").first(
            .integer(app.rawValue), .text(provider), .text(subject)
        ) { $0.integer(0) }
        return try id.flatMap { try account(row: $0) }
    }

    func identities(of account: Int64) throws -> [LinkedIdentity] {
        try statement("SELECT provider, subject, email, linked_at FROM identities WHERE account = ? ORDER BY provider, subject").all(
            .integer(account)
        ) {
            LinkedIdentity(
                provider: $0.text(0), subject: $0.text(1), email: $0.optionalText(2), linked: Timestamp(milliseconds: $0.integer(3)))
        }
    }

    func insert(_ identity: ProviderIdentity, of account: Account, at now: Timestamp) throws {
        let identity = Account.Identity(provider: identity.provider, subject: identity.subject, email: identity.email?.text)
        try insert(identity, of: account.id, app: account.app, at: now)
    }

    func insert(_ identity: Account.Identity, of account: Int64, app: AppID, at now: Timestamp) throws {
        try statement("INSERT INTO identities (app, provider, subject, account, email, linked_at) VALUES (?, ?, ?, ?, ?, ?)").run(
            .integer(app.rawValue), .text(identity.provider), .text(identity.subject), .integer(account), .text(identity.email),
            .integer(now.milliseconds))
    }

    /// Keeps the address that a provider names now.
    func keepEmail(_ identity: ProviderIdentity, _ app: AppID) throws {
        guard let email = identity.email else { return }
        try statement("UPDATE identities SET email = ? WHERE app = ? AND provider = ? AND subject = ? AND email IS NOT ?1").run(
            .text(email.text), .integer(app.rawValue), .text(identity.provider), .text(identity.subject))
    }

    func removeIdentities(_ provider: String, of account: Int64) throws {
        try statement("DELETE FROM identities WHERE account = ? AND provider = ?").run(.integer(account), .text(provider))
    }

    /// Drops the identities and second factors that an account got since a time, and recovery codes without a second factor.
    func removeCredentials(of account: Int64, since time: Timestamp) throws {
        try statement("DELETE FROM identities WHERE account = ? AND linked_at >= ?").run(.integer(account), .integer(time.milliseconds))
        try statement("DELETE FROM factors WHERE account = ? AND created >= ?").run(.integer(account), .integer(time.milliseconds))
        try statement("DELETE FROM recovery_codes WHERE account = ?1 AND NOT EXISTS (SELECT 1 FROM factors WHERE account = ?1)").run(
            .integer(account))
    }

    /// Drops everything with which somebody could sign in to an account. Its sessions are ended by the caller.
    func dropCredentials(of account: Account) throws {
        try statement("UPDATE accounts SET password = NULL, password_at = NULL WHERE id = ?").run(.integer(account.id))
        try removeParts(of: account.id)
    }
}
