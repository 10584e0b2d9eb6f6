// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Messaging
package import Platform
import SQLite

extension MessageStore {
    /// Rotates a webhook's secret. Replaced ones still sign until their grace periods end.
    package func rotateSecret(app: AppID, token: String) async throws -> SigningKey {
        try await change { context in
            let registration = try context.registration(app: app, token: token)
            guard case .webhook = registration.endpoint else {
                throw Refusal(.conflict, "A stream has no secret.", hint: "Only messages to webhooks are signed.")
            }
            let scheme = try context.file.statement("SELECT scheme FROM registrations WHERE id = ?").first(.integer(registration.id)) { $0.int(0) }
            let key = SigningKey.random(SigningKey.Scheme(rawValue: scheme ?? 1) ?? .symmetric)
            try context.replaceSecret(of: registration.id, with: key)
            return key
        }
    }

    /// Rotates an app's secret, which signs for all its webhooks without a secret of their own. The replaced one still signs for a grace
    /// period.
    package func rotateAppSecret(_ app: AppID, _ scheme: SigningKey.Scheme) async throws -> SigningKey {
        try await change { context in
            let key = SigningKey.random(scheme)
            let replaced = try context.secrets(of: app).map { context.replaced($0, by: key) }
            try context.file.statement("INSERT OR REPLACE INTO app_secrets (app, scheme, secret, replaced_secrets) VALUES (?, ?, ?, ?)")
                .run(.integer(app.rawValue), .integer(scheme.rawValue), .blob(key.bytes), .text(replaced?.text))
            return key
        }
    }
}

extension SigningKey {
    fileprivate static func random(_ scheme: Scheme) -> SigningKey { SigningKey(scheme, randomBytes(32)) }
}

extension MessageContext {
    /// Returns the secret of a new webhook. Nil if the app's secret is used.
    func newKey(for draft: RegistrationDraft, _ endpoint: Endpoint, app: AppID) throws -> SigningKey? {
        guard case .webhook = endpoint else { return nil }
        if let brought = draft.secret { return brought }
        if draft.scheme == nil, try hasSecret(app) { return nil }
        return SigningKey.random(draft.scheme ?? .symmetric)
    }

    private func hasSecret(_ app: AppID) throws -> Bool {
        try file.statement("SELECT 1 FROM app_secrets WHERE app = ?").first(.integer(app.rawValue)) { _ in true } ?? false
    }

    /// Replaces a webhook's secret. The previous one, also if it is the app's, still signs for a grace period. The same secret changes
    /// nothing.
    func replaceSecret(of registration: Int64, with key: SigningKey) throws {
        guard let before = try secrets(of: registration), before.key != key else { return }
        try file.statement("UPDATE registrations SET scheme = ?, secret = ?, replaced_secrets = ? WHERE id = ?").run(
            .integer(key.scheme.rawValue), .blob(key.bytes), .text(replaced(before, by: key).text), .integer(registration))
    }

    fileprivate func replaced(_ before: Secrets, by key: SigningKey) -> ReplacedSecrets {
        before.replaced.adding(before.key, until: now + limits.graceOfSecret, besides: key, at: now)
    }

    private func secrets(of registration: Int64) throws -> Secrets? {
        try file.statement(
            """
            SELECT CASE WHEN r.secret IS NULL THEN a.scheme ELSE r.scheme END, coalesce(r.secret, a.secret),
                CASE WHEN r.secret IS NULL THEN a.replaced_secrets ELSE r.replaced_secrets END
            FROM registrations r LEFT JOIN app_secrets a ON a.app = r.app WHERE r.id = ?
            """
        ).first(.integer(registration)) { Secrets($0) }
    }

    fileprivate func secrets(of app: AppID) throws -> Secrets? {
        try file.statement("SELECT scheme, secret, replaced_secrets FROM app_secrets WHERE app = ?").first(.integer(app.rawValue)) { Secrets($0) }
    }
}

/// A current secret and the replaced ones.
private struct Secrets {
    var key: SigningKey
    var replaced: ReplacedSecrets

    init(_ row: Row) {
        key = SigningKey(SigningKey.Scheme(rawValue: row.int(0)) ?? .symmetric, row.bytes(1))
        replaced = ReplacedSecrets(row.optionalText(2))
    }
}
