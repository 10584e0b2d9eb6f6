// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

extension AccountStore {
    /// Returns a code that a client presents, without using it. Throws if it is wrong, used or expired.
    ///
    /// A link may be opened without knowing the app. Wrong digits count for all open codes of the address, with a commit each, whether or not the address has any.
    package func open(_ presented: PresentedCode, _ app: AppID?) async throws -> StoredCode {
        let now = clock.now()
        let found: StoredCode?
        switch presented {
        case .text(let code): found = try await read { try $0.code(code) }
        case .digits(let digits, let email):
            guard let app, let key = secrets.key else { throw Refusal.wrongMailCode }
            found = try await change { file in
                let match = try file.openCodes(app, email: email, at: now).last { $0.code.matches(digits, for: email, key) }
                if match == nil { try file.countWrongDigits(app, email: email, at: now) }
                return match
            }
        }
        guard let found, app == nil || found.app == app, found.used == nil else {
            gauges.countedWrongCode()
            throw Refusal.wrongMailCode
        }
        guard found.expires > now else { throw Refusal.mailCodeExpired }
        return found
    }

    /// Redeems a code. Of several at once one wins; the others throw `wrongMailCode`.
    ///
    /// - Parameter password: The hash of the new password, for a code that sets one.
    package func redeem(_ code: StoredCode, password: String? = nil, _ origin: AccountOrigin) async throws -> RedeemedCode {
        let (now, live, sendsMail) = (clock.now(), live, bounds.sendsMail)
        let done = try await change { file -> Redemption in
            try file.use(code.code, at: now)
            return try file.carryOut(code, password: password, origin, sendsMail: sendsMail, at: now)
        } committed: {
            live.end($0.ended, at: now, why: $0.why)
        }
        gauges.counted(code.kind, .redeemed)
        wakeMails()
        return RedeemedCode(code: code, account: done.account)
    }

    /// Begins a session with a code of the kind `sign_in`. An address without an account gets one.
    ///
    /// The code stays valid if the account has a second factor and `proof` is missing.
    package func signIn(
        _ code: StoredCode, _ draft: SessionDraft, _ origin: AccountOrigin, _ proof: SecondFactorProof = .missing
    ) async throws -> SignedIn {
        guard code.kind == .signIn else { throw Refusal.wrongMailCode }
        let signedIn = try await begin(draft, code.app, origin, proof) { file, now in
            try file.use(code.code, at: now)
            if let account = try file.account(code.app, email: code.email.key) { return try file.proveAddress(of: account, origin, at: now) }
            var draft = AccountDraft()
            (draft.email, draft.isEmailVerified) = (code.email, true)
            let account = try file.insert(draft, app: code.app, at: now)
            try file.add(AccountEvent(.created, uid: account.uid, origin), app: code.app, at: now)
            return FoundAccount(account, isNew: true)
        }
        gauges.counted(code.kind, .redeemed)
        return signedIn
    }
}

/// The account of a redeemed code, and the sessions that ended with it.
struct Redemption: Sendable {
    var account: Account?
    var ended: [SessionID] = []
    var why = AccountEvent.Kind.sessionEnded
}

extension AccountDB {
    /// Does what a used code is for.
    fileprivate func carryOut(
        _ code: StoredCode, password: String?, _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws -> Redemption {
        if code.kind == .signUp { return try signUp(code, origin, at: now) }
        guard let stored = try self.code(code.code), let account = try stored.account.flatMap({ try self.account(row: $0) }), !account.isDisabled
        else { throw Refusal.wrongMailCode }
        switch code.kind {
        case .verifyEmail:
            try requireAddress(code, of: account)
            return try apply(AccountChange(isEmailVerified: true), to: account, .emailVerified, origin, at: now)
        case .resetPassword, .invite:
            try requireAddress(code, of: account)
            guard let password else { throw Refusal.wrongMailCode }
            return try setPassword(password, of: account, by: code, origin, sendsMail: sendsMail, at: now)
        case .changeEmail: return try changeEmail(of: account, by: code, origin, sendsMail: sendsMail, at: now)
        case .undoEmail: return try undoEmail(of: account, by: code, origin, sendsMail: sendsMail, at: now)
        case .signIn, .signUp: throw Refusal.wrongMailCode
        }
    }

    /// Creates the account of a sign-up, or gives the anonymous account that asked its address. Its sessions end then.
    private func signUp(_ code: StoredCode, _ origin: AccountOrigin, at now: Timestamp) throws -> Redemption {
        if let id = try self.code(code.code)?.account {
            guard let account = try account(row: id), account.isAnonymous, !account.isDisabled else { throw Refusal.wrongMailCode }
            var change = AccountChange(isEmailVerified: true)
            (change.email, change.password, change.name) = (.some(code.email), .some(code.password), code.name.map { .some($0) })
            change.endsSessions = true
            return try apply(change, to: account, .upgraded, origin, at: now)
        }
        var draft = AccountDraft()
        (draft.email, draft.isEmailVerified, draft.password, draft.name) = (code.email, true, code.password, code.name)
        let account = try insert(draft, app: code.app, at: now)
        try add(AccountEvent(.created, uid: account.uid, origin), app: code.app, at: now)
        return Redemption(account: account)
    }

    /// Sets a password on the word of a mail and ends all sessions.
    private func setPassword(
        _ password: String, of account: Account, by code: StoredCode, _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws -> Redemption {
        let proved = try proveAddress(of: account, origin, at: now)
        var change = AccountChange()
        (change.password, change.endsSessions) = (.some(password), true)
        try voidCodes(of: account.id, at: now)
        if sendsMail, code.kind == .resetPassword { try notify(account, .passwordChanged, at: now) }
        return try apply(change, to: proved.account, .passwordChanged, origin, at: now)
    }

    /// Throws if the account has another address by now.
    private func requireAddress(_ code: StoredCode, of account: Account) throws(Refusal) {
        guard account.email.flatMap({ EmailAddress($0) })?.key.hasSameBytes(as: code.email.key) == true else { throw .wrongMailCode }
    }

    /// Gives the account the new address. The former one, if it was proved, is told, with a code that undoes it.
    func changeEmail(
        of account: Account, by code: StoredCode, _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws -> Redemption {
        var change = AccountChange(isEmailVerified: true)
        (change.email, change.endsSessions, change.keptSession) = (.some(code.email), true, code.session)
        try voidCodes(of: account.id, at: now)
        if let former = account.email.flatMap({ EmailAddress($0) }), account.isEmailVerified, !former.key.hasSameBytes(as: code.email.key), sendsMail
        {
            var request = CodeRequest(.undoEmail, former)
            // The session that asked: what was added since it began is removed by the way back.
            (request.locale, request.session) = (code.locale, code.session)
            let undo = MailCode.make(at: now)
            try insert(undo, request, app: account.app, account: account.id, at: now)
            try found(undo, account: account.id, isVoid: false, at: now)
            let expires = now + CodeKind.undoEmail.life
            let mail = MailDraft(.emailChanged, to: former.text, about: code.email.text, code: undo, locale: code.locale, expires: expires)
            try insert(mail, account: account.id, app: account.app, at: now)
        }
        return try apply(change, to: account, .emailChanged, origin, at: now)
    }

    /// Gives the account its former address back, signs everybody out and sends a mail for a new password.
    ///
    /// The person who changed the address may know the password, and may have added identities and second factors in that session. These
    /// are removed, too. Older second factors stay: the former mailbox alone must not open the account.
    private func undoEmail(
        of account: Account, by code: StoredCode, _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws -> Redemption {
        var change = AccountChange(isEmailVerified: true)
        (change.email, change.endsSessions) = (.some(code.email), true)
        try voidCodes(of: account.id, at: now)
        change.password = .some(nil)
        if let session = code.session { try removeCredentials(of: account.id, since: session.created) }
        let bare = try self.account(row: account.id) ?? account
        let done = try apply(change, to: bare, .emailChanged, origin, at: now)
        if sendsMail {
            var request = CodeRequest(.resetPassword, code.email)
            request.locale = code.locale
            try insert(MailCode.make(at: now), request, app: account.app, account: account.id, at: now)
        }
        return done
    }

    func apply(
        _ change: AccountChange, to account: Account, _ event: AccountEvent.Kind, _ origin: AccountOrigin, at now: Timestamp
    ) throws -> Redemption {
        let changed = try update(account, change, at: now)
        try add(AccountEvent(event, uid: account.uid, origin), app: account.app, at: now)
        let ended = change.endsSessions ? try sessions(of: account.id).map(\.id).filter { $0 != change.keptSession } : []
        for id in ended { try end(id, at: now, why: event) }
        return Redemption(account: changed, ended: ended, why: event)
    }
}

extension AccountChange {
    init(isEmailVerified: Bool) {
        self.init()
        self.isEmailVerified = isEmailVerified
    }
}
