import Crypto
package import Messaging
package import Platform
import SQLite

extension Messages {
    /// Gives a webhook a new secret; the old one signs beside it for a grace.
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
            try context.file.statement(
                """
                INSERT INTO app_secrets (app, scheme, secret) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET
                    old_secret = CASE WHEN scheme = excluded.scheme THEN secret END, old_until = ?, scheme = excluded.scheme, secret = excluded.secret
                """
            ).run(
                .integer(app.rawValue), .integer(scheme.rawValue), .blob(key.bytes),
                .integer((context.now + context.limits.graceOfSecret).milliseconds))
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

    /// What signed before, be it the app's own, goes on signing for a grace, unless it signs in another way. The same secret again changes
    /// nothing.
    func replaceSecret(of registration: Int64, with key: SigningKey) throws {
        guard let before = try secret(of: registration), before != key else { return }
        try file.statement("UPDATE registrations SET old_secret = ?, old_until = ?, scheme = ?, secret = ? WHERE id = ?").run(
            before.scheme == key.scheme ? .blob(before.bytes) : .null, .integer((now + limits.graceOfSecret).milliseconds),
            .integer(key.scheme.rawValue), .blob(key.bytes), .integer(registration))
    }

    private func secret(of registration: Int64) throws -> SigningKey? {
        try file.statement(
            """
            SELECT CASE WHEN r.secret IS NULL THEN a.scheme ELSE r.scheme END, coalesce(r.secret, a.secret)
            FROM registrations r LEFT JOIN app_secrets a ON a.app = r.app WHERE r.id = ?
            """
        ).first(.integer(registration)) { SigningKey(SigningKey.Scheme(rawValue: $0.int(0)) ?? .symmetric, $0.bytes(1)) }
    }
}
