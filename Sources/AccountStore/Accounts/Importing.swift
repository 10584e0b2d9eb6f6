// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

/// The reason why an account of an import was not added.
package enum ImportConflict: String, Sendable {
    case idTaken = "id_taken"
    case emailTaken = "email_taken"
    case phoneTaken = "phone_taken"
    /// Another account has this user of an identity provider.
    case identityTaken = "identity_taken"
    /// The secret of a second factor cannot be decrypted.
    case factorUnreadable = "factor_unreadable"
    /// An account with this user ID was deleted, and its data is still being erased.
    case beingErased = "being_erased"
}

extension AccountStore {
    /// Adds accounts in one commit. Returns the reason for each that was not added.
    ///
    /// - Parameter replaces: Whether an account with the same user ID is replaced; its sessions end.
    package func add(
        _ drafts: [AccountDraft], _ app: AppID, replaces: Bool, _ origin: AccountOrigin
    ) async throws -> [ImportConflict?] {
        let (now, live, key) = (clock.now(), live, secrets.key)
        let made = try await change { file -> (conflicts: [ImportConflict?], ended: [SessionID]) in
            var ended: [SessionID] = []
            let conflicts = try drafts.map { try file.importOne($0, app, replaces: replaces, key, origin, at: now, &ended) }
            let added = conflicts.count { $0 == nil }
            if added > 0 { try file.tally(AccountEvent(.created, uid: "", origin, count: added), app: app, at: now) }
            return (conflicts, ended)
        } committed: {
            live.end($0.ended, at: now)
        }
        return made.conflicts
    }
}

extension AccountDB {
    fileprivate func importOne(
        _ draft: AccountDraft, _ app: AppID, replaces: Bool, _ key: AccountsKey?, _ origin: AccountOrigin, at now: Timestamp,
        _ ended: inout [SessionID]
    ) throws -> ImportConflict? {
        let uid = draft.uid ?? AccountID.make()
        let known = draft.uid == nil ? nil : try row(app, uid: uid)
        if known != nil, !replaces { return .idTaken }
        if let email = draft.email, let owner = try row(app, email: email.key), owner != known { return .emailTaken }
        if let phone = draft.phone, let owner = try account(app, phone: phone), owner.id != known { return .phoneTaken }
        for identity in draft.identities {
            if let owner = try account(app, identity.provider, subject: identity.subject), owner.id != known { return .identityTaken }
        }
        guard let secrets = draft.parts.secrets(key) else { return .factorUnreadable }
        guard try !isLeaving(uid, app) else { return .beingErased }
        if let known, let account = try account(row: known) {
            let ids = try sessions(of: known).map(\.id)
            for id in ids { try end(id, at: now) }
            ended += ids
            try remove(account)
        }
        let event = try addImport(of: uid, origin, app: app, at: now)
        try add(draft, uid: uid, app: app, import: event, at: now)
        let made = lastInsertedRow
        for identity in draft.identities { try insert(identity, of: made, app: app, at: now) }
        try add(draft.parts, secrets, key, to: made)
        return nil
    }

    private func row(_ app: AppID, uid: String) throws -> Int64? {
        try statement("SELECT id FROM accounts WHERE app = ? AND uid = ?").first(.integer(app.rawValue), .text(uid)) { $0.integer(0) }
    }

    private func row(_ app: AppID, email key: String) throws -> Int64? {
        try statement("SELECT id FROM accounts WHERE app = ? AND email_key = ?").first(.integer(app.rawValue), .text(key)) { $0.integer(0) }
    }

    private func isLeaving(_ uid: String, _ app: AppID) throws -> Bool {
        try statement("SELECT 1 FROM departures WHERE app = ? AND uid = ?").first(.integer(app.rawValue), .text(uid)) { _ in true } ?? false
    }
}
