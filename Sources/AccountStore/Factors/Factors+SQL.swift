// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
import Platform
import SQLite

extension AccountDB {
    private static let columns = "id, kind, name, created, confirmed_at"

    /// Returns the factors of an account, in the order of their creation.
    func factors(of account: Int64) throws -> [SecondFactor] {
        try statement("SELECT \(AccountDB.columns) FROM factors WHERE account = ? ORDER BY created, id").all(.integer(account)) { row in
            SecondFactor.Kind(rawValue: row.text(1)).map { kind in
                SecondFactor(
                    id: row.text(0), kind: kind, name: row.optionalText(2), created: Timestamp(milliseconds: row.integer(3)),
                    confirmed: row.optionalInteger(4).map { Timestamp(milliseconds: $0) })
            }
        }.compactMap(\.self)
    }

    func insert(_ factor: SecondFactor, secret: [UInt8], of account: Int64) throws {
        try statement("INSERT INTO factors (id, account, kind, name, secret, created) VALUES (?, ?, ?, ?, ?, ?)").run(
            .text(factor.id), .integer(account), .text(factor.kind.rawValue), .text(factor.name), .blob(secret),
            .integer(factor.created.milliseconds))
    }

    func removeFactor(_ id: String, of account: Int64) throws {
        try statement("DELETE FROM factors WHERE account = ? AND id = ?").run(.integer(account), .text(id))
        guard try factors(of: account).allSatisfy({ $0.confirmed == nil }) else { return }
        try statement("DELETE FROM recovery_codes WHERE account = ?").run(.integer(account))
    }

    func confirmFactor(_ factor: SecondFactor, at now: Timestamp) throws {
        try statement("UPDATE factors SET confirmed_at = ?, name = ? WHERE id = ?").run(
            .integer(now.milliseconds), .text(factor.name), .text(factor.id))
    }

    /// Compares a code with a factor's and notes its half minute, so that it counts once. Returns whether it is right.
    func accept(_ code: String, of factor: String, _ key: AccountsKey, at now: Timestamp) throws -> Bool {
        let row = try statement("SELECT secret, last_step FROM factors WHERE id = ?").first(.text(factor)) { ($0.bytes(0), $0.optionalInteger(1)) }
        guard let (wrapped, last) = row, let secret = key.unwrap(wrapped, as: AccountDB.context(factor)),
            let step = TOTP.accept(code, secret: secret, lastStep: last, now: now)
        else { return false }
        try statement("UPDATE factors SET last_step = ? WHERE id = ?").run(.integer(step), .text(factor))
        return true
    }

    /// The text that binds a wrapped secret to its factor.
    static func context(_ factor: String) -> String { "second factor \(factor)" }

    // MARK: Recovery codes

    /// Uses a recovery code up. Returns false for a wrong one.
    func useRecoveryCode(_ code: String, of account: Account, _ key: AccountsKey) throws -> Bool {
        try statement("DELETE FROM recovery_codes WHERE account = ? AND code = ?").run(
            .integer(account.id), .blob(RecoveryCodes.stored(code, account: account.recoveryName, key)))
        return changes == 1
    }

    /// Replaces all recovery codes of an account.
    func replaceRecoveryCodes(of account: Account, _ codes: [String], _ key: AccountsKey) throws {
        try statement("DELETE FROM recovery_codes WHERE account = ?").run(.integer(account.id))
        for code in codes {
            try statement("INSERT INTO recovery_codes (account, code) VALUES (?, ?)").run(
                .integer(account.id), .blob(RecoveryCodes.stored(code, account: account.recoveryName, key)))
        }
    }

    func recoveryCodes(of account: Int64) throws -> Int {
        try statement("SELECT count(*) FROM recovery_codes WHERE account = ?").first(.integer(account)) { $0.int(0) } ?? 0
    }
}

extension Account {
    /// The account in the codes that are stored of it, so that equal codes of two accounts differ. It is the same after a move to another app.
    fileprivate var recoveryName: String { uid }
}
