// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
import Platform
import SQLite

extension AccountDB {
    private static let mailColumns = "id, app, kind, receiver, about, locale, state, tries, created, expires, ended, code"
    /// The time after which a claimed mail that was not handed over is due again.
    private static let lease = Timestamp.Span.minutes(2)

    func insert(_ mail: MailDraft, account: Int64?, app: AppID, at now: Timestamp) throws {
        try statement(
            """
            INSERT INTO mails (app, account, code, kind, receiver, about, locale, state, tries, next_try, created, expires, error)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'due', 0, ?, ?, ?, '')
            """
        ).run(
            .integer(app.rawValue), account.map { .integer($0) } ?? .null, mail.code.map { .blob($0.bytes) } ?? .null, .text(mail.kind.rawValue),
            .text(mail.receiver), .text(mail.about), .text(mail.locale?.text ?? ""), .integer(now.milliseconds), .integer(now.milliseconds),
            .integer(mail.expires.milliseconds))
    }

    /// Queues a notice for the user of an account whose address is proved; at most one of its kind in ten minutes.
    func notify(_ account: Account, _ kind: MailKind, about: String = "", at now: Timestamp) throws {
        guard let email = account.email, account.isEmailVerified else { return }
        let isKnown = try statement("SELECT 1 FROM mails WHERE app = ? AND account = ? AND kind = ? AND created > ?").first(
            .integer(account.app.rawValue), .integer(account.id), .text(kind.rawValue), .integer((now - .minutes(10)).milliseconds)
        ) { _ in true }
        if isKnown == true { return }
        try insert(MailDraft(kind, to: email, about: about, expires: now + .days(1)), account: account.id, app: account.app, at: now)
    }

    /// Returns the mail that has been due for longest, and counts the attempt.
    func claimMail(at now: Timestamp) throws -> StoredMail? {
        while var mail = try dueMail(at: now) {
            mail.code = try mail.codeID.flatMap { try code($0) }
            let isPointless = mail.expires <= now || mail.codeID != nil && (mail.code == nil || mail.code?.used != nil)
            if isPointless {
                try end(mail.id, .expired, "", at: now)
                continue
            }
            mail.tries += 1
            try statement("UPDATE mails SET tries = ?, next_try = ? WHERE id = ?").run(
                .integer(mail.tries), .integer((now + AccountDB.lease).milliseconds), .integer(mail.id))
            return mail
        }
        return nil
    }

    private func dueMail(at now: Timestamp) throws -> StoredMail? {
        let sql = "SELECT \(AccountDB.mailColumns) FROM mails WHERE state = 'due' AND next_try <= ? ORDER BY next_try LIMIT 1"
        return try statement(sql).first(.integer(now.milliseconds)) { StoredMail($0) }.flatMap(\.self)
    }

    /// The time of the next attempt, and the creation of the oldest mail that waits.
    func nextMail() throws -> (due: Timestamp, oldest: Timestamp)? {
        try statement("SELECT min(next_try), min(created) FROM mails WHERE state = 'due'").first { row -> (due: Timestamp, oldest: Timestamp)? in
            row.isNull(0) ? nil : (Timestamp(milliseconds: row.integer(0)), Timestamp(milliseconds: row.integer(1)))
        }.flatMap(\.self)
    }

    /// Notes that the server may have a mail. Returns false if nobody needs it any more.
    func handOver(_ mail: Int64) throws -> Bool {
        try statement(
            """
            UPDATE mails SET state = 'handed' WHERE id = ? AND state = 'due'
                AND (code IS NULL OR EXISTS (SELECT 1 FROM codes WHERE codes.id = mails.code AND used IS NULL))
            """
        ).run(.integer(mail))
        return changes > 0
    }

    func end(_ mail: Int64, _ state: StoredMail.State, _ reason: String, at now: Timestamp) throws {
        try statement("UPDATE mails SET state = ?, ended = ?, error = ? WHERE id = ?").run(
            .text(state.rawValue), .integer(now.milliseconds), .text(reason), .integer(mail))
    }

    func retry(_ mail: Int64, at time: Timestamp, _ reason: String) throws {
        try statement("UPDATE mails SET state = 'due', next_try = ?, error = ? WHERE id = ?").run(
            .integer(time.milliseconds), .text(reason), .integer(mail))
    }

    /// Ends mails that a daemon handed over and could not settle, because it was killed.
    func endHandedOver(at now: Timestamp) throws {
        try statement("UPDATE mails SET state = 'unknown', ended = ?, error = 'the daemon ended' WHERE state = 'handed'").run(
            .integer(now.milliseconds))
    }

    /// Makes the codes and mails of a restored file void: what they were for may have happened since.
    func forgetCodes(at now: Timestamp) throws {
        try execute("DELETE FROM codes")
        try statement("UPDATE mails SET state = 'expired', ended = ?, error = 'restored' WHERE state IN ('due', 'handed')").run(
            .integer(now.milliseconds))
    }

    /// Returns the mails to an account, newest first.
    func mails(of account: Account, limit: Int) throws -> [StoredMail] {
        try statement("SELECT \(AccountDB.mailColumns) FROM mails WHERE app = ? AND account = ? ORDER BY id DESC LIMIT ?").all(
            .integer(account.app.rawValue), .integer(account.id), .integer(limit)
        ) { StoredMail($0) }.compactMap(\.self)
    }
}

extension StoredMail {
    /// Nil for a row that this version did not write.
    fileprivate init?(_ row: Row) {
        guard let kind = MailKind(rawValue: row.text(2)), let state = State(rawValue: row.text(6)) else { return nil }
        self.init(
            id: row.integer(0), app: AppID(rawValue: row.integer(1)), kind: kind, receiver: row.text(3), about: row.text(4),
            locale: MailLocale(row.text(5)), state: state, tries: row.int(7), created: Timestamp(milliseconds: row.integer(8)),
            expires: Timestamp(milliseconds: row.integer(9)), ended: row.optionalInteger(10).map { Timestamp(milliseconds: $0) },
            codeID: row.isNull(11) ? nil : MailCode(bytes: row.bytes(11)))
    }
}
