// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import AuditStore
import Crypto
import EventStore
import HTTPServer
import Platform

/// Identifies the caller and checks its role; everything not allowed is denied.
struct Access: Sendable {
    private let store: Stores
    private let failures: KeyFailures
    private let settings: @Sendable () -> Configuration

    init(store: Stores, failures: KeyFailures, settings: @escaping @Sendable () -> Configuration) {
        (self.store, self.failures) = (store, failures)
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
        if head.client.isControlSocket { return .granted(.operator) }
        switch access {
        case .open: return .granted(.anyone)
        case .metrics: return .granted(try metricsReader(head))
        case .operatorOnly: throw Refusal(.notFound, "There is no route for this path.", hint: "GET /v1/openapi.json lists all routes.")
        case .anyKey: return .granted(try caller(in: head, Role.ofKeys))
        case .roles(let roles): return .granted(try caller(in: head, roles))
        case .integration(let key):
            if let text = key.text(in: head, parameters) { return .granted(try caller(withKey: text, key, head)) }
            if CrossOrigin.roles.contains(where: key.roles.contains), let text = Credentials.keyInQuery(of: head) {
                return .granted(try caller(withKeyInQuery: text, key.roles, head))
            }
            return key.mayBeInBody ? .keyInBody(key) : .granted(try caller(withKey: nil, key, head))
        }
    }

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
        guard CrossOrigin.roles.contains(where: roles.contains), let text = Credentials.keyInQuery(of: head) else {
            return try caller(withKey: nil, roles, head)
        }
        return try caller(withKeyInQuery: text, roles, head)
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
        guard let key = store.events.key(text), let app = store.events.directory.now.apps[key.app] else {
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

/// Reads the key of a request.
enum Credentials {
    static let hint = "Send it as `Authorization: Bearer KEY`."
    /// The query parameter for beacons and event sources of pages, which cannot set header fields.
    static let parameter = "key"

    static func keyInQuery(of head: HTTPRequestHead) -> String? {
        head.query == nil ? nil : head.queryValue(parameter).flatMap(plausible)
    }

    static func key(in head: HTTPRequestHead) -> String? {
        guard let value = head.header("Authorization") else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return plausible(parts[1])
        case "basic":
            return Base64.decodeLeniently(parts[1]).flatMap { String(validating: $0, as: UTF8.self) }.flatMap { plausible($0.prefix { $0 != ":" }) }
        default: return nil
        }
    }

    /// Returns the texts that the `Authorization` field may present, of any form: a bearer, or the user name of HTTP Basic, which may contain
    /// colons if there is no password.
    static func texts(in head: HTTPRequestHead) -> [[UInt8]] {
        guard let value = head.header("Authorization"), let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else { return [] }
        let text = value[value.index(after: space)...]
        switch value[..<space].lowercased() {
        case "bearer": return [Array(text.utf8)]
        case "basic":
            guard let pair = Base64.decodeLeniently(text) else { return [] }
            let colon = UInt8(ascii: ":")
            return [Array(pair.prefix { $0 != colon }), pair.last == colon ? Array(pair.dropLast()) : pair]
        default: return []
        }
    }

    /// Returns the text if it has the form of a key; other texts are not hashed.
    static func plausible(_ text: some StringProtocol) -> String? {
        let fits = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isKeyByte)
        return fits ? String(text) : nil
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
        default: false
        }
    }
}
