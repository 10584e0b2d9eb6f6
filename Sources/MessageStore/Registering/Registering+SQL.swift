// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
import Messaging
import Platform
import SQLite

/// Inserts, renews and removes registrations.
extension MessageContext {
    /// Throws if the app has as many devices as the operator allows. Renewals are not affected.
    func requireCapacity(app: AppID, most: Int) throws {
        guard most > 0 else { return }
        let isFull =
            try file.statement("SELECT 1 FROM registrations WHERE app = ? LIMIT 1 OFFSET ?")
            .first(.integer(app.rawValue), .integer(most - 1)) { _ in true } ?? false
        guard isFull else { return }
        throw Refusal(
            .limitReached, "The app's limit of \(most) devices is reached.", hint: "Remove devices, or ask the operator to raise it.",
            fields: [.init("max_devices", "limit_reached", "is reached")], retryAfterSeconds: 3_600)
    }

    func insert(_ draft: RegistrationDraft, app: AppID, isTrusted: Bool) throws -> Registered {
        guard let endpoint = draft.endpoint, let platform = draft.platform else {
            throw Refusal.field(draft.endpoint == nil ? "endpoint" : "platform", "missing", "is missing")
        }
        let token = draft.token?.text ?? randomToken(prefix: "sbd_", bits: 192)
        let key = try newKey(for: draft, endpoint, app: app)
        let mustProve = endpoint != .stream && !isTrusted
        let owner = DeviceOwner(draft, before: nil)
        // An expired registration still has the token.
        try removeExpired(app: app, token: token)
        try file.statement(
            """
            INSERT INTO registrations (app, token, kind, installation, user, platform, app_version, origin, url, state, created, seen,
                scheme, secret, challenge_due, proved, session)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(app.rawValue), .text(token), .integer((draft.kind ?? (draft.token == nil ? .own : .token)).rawValue),
            .text(draft.installation), .text(owner.user),
            .integer(platform.rawValue), .text(draft.appVersion), .integer(try origin(of: endpoint)), .text(endpoint.url),
            .integer((mustProve ? RegistrationState.pending : .active).rawValue), .integer(now.milliseconds), .integer(now.milliseconds),
            .integer(key?.scheme.rawValue ?? 0), key.map { .blob($0.bytes) } ?? .null, mustProve ? .integer(now.milliseconds) : .null,
            .integer(owner.isProved ? 1 : 0), owner.session.map { .blob($0) } ?? .null)
        if mustProve { try requireCapacity(forChallenge: file.lastInsertedRow) }
        countRegistrations(1)
        return Registered(registration: try registration(app: app, token: token), isNew: true, secret: key)
    }

    func renew(_ known: Registration, _ draft: RegistrationDraft, isTrusted: Bool) throws -> Registered {
        let endpoint = draft.endpoint ?? known.endpoint
        let hasMoved = endpoint != known.endpoint
        let owner = DeviceOwner(draft, before: known)
        try file.statement(
            """
            UPDATE registrations SET kind = ?, installation = ?, user = ?, proved = ?, session = ?, platform = ?, app_version = ?,
                seen = max(seen, ?) WHERE id = ?
            """
        ).run(
            .integer((draft.kind ?? known.kind).rawValue), .text(draft.installation ?? known.installation), .text(owner.user),
            .integer(owner.isProved ? 1 : 0), owner.session.map { .blob($0) } ?? .null, .integer((draft.platform ?? known.platform).rawValue),
            .text(draft.appVersion ?? known.appVersion), .integer(now.milliseconds),
            .integer(known.id))
        let hasNewOwner = try owner.replaces(known) && withdrawAddressed(from: known.id)
        if hasMoved { try move(known.id, to: endpoint) }
        // Trust covers only an endpoint named in this request. The stored one may be from an untrusted client.
        let isTrustedEndpoint = isTrusted && draft.endpoint != nil
        let mustProve = endpoint != .stream && !isTrustedEndpoint && (hasMoved || known.state == .refused)
        if mustProve {
            try challenge(known.id)
        } else if hasMoved || isTrustedEndpoint || known.state != .pending {
            // A running challenge continues. Renewing must not restart its attempts.
            try activate(known.id)
        }
        let secret = try keyAfterMove(known, draft, endpoint)
        var renewed = Registered(registration: try registration(app: try app(of: known.id), token: known.token), isNew: false, secret: secret)
        renewed.hasNewOwner = hasNewOwner
        return renewed
    }

    private func move(_ id: Int64, to endpoint: Endpoint) throws {
        let (before, origin) = (try self.origin(of: id), try origin(of: endpoint))
        try file.statement("UPDATE registrations SET origin = ?, url = ?, failing_since = NULL WHERE id = ?")
            .run(.integer(origin), .text(endpoint.url), .integer(id))
        try moveDeliveries(of: id, to: origin)
        if let before { try forgetOrigin(before) }
    }

    /// Activates a registration. Waiting deliveries are due now.
    func activate(_ id: Int64) throws {
        try file.statement(
            """
            UPDATE registrations SET failing_since = CASE WHEN state = \(sql: RegistrationState.active) THEN failing_since END, state = \(sql: RegistrationState.active), challenge_tries = 0
            WHERE id = ?
            """
        ).run(integers: [id])
        // Deliveries to streams have no due time.
        guard let origin = try origin(of: id) else { return }
        try file.statement("UPDATE deliveries SET due = ? WHERE registration = ? AND \(DeliveryState.openCondition) AND due IS NULL")
            .run(integers: [now.milliseconds, id])
        if file.changes > 0 { isDue(origin, at: now.milliseconds) }
    }

    /// Replaces the secret by the client's. A stream that becomes a webhook gets its first one.
    private func keyAfterMove(_ known: Registration, _ draft: RegistrationDraft, _ endpoint: Endpoint) throws -> SigningKey? {
        guard case .webhook = endpoint else { return nil }
        if known.endpoint != .stream {
            if let brought = draft.secret { try replaceSecret(of: known.id, with: brought) }
            return nil
        }
        let key = try newKey(for: draft, endpoint, app: try app(of: known.id))
        try file.statement("UPDATE registrations SET scheme = ?, secret = ?, replaced_secrets = NULL WHERE id = ?")
            .run(.integer(key?.scheme.rawValue ?? 0), key.map { .blob($0.bytes) } ?? .null, .integer(known.id))
        return key
    }

    /// Removes a registration with its subscriptions, and closes its deliveries.
    func remove(registration id: Int64) throws {
        try leaveAllTopics(registration: id)
        try close(.removed, ofRegistration: id)
        let origin = try origin(of: id)
        try file.statement("DELETE FROM registrations WHERE id = ?").run(.integer(id))
        countRegistrations(-file.changes)
        if let origin { try forgetOrigin(origin) }
    }

    func removeExpired(app: AppID, token: String) throws {
        let id = try file.statement("SELECT id FROM registrations WHERE app = ? AND token = ?")
            .first(.integer(app.rawValue), .text(token)) { $0.integer(0) }
        if let id { try remove(registration: id) }
    }

    func app(of registration: Int64) throws -> AppID {
        let app = try file.statement("SELECT app FROM registrations WHERE id = ?").first(.integer(registration)) { $0.integer(0) }
        return AppID(rawValue: app ?? 0)
    }

    func origin(of registration: Int64) throws -> Int64? {
        try file.statement("SELECT origin FROM registrations WHERE id = ?").first(.integer(registration)) { $0.optionalInteger(0) } ?? nil
    }

    /// Removes an origin that no registration names. Deliveries go to the origin of their registration.
    private func forgetOrigin(_ origin: Int64) throws {
        try file.statement("DELETE FROM origins WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM registrations WHERE origin = ?1)").run(integers: [origin])
    }

    /// Returns the row of a webhook's origin, inserted if it is new.
    private func origin(of endpoint: Endpoint) throws -> Int64? {
        guard case .webhook(let url) = endpoint else { return nil }
        let text = url.origin.description
        if let known = try file.statement("SELECT id FROM origins WHERE text = ?").first(.text(text), row: { $0.integer(0) }) { return known }
        try file.statement("INSERT INTO origins (text) VALUES (?)").run(.text(text))
        return file.lastInsertedRow
    }
}
