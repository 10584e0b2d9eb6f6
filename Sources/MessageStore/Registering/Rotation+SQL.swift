// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
import Messaging
import Platform
import SQLite

/// Replaces the tokens of registrations.
///
/// A device keeps its row when its token changes, so subscriptions and pending deliveries stay and nothing is delivered twice. If the new
/// token is registered already, its row takes over what the old one had:
///
///     row 7  token old, topics [news]   replaces: old, token: new   →   row 7  token new, topics [news]
///
///     row 7  token old, topics [news]   replaces: old, token: new   →   removed
///     row 9  token new, topics [beta]                                   row 9  token new, topics [beta, news]
extension MessageContext {
    /// Returns the registration that a request may renew; nil if it is a new one.
    ///
    /// A caller proves with a token that it is the device. An installation's ID proves nothing, because it is no secret: only a trusted
    /// caller and the device's owner, with an ID token, renew by it.
    func renewable(_ draft: RegistrationDraft, app: AppID, isTrusted: Bool) throws -> Registration? {
        for token in [draft.replaces, draft.token].compactMap(\.self) {
            if let known = try file.registration(app: app, token: token.text, cuts) { return known }
        }
        guard let installation = draft.installation, let endpoint = draft.endpoint,
            let known = try file.registration(app: app, installation: installation, endpoint, cuts)
        else { return nil }
        return isTrusted || known.isOwned(by: draft) ? known : nil
    }

    /// Gives a registration the token of the request, or a generated one if the request replaces the token and names no other. Returns the
    /// registration that has the token, and the one whose token is no longer valid.
    ///
    /// An owner who did not send the token gets a new one, so that no response tells a token to a caller that did not have it.
    func rotate(
        _ known: Registration, _ draft: RegistrationDraft, app: AppID, isTrusted: Bool
    ) throws -> (registration: Registration, retired: Int64?) {
        let isReplaced = draft.replaces?.text == known.token || !isTrusted && draft.token?.text != known.token
        guard let token = draft.token?.text ?? (isReplaced ? randomToken(prefix: "sbd_", bits: 192) : nil), token != known.token else {
            return (known, nil)
        }
        if let other = try file.registration(app: app, token: token, cuts) {
            try merge(known, into: other, app: app)
            return (other, known.id)
        }
        // An expired registration still has the token.
        try removeExpired(app: app, token: token)
        let kind = draft.kind ?? (draft.token == nil ? .own : known.kind == .own ? .token : known.kind)
        try file.statement("UPDATE registrations SET token = ?, kind = ? WHERE id = ?")
            .run(.text(token), .integer(kind.rawValue), .integer(known.id))
        return (try registration(app: app, token: token), known.id)
    }

    // MARK: Two registrations of a device

    /// Moves subscriptions and open deliveries from one registration to another, and removes the first.
    private func merge(_ old: Registration, into new: Registration, app: AppID) throws {
        try requireNoFanout(between: old.id, new.id, app: app)
        try file.statement("UPDATE OR IGNORE subscriptions SET registration = ? WHERE registration = ?").run(integers: [new.id, old.id])
        guard try topicCount(ofRegistration: new.id) <= limits.topicsOfRegistration else { throw Refusal.tooManyTopics(limits) }
        let missing = try file.statement(
            """
            SELECT d.message, m.expires FROM deliveries d JOIN messages m ON m.id = d.message
            WHERE d.registration = ?1 AND d.\(DeliveryState.openCondition)
                AND NOT EXISTS (SELECT 1 FROM deliveries n WHERE n.message = d.message AND n.registration = ?2)
                AND (m.addressee IS NULL OR EXISTS (SELECT 1 FROM registrations r WHERE r.id = ?2 AND r.user = m.addressee AND r.proved = 1))
            ORDER BY d.id
            """
        ).all(.integer(old.id), .integer(new.id)) { (message: $0.integer(0), expires: Timestamp(milliseconds: $0.integer(1))) }
        for (message, expires) in missing { try deliver(message, expires: expires, to: new) }
        // Also removes subscriptions and deliveries that both had.
        try remove(registration: old.id)
    }

    /// Adds a delivery under a number of its own, so that no cursor that the device has acknowledges it.
    private func deliver(_ message: Int64, expires: Timestamp, to registration: Registration) throws {
        let (origin, time) = (try origin(of: registration.id), now.milliseconds)
        let isDue = origin != nil && registration.state != .pending
        try file.statement(
            """
            INSERT INTO deliveries (message, registration, origin, state, due, changed) VALUES (?, ?, ?, \(sql: DeliveryState.pending), ?, ?)
            """
        ).run(.integer(message), .integer(registration.id), .integer(origin), isDue ? .integer(time) : .null, .integer(time))
        count(1, of: message, to: .pending)
        guard let origin else {
            return try enterStream(
                StreamDelivery(registration: registration.id, delivery: file.lastInsertedRow, message: message, expires: expires))
        }
        if isDue { self.isDue(origin, at: time) }
    }

    /// Rejects a merge while a message's deliveries exist for one of two registrations only. The message would be sent twice or not at all.
    private func requireNoFanout(between a: Int64, _ b: Int64, app: AppID) throws {
        let isBetween =
            try file.statement(
                "SELECT 1 FROM messages WHERE stage = \(sql: MessageStage.spreading) AND app = ? AND place >= ? AND place < ? LIMIT 1"
            ).first(.integer(app.rawValue), .integer(min(a, b)), .integer(max(a, b))) { _ in true } ?? false
        guard isBetween else { return }
        throw Refusal(
            .overloaded, "A message to both registrations is being sent.", hint: "Send the same request again.", retryAfterSeconds: 1)
    }
}
