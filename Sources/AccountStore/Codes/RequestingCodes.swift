// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
package import Platform
import SQLite

extension AccountStore {
    /// Stores the wish for a code: one row, whoever has the address. Whom it concerns is found behind the response (`claimMail`).
    ///
    ///     request       a row in `codes`, the same for users and strangers; response 202
    ///     claimMail     looks the account up; a row in `mails`, or the code becomes void
    ///     redeem        the row is used, once
    package func request(_ request: CodeRequest, _ app: AppID, _ origin: AccountOrigin) async throws -> MailCode {
        _ = try await prepareSecrets()
        let now = clock.now()
        let code = MailCode.make(at: now)
        try await change { file in
            let account = try request.uid.flatMap { try file.account(app, uid: $0) }
            if request.uid != nil, account == nil { throw Refusal.sessionEnded }
            try file.insert(code, request, app: app, account: account?.id, at: now)
            if !request.isMailed, let stored = try file.code(code) { try file.findAccount(of: stored, isMailed: false, at: now) }
        }
        gauges.counted(request.kind, .requested)
        wakeMails()
        return code
    }

    /// Returns the open codes of an app, for test suites of development.
    package func openCodes(_ app: AppID) async throws -> [(code: StoredCode, text: Secret, digits: Secret)] {
        guard let key = secrets.key else { return [] }
        let now = clock.now()
        // Codes whose account is still to be found come first.
        _ = try await change { file in try file.findAccounts(at: now) }
        wakeMails()
        return try await read { file in
            try file.openCodes(app, at: now, limit: 1_000).map { ($0, $0.code.text(key), $0.code.digits(for: $0.email, key)) }
        }
    }
}

extension AccountDB {
    private static let foundAtOnce = 100

    /// Looks up whom new codes concern and queues their mails. Returns whether there are more.
    @discardableResult
    func findAccounts(at now: Timestamp) throws -> Bool {
        let new = try newCodes(atMost: AccountDB.foundAtOnce)
        for code in new { try findAccount(of: code, isMailed: true, at: now) }
        return new.count == AccountDB.foundAtOnce
    }

    /// Looks up whom a code concerns. A code that would do nothing is void, so its digits cannot be guessed either.
    func findAccount(of code: StoredCode, isMailed: Bool, at now: Timestamp) throws {
        let (account, kind) = try concerned(by: code)
        let isVoid = kind == nil || kind == .accountExists
        try found(code.code, account: account?.id, isVoid: isVoid, at: now)
        guard isMailed, let kind else { return }
        try insert(
            MailDraft(kind, to: code.email.text, code: isVoid ? nil : code.code, locale: code.locale, expires: code.expires), account: account?.id,
            app: code.app, at: now)
    }

    /// Returns the account of a code and the mail to send; nil for none.
    private func concerned(by code: StoredCode) throws -> (account: Account?, mail: MailKind?) {
        let named = try code.account.flatMap { try account(row: $0) }
        let owner = try account(code.app, email: code.email.key)
        func mail(_ account: Account?, if isWanted: (Account) -> Bool = { _ in true }) -> (Account?, MailKind?) {
            guard let account, !account.isDisabled, isWanted(account) else { return (account, nil) }
            return (account, MailKind(code.kind))
        }
        switch code.kind {
        case .verifyEmail: return mail(owner) { !$0.isEmailVerified && (named == nil || named?.id == $0.id) }
        case .resetPassword: return mail(owner)
        case .invite, .undoEmail: return mail(named)
        case .signIn:
            guard owner != nil else { return (nil, .signIn) }
            return mail(owner)
        case .signUp:
            guard owner != nil else { return (named, .signUp) }
            return (owner, .accountExists)
        case .changeEmail:
            guard owner == nil || owner?.id == named?.id else { return (owner, .accountExists) }
            return mail(named)
        }
    }
}
