// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Messaging
package import Platform
import SQLite

extension MessageStore {
    /// Gives a webhook a new secret; the old one signs beside it for a grace, as do those before whose grace is not over.
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

    /// Gives an app a secret that signs for every registration made from now on without one of its own; one it had signs beside it for a grace.
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
    /// What signs for a new webhook; nil where the app's own secret does.
    func newKey(for draft: RegistrationDraft, _ endpoint: Endpoint, app: AppID) throws -> SigningKey? {
        guard case .webhook = endpoint else { return nil }
        if let brought = draft.secret { return brought }
        if draft.scheme == nil, try hasSecret(app) { return nil }
        return SigningKey.random(draft.scheme ?? .symmetric)
    }

    private func hasSecret(_ app: AppID) throws -> Bool {
        try file.statement("SELECT 1 FROM app_secrets WHERE app = ?").first(.integer(app.rawValue)) { _ in true } ?? false
    }

    /// What signed before, be it the app's own, goes on signing for a grace. The same secret again changes nothing.
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

/// What signs for somebody, and what did before.
private struct Secrets {
    var key: SigningKey
    var replaced: ReplacedSecrets

    init(_ row: Row) {
        key = SigningKey(SigningKey.Scheme(rawValue: row.int(0)) ?? .symmetric, row.bytes(1))
        replaced = ReplacedSecrets(row.optionalText(2))
    }
}
