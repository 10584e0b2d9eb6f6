// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import AuditStore
import Crypto
import EventStore
import FunctionStore
import HTTPServer
import Platform

/// Identifies the caller and checks its role; everything not allowed is denied.
struct Access: Sendable {
    private let store: Stores
    private let failures: KeyFailures
    private let tokens: IDTokens
    private let emulator: AccountEmulator
    private let runTokens: RunTokens
    private let settings: @Sendable () -> Configuration

    init(
        store: Stores, failures: KeyFailures, tokens: IDTokens, emulator: AccountEmulator, runTokens: RunTokens,
        settings: @escaping @Sendable () -> Configuration
    ) {
        (self.store, self.failures, self.tokens, self.emulator, self.runTokens) = (store, failures, tokens, emulator, runTokens)
        self.settings = settings
    }

    /// The outcome of a check.
    enum Entry {
        case granted(Caller)
        /// The head has no key; the body may have.
        case keyInBody(IntegrationKey)

        /// The caller as far as the head shows it.
        var caller: Caller {
            switch self {
            case .granted(let caller): caller
            case .keyInBody: .anyone
            }
        }
    }

    /// Returns the caller if it may use the route.
    func check(_ head: HTTPRequestHead, for access: Route.Access, _ parameters: [String: String]) throws(Refusal) -> Entry {
        // The operator is no user.
        if head.client.isControlSocket, access != .user, access != .formerUser { return .granted(.operator) }
        switch access {
        case .open: return .granted(.anyone)
        case .metrics: return .granted(try metricsReader(head))
        case .operatorOnly: throw Access.noRoute
        case .emulator:
            guard emulator.admits(head) else { throw Access.noRoute }
            return .granted(.operator)
        case .anyKey: return .granted(try caller(in: head, Role.ofKeys.filter { $0 != .data }))
        case .roles(let roles): return .granted(try caller(in: head, roles))
        case .rolesOrAnyone(let roles): return .granted(Credentials.isNamed(in: head) ? try caller(in: head, roles) : .anyone)
        case .user, .formerUser:
            guard let token = Credentials.idToken(in: head) else {
                throw Refusal(.unauthorized, "An ID token is required.", hint: "Send the user's ID token as `Authorization: Bearer TOKEN`.")
            }
            return .granted(try caller(withIDToken: token, [.ingest], head, mayHaveEnded: access == .formerUser))
        case .integration(let key) where key.place == .firebase: return .granted(try firebaseCaller(head, key))
        case .integration(let key):
            if let caller = emulator.caller(of: head, key, parameters) { return .granted(caller) }
            if let user = try user(head, key) { return .granted(user) }
            if let text = key.text(in: head, parameters) { return .granted(try caller(withKey: text, key, head)) }
            if CrossOrigin.roles.contains(where: key.roles.contains), let text = Credentials.keyInQuery(of: head) {
                return .granted(try caller(withKeyInQuery: text, key.roles, head))
            }
            return key.mayBeInBody ? .keyInBody(key) : .granted(try caller(withKey: nil, key, head))
        }
    }

    private static let noRoute = Refusal(.notFound, "There is no route for this path.", hint: "GET /v1/openapi.json lists all routes.")

    /// Returns the caller that the head or the body names.
    func caller(_ entry: Entry, _ body: [UInt8], _ head: HTTPRequestHead) throws(Refusal) -> Caller {
        switch entry {
        case .granted(let caller): caller
        case .keyInBody(let key): try caller(withKey: key.text(in: body), key, head)
        }
    }

    /// Whether the page of a preflight may use the route as far as its head shows. The key of the request itself is unknown, unless its
    /// clients put it in the path or the query.
    func admitsPreflight(_ head: HTTPRequestHead, to route: Route, _ parameters: [String: String]) -> Bool {
        let text = if case .integration(let key) = route.access { key.text(in: head, parameters) } else { String?.none }
        guard let key = (text ?? Credentials.keyInQuery(of: head)).flatMap({ store.events.key($0) }) else { return true }
        return CrossOrigin.roles.contains(key.role) && key.restrictions.allowsOrigin(of: head)
    }

    /// Returns the caller of a key in the places of the native API.
    private func caller(in head: HTTPRequestHead, _ roles: [Role]) throws(Refusal) -> Caller {
        if let text = Credentials.key(in: head) { return try caller(withKey: text, roles, head) }
        if let token = Credentials.idToken(in: head) { return try caller(withIDToken: token, roles, head) }
        guard CrossOrigin.roles.contains(where: roles.contains), let text = Credentials.keyInQuery(of: head) else {
            return try caller(withKey: nil, roles, head)
        }
        return try caller(withKeyInQuery: text, roles, head)
    }

    /// Returns the user of an ID token, who may do what the ingest key of the session may. Forged tokens count against their address.
    private func caller(
        withIDToken text: String, _ roles: [Role], _ head: HTTPRequestHead, mayHaveEnded: Bool = false
    ) throws(Refusal) -> Caller {
        let user: ProvedUser
        do throws(Refusal) { user = try tokens.user(of: text, mayHaveEnded: mayHaveEnded) } catch {
            if error.code == .unauthorized { try failures.note(head.client) }
            throw error
        }
        try CrossOrigin.check(.ingest, head) { settings().server.corsOrigins }
        try user.key.restrictions.check(head)
        guard roles.contains(.ingest) else {
            throw Refusal(
                .forbidden, "An ID token does not allow this.", hint: "Use a key with the role \(roles.map(\.rawValue).joined(separator: " or ")).")
        }
        store.events.noteUse(of: user.key)
        return .user(user)
    }

    /// Returns the user of an ID token on a route of an integration, in place of the ingest key; nil without one.
    ///
    /// An app may add a bearer of its own to all requests. One that this daemon did not sign is ignored, and the key decides as without it.
    private func user(_ head: HTTPRequestHead, _ key: IntegrationKey) throws(Refusal) -> Caller? {
        guard key.admitsIDTokens, let text = Credentials.idToken(in: head), tokens.isOwn(text) else { return nil }
        return try caller(withIDToken: text, key.roles, head)
    }

    /// Returns the user of `Authorization: Firebase ID_TOKEN`, the caller of a key, or nobody without the field: rules decide.
    private func firebaseCaller(_ head: HTTPRequestHead, _ key: IntegrationKey) throws(Refusal) -> Caller {
        if let token = Credentials.firebaseToken(in: head) { return try caller(withIDToken: token, key.roles, head) }
        if Credentials.isReadable(in: head) { return try caller(in: head, key.roles) }
        if Credentials.isNamed(in: head) { throw Refusal(.unauthorized, "A valid ID token or key is required.", hint: key.hint) }
        try CrossOrigin.check(.ingest, head) { settings().server.corsOrigins }
        return .anyone
    }

    /// Whether a request has neither a key nor a token, on a route where rules decide about such callers.
    func isAnyone(_ head: HTTPRequestHead, on access: Route.Access) -> Bool {
        guard case .integration(let key) = access, key.place == .firebase else { return false }
        return !head.client.isControlSocket && !Credentials.isNamed(in: head)
    }

    /// Returns the caller of a key in the place where an integration's clients put it.
    private func caller(withKey text: String?, _ key: IntegrationKey, _ head: HTTPRequestHead) throws(Refusal) -> Caller {
        try caller(withKey: text.flatMap(Credentials.plausible), key.roles, head, hint: key.hint)
    }

    /// Returns the caller of a key in the query. URLs end up in logs and histories, so a secret key is rejected there.
    private func caller(withKeyInQuery text: String, _ roles: [Role], _ head: HTTPRequestHead) throws(Refusal) -> Caller {
        let found = try caller(withKey: text, roles, head)
        guard let role = found.role, CrossOrigin.roles.contains(role) else {
            throw Refusal(.forbidden, "Only an ingest key may be in the query.", hint: Credentials.hint)
        }
        return found
    }

    /// Returns the owner of a key if one of the roles is its own.
    ///
    /// A denied role is counted in the audit log, and an unknown key against its address.
    private func caller(
        withKey text: String?, _ roles: [Role], _ head: HTTPRequestHead, hint: String = Credentials.hint
    ) throws(Refusal) -> Caller {
        guard let text else { throw Refusal(.unauthorized, "A key is required.", hint: hint) }
        guard let key = runTokens.key(text, for: roles) ?? store.events.key(text), let app = store.events.directory.now.apps[key.app] else {
            try failures.note(head.client)
            throw Refusal(.unauthorized, "The key is unknown, revoked or expired.", hint: "`ingestd key list` lists all keys.")
        }
        try CrossOrigin.check(key.role, head) { settings().server.corsOrigins }
        try key.restrictions.check(head)
        guard key.role == .admin || roles.contains(key.role) else {
            store.audit.denied(app: app.id, AuditCaller(key: key.id, role: key.role, address: head.client.description))
            let names = roles.map(\.rawValue).joined(separator: " or ")
            throw Refusal(.forbidden, "The role of this key does not allow this.", hint: "Use a key with the role \(names).")
        }
        return .key(key, app)
    }

    /// Accepts the metrics token from any client. Without it, the client must be on loopback and name this host, so that no web page
    /// can read metrics.
    private func metricsReader(_ head: HTTPRequestHead) throws(Refusal) -> Caller {
        let settings = settings()
        if let token = settings.metrics.token, Credentials.texts(in: head).contains(where: { constantTimeEqual(Array(token.revealed.utf8), $0) }) {
            return .anyone
        }
        guard head.client.isLoopback else {
            if head.header("Authorization") != nil { try failures.note(head.client) }
            throw Refusal(
                .unauthorized, "Metrics require a loopback client or the metrics token.", hint: "Set metrics.token and send it as a bearer.")
        }
        guard let host = head.header("Host").flatMap({ HostName(header: $0) }), host.isLoopback || settings.server.hosts.contains(host) else {
            throw Refusal(
                .misdirected, "The Host header does not name this machine.",
                hint: "Ask for localhost or a loopback address, add the name to server.hosts, or send the metrics token.")
        }
        return .anyone
    }
}

extension KeyRestrictions {
    /// Rejects a request from another app or page than the key is for. The headers can be forged; this only prevents use by mistake.
    fileprivate func check(_ head: HTTPRequestHead) throws(Refusal) {
        guard allowsOrigin(of: head) else {
            throw Refusal(.forbidden, "This key is not valid for this origin.", hint: "Add the origin to the key's restrictions.")
        }
        let bundleID = head.header("X-Bundle-Id") ?? ""
        if !bundleIDs.isEmpty, !bundleIDs.contains(where: { $0.hasSameBytes(as: bundleID) }) {
            throw Refusal(
                .forbidden, "This key is not valid for this bundle ID.",
                hint: "Send the app's bundle ID as X-Bundle-Id, and list it in the key's restrictions.")
        }
    }
}

extension KeyRestrictions {
    fileprivate func allowsOrigin(of head: HTTPRequestHead) -> Bool {
        guard !origins.isEmpty, let origin = head.header("Origin") else { return true }
        return origins.contains { $0.hasSameBytes(as: origin) } || origins.contains { OriginRule($0)?.matches(origin) == true }
    }
}
