// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Messaging
package import Platform
import SQLite

/// The result of a registration.
package struct Registered: Sendable {
    package var registration: Registration
    package var isNew: Bool
    /// The signing secret, returned once. Nil if it is known already or the app's secret is used.
    package var secret: SigningKey?
    /// The registration whose old token is no longer valid: this one, or one that became part of it.
    var retired: Int64?
    /// Whether deliveries to its former owner were withdrawn.
    var hasNewOwner = false
}

extension MessageStore {
    /// Inserts a registration, or renews the one that the caller may renew (`MessageContext.renewable`).
    ///
    /// The endpoint of an untrusted client has to confirm before it gets messages, see `claimChallenges`.
    ///
    /// - Parameter isCurrent: Throws if the session of the request has ended. It is asked on the writer's thread, so that no device is given to
    ///   a session that was released before.
    package func register(
        app: AppID, _ draft: RegistrationDraft, isTrusted: Bool, if isCurrent: @escaping @Sendable () throws -> Void = {}
    ) async throws -> Registered {
        let registered = try await change { context in
            try isCurrent()
            try self.blockade.check(draft, app: app)
            guard let known = try context.renewable(draft, app: app, isTrusted: isTrusted) else {
                try context.requireCapacity(app: app, most: self.blockade.mostDevices(of: app))
                return try context.insert(draft, app: app, isTrusted: isTrusted)
            }
            let rotated = try context.rotate(known, draft, app: app, isTrusted: isTrusted)
            var renewed = try context.renew(rotated.registration, draft, isTrusted: isTrusted)
            renewed.retired = rotated.retired
            return renewed
        }
        notify(of: registered)
        if let retired = registered.retired { streams.end(retired) }
        return registered
    }

    /// Changes the given fields. It counts as a contact, so the registration does not become stale.
    package func update(
        app: AppID, token: String, _ draft: RegistrationDraft, isTrusted: Bool, if isCurrent: @escaping @Sendable () throws -> Void = {}
    ) async throws -> Registered {
        let changed = try await change { context in
            try isCurrent()
            try self.blockade.check(draft, app: app)
            return try context.renew(try context.registration(app: app, token: token), draft, isTrusted: isTrusted)
        }
        notify(of: changed)
        return changed
    }

    private func notify(of changed: Registered) {
        let id = changed.registration.id
        if changed.registration.endpoint != .stream { streams.end(id) } else if changed.hasNewOwner { streams.reread(id) }
    }

    package func registration(app: AppID, token: String) async throws -> Registration {
        let cuts = Cuts(limits, now: clock.now())
        return try await read { try $0.registration(app: app, token: token, cuts) ?? { throw Refusal.unregistered }() }
    }

    /// Returns registrations after one in order of creation, optionally those of a user or installation.
    package func registrations(
        app: AppID, user: String? = nil, installation: String? = nil, after id: Int64, limit: Int
    ) async throws -> [Registration] {
        let cuts = Cuts(limits, now: clock.now())
        return try await read {
            try $0.registrations(app: app, [("user", user), ("installation", installation)], after: id, limit: limit, cuts)
        }
    }

    package func registrationCount(app: AppID) async throws -> Int {
        try await read { try $0.statement("SELECT count(*) FROM registrations WHERE app = ?").first(.integer(app.rawValue)) { $0.int(0) } ?? 0 }
    }

    /// Removes a registration. Its pending deliveries are not sent.
    package func remove(app: AppID, token: String) async throws {
        let id = try await change { context in
            let id = try context.registration(app: app, token: token).id
            try context.remove(registration: id)
            return id
        }
        streams.end(id)
    }
}

/// The times of the last contact before which a registration is stale, or expired and treated as removed.
struct Cuts: Sendable {
    var stale: Int64
    var expired: Int64

    init(_ limits: MessageBounds, now: Timestamp) {
        stale = (now - limits.staleAfter).milliseconds
        expired = (now - limits.expiredAfter).milliseconds
    }
}

extension Refusal {
    static var unregistered: Refusal {
        Refusal(.unregistered, "There is no such registration.", hint: "Discard this token and register the device again.")
    }
}

extension MessageDB {
    private static let columns = """
        r.id, r.token, r.kind, r.installation, r.user, r.platform, r.url, r.app_version, r.state, r.created, r.seen, r.failing_since,
        r.proved, r.session
        """

    func registration(app: AppID, token: String, _ cuts: Cuts) throws -> Registration? {
        try statement("SELECT \(MessageDB.columns) FROM registrations r WHERE app = ? AND token = ? AND seen >= ?")
            .first(.integer(app.rawValue), .text(token), .integer(cuts.expired)) { try Registration($0, cuts) }
    }

    func registration(app: AppID, installation: String, _ endpoint: Endpoint, _ cuts: Cuts) throws -> Registration? {
        try statement(
            "SELECT \(MessageDB.columns) FROM registrations r WHERE app = ? AND installation = ? AND url IS ? AND seen >= ? ORDER BY id LIMIT 1"
        ).first(.integer(app.rawValue), .text(installation), .text(endpoint.url), .integer(cuts.expired)) { try Registration($0, cuts) }
    }

    /// Returns registrations after one, ordered by number, that have the given texts in some columns.
    fileprivate func registrations(
        app: AppID, _ wanted: [(column: String, text: String?)], after id: Int64, limit: Int, _ cuts: Cuts
    ) throws -> [Registration] {
        let given = wanted.filter { $0.text != nil }
        let conditions = given.map { " AND \($0.column) = ?" }.joined()
        let found = try statement(
            "SELECT \(MessageDB.columns) FROM registrations r WHERE app = ? AND id > ? AND seen >= ?\(conditions) ORDER BY id LIMIT ?")
        var list: [Registration] = []
        let values: [Value] = [.integer(app.rawValue), .integer(id), .integer(cuts.expired)] + given.map { .text($0.text) } + [.integer(limit)]
        try found.each(values) { list.append(try Registration($0, cuts)) }
        return list
    }

    /// Returns registrations after one under a condition whose text varies, so the statement is not cached.
    func registrations(_ whose: String, _ values: [Value], app: AppID, after id: Int64, limit: Int, _ cuts: Cuts) throws -> [Registration] {
        let found = try uncached(
            "SELECT \(MessageDB.columns) FROM registrations r WHERE \(whose) AND app = ? AND id > ? AND seen >= ? ORDER BY id LIMIT ?")
        var list: [Registration] = []
        let rest: [Value] = [.integer(app.rawValue), .integer(id), .integer(cuts.expired), .integer(limit)]
        try found.each(values + rest) { list.append(try Registration($0, cuts)) }
        return list
    }

    func subscribers(ofTopic topic: Int64, after id: Int64, limit: Int, _ cuts: Cuts) throws -> [Registration] {
        try statement(
            """
            SELECT \(MessageDB.columns) FROM subscriptions s JOIN registrations r ON r.id = s.registration
            WHERE s.topic = ? AND s.registration > ? AND r.seen >= ? ORDER BY s.registration LIMIT ?
            """
        ).all(.integer(topic), .integer(id), .integer(cuts.expired), .integer(limit)) { try Registration($0, cuts) }
    }
}

extension Registration {
    fileprivate init(_ row: Row, _ cuts: Cuts) throws {
        let url = try row.optionalText(6).map { try WebhookURL($0) }
        self.init(
            id: row.integer(0), token: row.text(1), kind: TokenKind(rawValue: row.int(2)) ?? .own, installation: row.optionalText(3),
            user: row.optionalText(4), platform: DevicePlatform(rawValue: row.int(5)) ?? .server, endpoint: url.map { .webhook($0) } ?? .stream,
            appVersion: row.optionalText(7), state: RegistrationState(rawValue: row.int(8)) ?? .disabled,
            created: Timestamp(milliseconds: row.integer(9)), seen: Timestamp(milliseconds: row.integer(10)),
            failingSince: row.optionalInteger(11).map { Timestamp(milliseconds: $0) }, isStale: row.integer(10) < cuts.stale)
        (isProved, session) = (row.int(12) == 1, row.isNull(13) ? nil : row.bytes(13))
    }
}

extension MessageContext {
    var cuts: Cuts { Cuts(limits, now: now) }

    func registration(app: AppID, token: String) throws -> Registration {
        guard let found = try file.registration(app: app, token: token, cuts) else { throw Refusal.unregistered }
        return found
    }
}

extension Endpoint {
    var url: String? {
        if case .webhook(let url) = self { url.text } else { nil }
    }
}
