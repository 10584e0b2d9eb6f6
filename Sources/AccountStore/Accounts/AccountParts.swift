// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
import Platform
import SQLite

/// The confirmed second factors, the recovery codes and the sessions of an account, for an export with secrets.
package struct AccountParts: Sendable {
    package var factors: [ImportedParts.Factor]
    /// The unused codes, as they are stored.
    package var recoveryCodes: [[UInt8]]
    /// The newest first.
    package var sessions: [AccountSession]
}

extension AccountStore {
    /// Returns the parts of some accounts, in their order.
    package func parts(of accounts: [Account]) async throws -> [AccountParts] {
        try await read { file in
            try accounts.map { account in
                AccountParts(
                    factors: try file.exportedFactors(of: account.id), recoveryCodes: try file.storedRecoveryCodes(of: account.id),
                    sessions: try file.sessions(of: account.id).reversed())
            }
        }
    }
}

extension AccountDB {
    fileprivate func exportedFactors(of account: Int64) throws -> [ImportedParts.Factor] {
        try statement(
            "SELECT id, kind, name, secret, last_step, created, confirmed_at FROM factors WHERE account = ? AND confirmed_at IS NOT NULL ORDER BY id"
        ).all(.integer(account)) { row in
            ImportedParts.Factor(
                id: row.text(0), kind: row.text(1), name: row.optionalText(2), secret: row.bytes(3), lastStep: row.optionalInteger(4),
                created: Timestamp(milliseconds: row.integer(5)), confirmed: Timestamp(milliseconds: row.integer(6)))
        }
    }

    fileprivate func storedRecoveryCodes(of account: Int64) throws -> [[UInt8]] {
        try statement("SELECT code FROM recovery_codes WHERE account = ? ORDER BY code").all(.integer(account)) { $0.bytes(0) }
    }

    /// Adds the parts of an imported account. A session that is known, or ended a short time ago, is left out.
    func add(_ parts: ImportedParts, _ secrets: [FactorSecret], _ key: AccountsKey?, to account: Int64) throws {
        if let key { for (factor, secret) in zip(parts.factors, secrets) { try insert(factor, secret, key, of: account) } }
        for code in parts.recoveryCodes {
            try statement("INSERT OR IGNORE INTO recovery_codes (account, code) VALUES (?, ?)").run(.integer(account), .blob(code))
        }
        for session in parts.sessions where try !isKnown(session.id) {
            try insert(
                AccountSession(
                    id: session.id, key: 0, created: session.created, state: session.state, method: session.method, client: session.client,
                    place: session.place, claims: session.claims, secondFactor: session.secondFactor.flatMap(SecondFactor.Kind.init)),
                of: account)
        }
    }

    /// The secret is bound to the ID of its factor, which may be taken here.
    private func insert(_ factor: ImportedParts.Factor, _ secret: FactorSecret, _ key: AccountsKey, of account: Int64) throws {
        let made = SecondFactor(id: SecondFactor.makeID(), kind: secret.kind, name: factor.name, created: factor.created)
        try insert(made, secret: key.wrap(secret.bytes, as: AccountDB.context(made.id)), of: account)
        try confirmFactor(made, at: factor.confirmed)
        try statement("UPDATE factors SET last_step = ? WHERE id = ?").run(factor.lastStep.map { .integer($0) } ?? .null, .text(made.id))
    }

    private func isKnown(_ session: SessionID) throws -> Bool {
        try statement("SELECT 1 FROM sessions WHERE id = ?1 UNION ALL SELECT 1 FROM ended_sessions WHERE id = ?1").first(.blob(session.bytes)) { _ in
            true
        } ?? false
    }
}

/// The decrypted secret of a second factor.
struct FactorSecret {
    var kind: SecondFactor.Kind
    var bytes: [UInt8]
}

extension ImportedParts {
    /// The secrets of the factors; nil if one cannot be decrypted, or is of a kind that only a newer version knows.
    func secrets(_ key: AccountsKey?) -> [FactorSecret]? {
        var secrets: [FactorSecret] = []
        for factor in factors {
            guard let kind = SecondFactor.Kind(rawValue: factor.kind), let bytes = key?.unwrap(factor.secret, as: AccountDB.context(factor.id)) else {
                return nil
            }
            secrets.append(FactorSecret(kind: kind, bytes: bytes))
        }
        return secrets
    }
}
