// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Crypto
import Database
package import Platform
import SQLite

/// Second factors of an account.
///
///     add      a secret, wrapped by the key outside the database; not asked for yet
///     confirm  the first right code: asked for from now on, all other sessions end, recovery codes are made
///     sign-in  without a code nothing is stored and `SecondFactorNeeded` is thrown; with one the code counts once
extension AccountStore {
    /// Adds an authenticator app. It replaces one that was never confirmed. Returns nil if the account is gone.
    package func addFactor(_ name: String?, uid: String, _ app: AppID) async throws -> (factor: SecondFactor, secret: [UInt8])? {
        let (now, secret) = (clock.now(), TOTP.makeSecret())
        let key = try await prepareSecrets()
        return try await change { file in
            guard let account = try file.account(app, uid: uid) else { return nil }
            guard !account.isAnonymous else {
                throw Refusal(.conflict, "An anonymous user has no first factor.", hint: "Sign up, or link a provider first.")
            }
            let known = try file.factors(of: account.id)
            for waiting in known where waiting.confirmed == nil { try file.removeFactor(waiting.id, of: account.id) }
            guard known.count(where: { $0.confirmed != nil }) < SecondFactor.most else {
                throw Refusal(.conflict, "The account has \(SecondFactor.most) second factors.", hint: "Remove one first.")
            }
            let factor = SecondFactor(id: SecondFactor.makeID(), kind: .totp, name: name, created: now)
            try file.insert(factor, secret: key.wrap(secret, as: AccountDB.context(factor.id)), of: account.id)
            return (factor, secret)
        }
    }

    /// Confirms a factor by its first code. All other sessions end, as they have shown one factor only.
    ///
    /// Returns nil without such a factor. Recovery codes are made with the first confirmed factor.
    ///
    /// - Parameter name: A name in place of that from when it was added; nil keeps it.
    package func confirmFactor(
        _ id: String, code: String, name: String? = nil, uid: String, _ app: AppID, kept: SessionID, _ origin: AccountOrigin
    ) async throws -> (factor: SecondFactor, recoveryCodes: [String]?)? {
        let (now, live, sendsMail) = (clock.now(), live, bounds.sendsMail)
        let key = try await prepareSecrets()
        let made = try await change { file -> (factor: SecondFactor, codes: [String]?, ended: [SessionID])? in
            guard let account = try file.account(app, uid: uid) else { return nil }
            let factors = try file.factors(of: account.id)
            guard var factor = factors.first(where: { $0.id.hasSameBytes(as: id) }), factor.confirmed == nil,
                now - factor.created <= SecondFactor.patience
            else { return nil }
            guard try file.accept(code, of: factor.id, key, at: now) else { throw Refusal.invalidCode }
            (factor.confirmed, factor.name) = (now, name ?? factor.name)
            try file.confirmFactor(factor, at: now)
            try file.setSecondFactor(factor.kind, of: kept)
            let isFirst = factors.allSatisfy { $0.confirmed == nil }
            let codes = isFirst ? RecoveryCodes.make() : nil
            if let codes { try file.replaceRecoveryCodes(of: account, codes, key) }
            try file.add(AccountEvent(.factorAdded, uid: uid, origin), app: app, at: now)
            if sendsMail { try file.notify(account, .secondFactorChanged, at: now) }
            let ended = try file.sessions(of: account.id).map(\.id).filter { $0 != kept }
            for session in ended { try file.end(session, at: now, why: .factorAdded) }
            return (factor, codes, ended)
        } committed: {
            live.end($0?.ended ?? [], at: now, why: .factorAdded)
        }
        if sendsMail { wakeMails() }
        return made.map { ($0.factor, $0.codes) }
    }

    /// Removes a factor. All sessions but one end. Returns false if the account has no such factor.
    package func removeFactor(_ id: String, uid: String, _ app: AppID, kept: SessionID, _ origin: AccountOrigin) async throws -> Bool {
        let (now, sendsMail) = (clock.now(), bounds.sendsMail)
        mustEmptyLog.make()
        defer { if sendsMail { wakeMails() } }
        return try await endSessions(at: now, why: .factorRemoved) { file in
            guard let account = try file.account(app, uid: uid),
                let factor = try file.factors(of: account.id).first(where: { $0.id.hasSameBytes(as: id) })
            else { return nil }
            try file.removeFactor(factor.id, of: account.id)
            guard factor.confirmed != nil else { return [] }
            if sendsMail { try file.notify(account, .secondFactorChanged, at: now) }
            try file.add(AccountEvent(.factorRemoved, uid: uid, origin), app: app, at: now)
            return try file.sessions(of: account.id).map(\.id).filter { $0 != kept }
        } != nil
    }

    /// Removes all factors and recovery codes of an account, for a user who lost them. Returns false if there is no account.
    package func removeFactors(uid: String, _ app: AppID, _ origin: AccountOrigin) async throws -> Bool {
        let (now, sendsMail) = (clock.now(), bounds.sendsMail)
        mustEmptyLog.make()
        defer { if sendsMail { wakeMails() } }
        return try await change { file in
            guard let account = try file.account(app, uid: uid) else { return false }
            try file.removeFactors(of: account, but: [], origin, sendsMail: sendsMail, at: now)
            return true
        }
    }

    /// Makes new recovery codes, which replace all earlier ones. Returns nil if the account is gone.
    package func makeRecoveryCodes(uid: String, _ app: AppID, _ origin: AccountOrigin) async throws -> [String]? {
        let (now, codes) = (clock.now(), RecoveryCodes.make())
        let key = try await prepareSecrets()
        return try await change { file in
            guard let account = try file.account(app, uid: uid) else { return nil }
            guard try file.factors(of: account.id).contains(where: { $0.confirmed != nil }) else {
                throw Refusal(.conflict, "The account has no second factor.", hint: "Add one with POST /v1/auth/user/factors.")
            }
            try file.replaceRecoveryCodes(of: account, codes, key)
            try file.add(AccountEvent(.recoveryCodesMade, uid: uid, origin), app: app, at: now)
            return codes
        }
    }

    /// Returns the confirmed factors of accounts by user ID; accounts without any are missing.
    package func confirmedFactors(of accounts: [Account]) async throws -> [String: [SecondFactor]] {
        try await read { file in
            var found: [String: [SecondFactor]] = [:]
            for account in accounts {
                let factors = try file.factors(of: account.id).filter { $0.confirmed != nil }
                if !factors.isEmpty { found[account.uid] = factors }
            }
            return found
        }
    }

    /// Returns the factors of an account and the number of its unused recovery codes.
    package func factors(of account: Account) async throws -> (factors: [SecondFactor], recoveryCodes: Int) {
        try await read { (try $0.factors(of: account.id), try $0.recoveryCodes(of: account.id)) }
    }
}

extension AccountDB {
    /// Removes confirmed second factors but those that stay, which get their names. If none stays, unconfirmed ones and recovery codes go, too.
    func removeFactors(
        of account: Account, but kept: [AccountChange.KeptFactor], _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws {
        var isRemoved = false
        for factor in try factors(of: account.id) where factor.confirmed != nil || kept.isEmpty {
            if let staying = kept.first(where: { $0.id.hasSameBytes(as: factor.id) }) {
                try statement("UPDATE factors SET name = ? WHERE id = ?").run(.text(staying.name), .text(factor.id))
            } else {
                try removeFactor(factor.id, of: account.id)
                isRemoved = isRemoved || factor.confirmed != nil
            }
        }
        guard isRemoved else { return }
        try add(AccountEvent(.factorRemoved, uid: account.uid, origin), app: account.app, at: now)
        if sendsMail { try notify(account, .secondFactorChanged, at: now) }
    }

    /// Applies the rule for second factors to a sign-in. Returns the kind of the one that was used; nil for an account without any.
    func use(_ proof: SecondFactorProof, _ account: Account, _ key: AccountsKey?, at now: Timestamp) throws -> SecondFactor.Kind? {
        let factors = try factors(of: account.id).filter { $0.confirmed != nil }
        if factors.isEmpty { return nil }
        guard case .code(let code, let id) = proof else { throw SecondFactorNeeded(account: account, factors: factors) }
        guard let key else { throw Refusal.invalidCode }
        if let id, id.hasSameBytes(as: SecondFactorProof.recovery) {
            guard try useRecoveryCode(code, of: account, key) else { throw Refusal.invalidCode }
            return .recovery
        }
        for factor in factors where id.map({ $0.hasSameBytes(as: factor.id) }) ?? true {
            if try accept(code, of: factor.id, key, at: now) { return factor.kind }
        }
        throw Refusal.invalidCode
    }
}
