import Crypto
package import Messaging
package import Platform
import SQLite

/// What became of a registration that was sent in.
package struct Registered: Sendable {
    package var registration: Registration
    package var isNew: Bool
    /// What its messages are signed with, told once; nil where it was known before, or the app's own signs.
    package var secret: SigningKey?
}

extension Messages {
    /// Makes a registration, or renews the one of the same token, or of the same installation and endpoint.
    ///
    /// The endpoint of one whose sender is not trusted has to prove itself before anything goes there.
    package func register(app: AppID, _ draft: RegistrationDraft, isTrusted: Bool) async throws -> Registered {
        try await change { context in
            if let known = try context.known(draft, app: app) {
                return try context.renew(known, draft, isTrusted: isTrusted)
            }
            return try context.insert(draft, app: app, isTrusted: isTrusted)
        }
    }

    /// Changes what is given; also a contact, which keeps it from becoming stale.
    package func update(app: AppID, token: String, _ draft: RegistrationDraft, isTrusted: Bool) async throws -> Registered {
        try await change { context in
            try context.renew(try context.registration(app: app, token: token), draft, isTrusted: isTrusted)
        }
    }

    package func registration(app: AppID, token: String) async throws -> Registration {
        let cuts = Cuts(limits, now: clock.now())
        return try await read { try $0.registration(app: app, token: token, cuts) ?? { throw Refusal.unregistered }() }
    }

    /// Registrations behind one in the order in which they were made, of one user or installation where they are named.
    package func registrations(
        app: AppID, user: String? = nil, installation: String? = nil, after id: Int64, limit: Int
    ) async throws -> [Registration] {
        let cuts = Cuts(limits, now: clock.now())
        return try await read {
            try $0.registrations(app: app, [("user", user), ("installation", installation)], after: id, limit: limit, cuts)
        }
    }

    /// Takes a registration away: what waits for it never comes.
    package func remove(app: AppID, token: String) async throws {
        let id = try await change { context in
            let id = try context.registration(app: app, token: token).id
            try context.remove(registration: id)
            return id
        }
        streams.end(id)
    }
}

/// The moments before which a registration counts as stale, and as gone.
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
        Refusal(.unregistered, "There is no such registration.", hint: "Register the device again, and forget this token.")
    }
}

extension Connection {
    private static let columns = """
        r.id, r.token, r.kind, r.installation, r.user, r.platform, r.url, r.app_version, r.state, r.created, r.seen, r.failing_since
        """

    func registration(app: AppID, token: String, _ cuts: Cuts) throws -> Registration? {
        try statement("SELECT \(Connection.columns) FROM registrations r WHERE app = ? AND token = ? AND seen >= ?")
            .first(.integer(app.rawValue), .text(token), .integer(cuts.expired)) { try Registration($0, cuts) }
    }

    func registrations(ofInstallation installation: String, app: AppID, _ cuts: Cuts) throws -> [Registration] {
        try statement("SELECT \(Connection.columns) FROM registrations r WHERE app = ? AND installation = ? AND seen >= ?")
            .all(.integer(app.rawValue), .text(installation), .integer(cuts.expired)) { try Registration($0, cuts) }
    }

    /// Those behind one in the order in which they were made, with some columns of some text.
    fileprivate func registrations(
        app: AppID, _ wanted: [(column: String, text: String?)], after id: Int64, limit: Int, _ cuts: Cuts
    ) throws -> [Registration] {
        let given = wanted.filter { $0.text != nil }
        let conditions = given.map { " AND \($0.column) = ?" }.joined()
        let found = try statement(
            "SELECT \(Connection.columns) FROM registrations r WHERE app = ? AND id > ? AND seen >= ?\(conditions) ORDER BY id LIMIT ?")
        var list: [Registration] = []
        let values: [Value] = [.integer(app.rawValue), .integer(id), .integer(cuts.expired)] + given.map { .text($0.text) } + [.integer(limit)]
        try found.each(values) { list.append(try Registration($0, cuts)) }
        return list
    }

    func subscribers(ofTopic topic: Int64, after id: Int64, limit: Int, _ cuts: Cuts) throws -> [Registration] {
        try statement(
            """
            SELECT \(Connection.columns) FROM subscriptions s JOIN registrations r ON r.id = s.registration
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
    }
}

extension MessageContext {
    var cuts: Cuts { Cuts(limits, now: now) }

    func registration(app: AppID, token: String) throws -> Registration {
        guard let found = try file.registration(app: app, token: token, cuts) else { throw Refusal.unregistered }
        return found
    }

    fileprivate func known(_ draft: RegistrationDraft, app: AppID) throws -> Registration? {
        if let token = draft.token { return try file.registration(app: app, token: token.text, cuts) }
        guard let installation = draft.installation, let endpoint = draft.endpoint else { return nil }
        return try file.registrations(ofInstallation: installation, app: app, cuts).first { $0.endpoint == endpoint }
    }

    fileprivate func insert(_ draft: RegistrationDraft, app: AppID, isTrusted: Bool) throws -> Registered {
        guard let endpoint = draft.endpoint, let platform = draft.platform else {
            throw Refusal.field(draft.endpoint == nil ? "endpoint" : "platform", "missing", "is missing")
        }
        let token = draft.token?.text ?? randomToken(prefix: "sbd_", bits: 192)
        let key = try newKey(for: draft, endpoint, app: app)
        let mustProve = endpoint != .stream && !isTrusted
        // One that has expired gives its token free.
        try removeExpired(app: app, token: token)
        try file.statement(
            """
            INSERT INTO registrations (app, token, kind, installation, user, platform, app_version, origin, url, state, created, seen,
                scheme, secret, challenge_due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(app.rawValue), .text(token), .integer((draft.kind ?? (draft.token == nil ? .own : .token)).rawValue), .text(draft.installation),
            .text(draft.user),
            .integer(platform.rawValue), .text(draft.appVersion), .integer(try origin(of: endpoint)), .text(endpoint.url),
            .integer((mustProve ? RegistrationState.pending : .active).rawValue), .integer(now.milliseconds), .integer(now.milliseconds),
            .integer(key?.scheme.rawValue ?? 0), key.map { .blob($0.bytes) } ?? .null, mustProve ? .integer(now.milliseconds) : .null)
        if mustProve { hasChallenges = true }
        return Registered(registration: try registration(app: app, token: token), isNew: true, secret: key)
    }

    fileprivate func renew(_ known: Registration, _ draft: RegistrationDraft, isTrusted: Bool) throws -> Registered {
        let endpoint = draft.endpoint ?? known.endpoint
        let hasMoved = endpoint != known.endpoint
        let mustProve = endpoint != .stream && !isTrusted && (hasMoved || known.state == .refused || known.state == .pending)
        let state = mustProve ? RegistrationState.pending : .active
        try file.statement(
            """
            UPDATE registrations SET kind = ?, installation = ?, user = ?, platform = ?, app_version = ?, origin = ?, url = ?, state = ?, seen = ?,
                failing_since = CASE WHEN ? THEN NULL ELSE failing_since END, challenge_due = ?, challenge_tries = 0
            WHERE id = ?
            """
        ).run(
            .integer((draft.kind ?? known.kind).rawValue), .text(draft.installation ?? known.installation), .text(draft.user ?? known.user),
            .integer((draft.platform ?? known.platform).rawValue), .text(draft.appVersion ?? known.appVersion), .integer(try origin(of: endpoint)),
            .text(endpoint.url), .integer(state.rawValue), .integer(now.milliseconds), .integer(hasMoved || known.state == .disabled ? 1 : 0),
            mustProve ? .integer(now.milliseconds) : .null, .integer(known.id))
        if mustProve { hasChallenges = true }
        if hasMoved { try moveDeliveries(of: known.id, to: try origin(of: endpoint), areDue: !mustProve) }
        let secret = try keyAfterMove(known, draft, endpoint)
        return Registered(registration: try registration(app: try app(of: known.id), token: known.token), isNew: false, secret: secret)
    }

    /// A secret that is brought replaces the old one; a stream that became a webhook gets its first.
    private func keyAfterMove(_ known: Registration, _ draft: RegistrationDraft, _ endpoint: Endpoint) throws -> SigningKey? {
        guard case .webhook = endpoint else { return nil }
        let had = known.endpoint != .stream
        guard draft.secret != nil || !had, let key = try newKey(for: draft, endpoint, app: try app(of: known.id)) else { return nil }
        if had {
            try replaceSecret(of: known.id, with: key)
            return nil
        }
        try file.statement("UPDATE registrations SET scheme = ?, secret = ? WHERE id = ?")
            .run(.integer(key.scheme.rawValue), .blob(key.bytes), .integer(known.id))
        return key
    }

    /// Takes a registration out of every topic, and what waits for it.
    func remove(registration id: Int64) throws {
        try leaveAllTopics(registration: id)
        try close(.removed, ofRegistration: id)
        try file.statement("DELETE FROM registrations WHERE id = ?").run(.integer(id))
    }

    private func removeExpired(app: AppID, token: String) throws {
        let id = try file.statement("SELECT id FROM registrations WHERE app = ? AND token = ?")
            .first(.integer(app.rawValue), .text(token)) { $0.integer(0) }
        if let id { try remove(registration: id) }
    }

    func app(of registration: Int64) throws -> AppID {
        let app = try file.statement("SELECT app FROM registrations WHERE id = ?").first(.integer(registration)) { $0.integer(0) }
        return AppID(rawValue: app ?? 0)
    }

    /// The row of a webhook's origin, made where it is new.
    private func origin(of endpoint: Endpoint) throws -> Int64? {
        guard case .webhook(let url) = endpoint else { return nil }
        let text = url.origin.description
        if let known = try file.statement("SELECT id FROM origins WHERE text = ?").first(.text(text), row: { $0.integer(0) }) { return known }
        try file.statement("INSERT INTO origins (text) VALUES (?)").run(.text(text))
        return file.lastInsertedRow
    }
}

extension Endpoint {
    fileprivate var url: String? {
        if case .webhook(let url) = self { url.text } else { nil }
    }
}
