// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
import Platform
import SQLite

extension AccountDB {
    private static let columns = """
        id, app, account, kind, email, locale, continue_url, opens_app, session, password, name, created, expires, used, tries
        """
    /// The wrong digits after which a code is valid by its link only.
    static let mostTries = 5

    func insert(_ code: MailCode, _ request: CodeRequest, app: AppID, account: Int64?, at now: Timestamp) throws {
        try statement(
            """
            INSERT INTO codes (\(AccountDB.columns), email_key, found) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, ?, 0)
            """
        ).run(
            .blob(code.bytes), .integer(app.rawValue), account.map { .integer($0) } ?? .null, .text(request.kind.rawValue), .text(request.email.text),
            .text(request.locale?.text ?? ""), .text(request.continueURL?.text), .flag(request.opensApp),
            request.session.map { .blob($0.bytes) } ?? .null, .text(request.password), .text(request.name), .integer(now.milliseconds),
            .integer((now + request.kind.life).milliseconds), .text(request.email.key))
    }

    func code(_ code: MailCode) throws -> StoredCode? {
        try statement("SELECT \(AccountDB.columns) FROM codes WHERE id = ?").first(.blob(code.bytes)) { StoredCode($0) }.flatMap(\.self)
    }

    /// Returns codes whose account was not looked up yet, oldest first.
    func newCodes(atMost limit: Int) throws -> [StoredCode] {
        try statement("SELECT \(AccountDB.columns) FROM codes WHERE found = 0 ORDER BY id LIMIT ?").all(.integer(limit)) { StoredCode($0) }
            .compactMap(\.self)
    }

    /// Returns the codes of an address whose digits are valid.
    func openCodes(_ app: AppID, email: EmailAddress, at now: Timestamp) throws -> [StoredCode] {
        try statement(
            """
            SELECT \(AccountDB.columns) FROM codes WHERE app = ? AND email_key = ? AND found = 1 AND used IS NULL AND expires > ? AND tries < ?
                AND kind NOT IN ('undo_email', 'invite')
            ORDER BY id
            """
        ).all(.integer(app.rawValue), .text(email.key), .integer(now.milliseconds), .integer(AccountDB.mostTries)) { StoredCode($0) }
            .compactMap(\.self)
    }

    /// Returns the codes of an app that can be redeemed, oldest first.
    func openCodes(_ app: AppID, at now: Timestamp, limit: Int) throws -> [StoredCode] {
        try statement(
            "SELECT \(AccountDB.columns) FROM codes WHERE app = ? AND found = 1 AND used IS NULL AND expires > ? ORDER BY id LIMIT ?"
        ).all(.integer(app.rawValue), .integer(now.milliseconds), .integer(limit)) { StoredCode($0) }.compactMap(\.self)
    }

    /// Stores whom a code concerns. A code that concerns nobody is void.
    func found(_ code: MailCode, account: Int64?, isVoid: Bool, at now: Timestamp) throws {
        try statement("UPDATE codes SET found = 1, account = ?, used = ? WHERE id = ?").run(
            account.map { .integer($0) } ?? .null, isVoid ? .integer(now.milliseconds) : .null, .blob(code.bytes))
    }

    /// Uses a code up. Throws if it was used, has expired or is gone.
    func use(_ code: MailCode, at now: Timestamp) throws {
        try statement("UPDATE codes SET used = ?, password = NULL WHERE id = ? AND found = 1 AND used IS NULL AND expires > ?").run(
            .integer(now.milliseconds), .blob(code.bytes), .integer(now.milliseconds))
        guard changes == 0 else { return }
        let isExpired = try statement("SELECT used IS NULL FROM codes WHERE id = ?").first(.blob(code.bytes)) { $0.int(0) == 1 } ?? false
        throw isExpired ? Refusal.mailCodeExpired : .wrongMailCode
    }

    /// Counts wrong digits for all codes of an address, also void ones: a write must not tell whether an account has the address.
    func countWrongDigits(_ app: AppID, email: EmailAddress, at now: Timestamp) throws {
        try statement("UPDATE codes SET tries = tries + 1 WHERE app = ? AND email_key = ? AND expires > ?").run(
            .integer(app.rawValue), .text(email.key), .integer(now.milliseconds))
    }

    /// Makes all other codes of an account void, because what they were for has changed.
    func voidCodes(of account: Int64, at now: Timestamp) throws {
        try statement("UPDATE codes SET used = ?, password = NULL WHERE account = ? AND used IS NULL AND kind <> ?").run(
            .integer(now.milliseconds), .integer(account), .text(CodeKind.undoEmail.rawValue))
    }

    /// Removes the codes and mails of an account.
    func removeCodes(of account: Account) throws {
        for table in ["codes", "mails"] {
            try statement("DELETE FROM \(table) WHERE app = ? AND account = ?").run(.integer(account.app.rawValue), .integer(account.id))
        }
        guard let email = account.email.flatMap({ EmailAddress($0) }) else { return }
        try statement("DELETE FROM codes WHERE app = ? AND email_key = ?").run(.integer(account.app.rawValue), .text(email.key))
    }

    /// Removes some codes that expired a day ago, and mails that ended a week ago. Returns the number of rows.
    func removeOldCodes(atMost limit: Int, at now: Timestamp) throws -> Int {
        try statement("DELETE FROM codes WHERE id IN (SELECT id FROM codes WHERE expires < ? LIMIT ?)").run(
            .integer((now - .days(1)).milliseconds), .integer(limit))
        let removed = changes
        try statement("DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE ended < ? LIMIT ?)").run(
            .integer((now - .days(7)).milliseconds), .integer(limit))
        return removed + changes
    }

    /// Removes some codes and mails of a deleted app. Returns the number of rows.
    func removeCodes(ofApp app: Int64, atMost limit: Int) throws -> Int {
        var rows = 0
        for table in ["codes", "mails"] {
            try statement("DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE app = ? LIMIT ?)").run(.integer(app), .integer(limit))
            rows += changes
        }
        return rows
    }
}

extension StoredCode {
    /// Nil for a row that this version did not write.
    fileprivate init?(_ row: Row) {
        guard let code = MailCode(bytes: row.bytes(0)), let kind = CodeKind(rawValue: row.text(3)), let email = EmailAddress(row.text(4)) else {
            return nil
        }
        self.init(
            code: code, app: AppID(rawValue: row.integer(1)), account: row.optionalInteger(2), kind: kind, email: email,
            locale: MailLocale(row.text(5)), continueURL: row.optionalText(6), opensApp: row.int(7) == 1,
            session: row.isNull(8) ? nil : SessionID(bytes: row.bytes(8)), password: row.optionalText(9), name: row.optionalText(10),
            created: Timestamp(milliseconds: row.integer(11)), expires: Timestamp(milliseconds: row.integer(12)),
            used: row.optionalInteger(13).map { Timestamp(milliseconds: $0) }, tries: row.int(14))
    }
}
