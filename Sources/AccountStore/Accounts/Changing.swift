// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

extension AccountStore {
    /// Changes an account. Returns nil if there is none.
    ///
    /// - Parameter password: The hash that the account must still have, if the old password was checked.
    package func change(
        uid: String, _ app: AppID, _ change: AccountChange, ifPassword password: String?? = nil, _ origin: AccountOrigin
    ) async throws -> Account? {
        let (now, live, sendsMail) = (clock.now(), live, bounds.sendsMail)
        if change.keptFactors != nil { mustEmptyLog.make() }
        let made = try await self.change { file -> (account: Account, ended: [SessionID])? in
            guard let account = try file.account(app, uid: uid) else { return nil }
            if let password, password != account.password { throw Refusal.invalidCredentials }
            let changed = try file.update(account, change, at: now)
            try file.add(AccountEvent(change.event, uid: uid, origin), app: app, at: now)
            try file.addEvents(of: change, account, changed, origin, at: now)
            if let kept = change.keptFactors { try file.removeFactors(of: account, but: kept, origin, sendsMail: sendsMail, at: now) }
            if sendsMail, change.password != nil { try file.notify(changed, .passwordChanged, at: now) }
            let ended = change.endsSessions ? try file.sessions(of: account.id).map(\.id).filter { $0 != change.keptSession } : []
            for id in ended { try file.end(id, at: now, why: change.event) }
            return (changed, ended)
        } committed: {
            live.end($0?.ended ?? [], at: now, why: change.event)
        }
        if sendsMail { wakeMails() }
        return made?.account
    }

    /// Deletes an account with its sessions. Returns false if there is none.
    ///
    /// - Parameter rule: What happens to the person's data in other stores; it is done by `AcrossStores` after the commit.
    package func delete(uid: String, _ app: AppID, _ rule: AccountDeletion, _ origin: AccountOrigin) async throws -> Bool {
        let (now, keepsID) = (clock.now(), keepsDeletedIDs(app))
        mustEmptyLog.make()
        let ended = try await SpareSpace.forRemoval {
            try await endSessions(at: now, why: .deleted) { file in
                guard let account = try file.account(app, uid: uid) else { return nil }
                let ids = try file.sessions(of: account.id).map(\.id)
                try file.add(AccountEvent(.deleted, uid: uid, origin), app: app, at: now)
                try file.remove(account)
                if rule != .keep { try file.addDeparture(of: uid, rule, app: app, keepsID: keepsID, at: now) }
                return ids
            }
        }
        return ended != nil
    }
}

extension AccountDB {
    /// Adds the events of new identities.
    fileprivate func addEvents(
        of change: AccountChange, _ account: Account, _ changed: Account, _ origin: AccountOrigin, at now: Timestamp
    ) throws {
        if change.addedIdentities.isEmpty { return }
        if account.isAnonymous, !changed.isAnonymous { try add(AccountEvent(.upgraded, uid: account.uid, origin), app: account.app, at: now) }
        for identity in change.addedIdentities {
            let origin = AccountOrigin(method: identity.provider, place: origin.place)
            try add(AccountEvent(.identityLinked, uid: account.uid, origin), app: account.app, at: now)
        }
    }

    /// Makes what the store keeps of a deleted user anonymous, and notes that the data in other stores is to follow.
    ///
    /// - Parameter keepsID: Whether a trigger reads who was deleted.
    fileprivate func addDeparture(of uid: String, _ rule: AccountDeletion, app: AppID, keepsID: Bool, at now: Timestamp) throws {
        if keepsID { try keepDeletedID(uid, app: app) }
        try anonymiseEvents(of: uid, app: app)
        try statement("INSERT OR REPLACE INTO departures (app, uid, rule, at) VALUES (?, ?, ?, ?)").run(
            .integer(app.rawValue), .text(uid), .text(rule.rawValue), .integer(now.milliseconds))
    }

    /// Removes an account; its sessions are ended by the caller.
    func remove(_ account: Account) throws {
        try removeCodes(of: account)
        try listImport(of: account.uid, app: account.app)
        try statement("DELETE FROM accounts WHERE id = ?").run(.integer(account.id))
        try removeParts(of: account.id)
    }

    /// Removes what belongs to an account beside its sessions.
    func removeParts(of account: Int64) throws {
        for table in ["devices", "identities", "factors", "recovery_codes"] {
            try statement("DELETE FROM \(table) WHERE account = ?").run(.integer(account))
        }
    }
}
