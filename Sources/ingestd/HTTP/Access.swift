// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crypto
import EventStore
import HTTPServer
import Platform
import AcrossStores

/// Decides who asks and whether they may: default deny.
struct Access: Sendable {
    private let store: Stores
    private let settings: @Sendable () -> Configuration

    init(store: Stores, settings: @escaping @Sendable () -> Configuration) {
        self.store = store
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

    /// The caller, if the route is theirs to use.
    func check(_ head: HTTPRequestHead, for access: Route.Access, _ parameters: [String: String]) throws(Refusal) -> Entry {
        if head.client.isControlSocket { return .granted(.operator) }
        switch access {
        case .open: return .granted(.anyone)
        case .metrics: return .granted(try metricsReader(head))
        case .operatorOnly: throw Refusal(.notFound, "There is nothing at this path.")
        case .anyKey: return .granted(try store.events.caller(withKey: Credentials.key(in: head), Role.allCases, head))
        case .roles(let roles): return .granted(try store.events.caller(withKey: Credentials.key(in: head), roles, head))
        case .integration(let key):
            let text = key.text(in: head, parameters)
            if text == nil, key.mayBeInBody { return .keyInBody(key) }
            return .granted(try caller(withKey: text, key, head))
        }
    }

    /// The caller that the head or the body names.
    func caller(_ entry: Entry, _ body: [UInt8], _ head: HTTPRequestHead) throws(Refusal) -> Caller {
        switch entry {
        case .granted(let caller): caller
        case .keyInBody(let key): try caller(withKey: key.text(in: body), key, head)
        }
    }

    /// The caller with a key that was found where the clients of another product put it.
    private func caller(withKey text: String?, _ key: IntegrationKey, _ head: HTTPRequestHead) throws(Refusal) -> Caller {
        try store.events.caller(withKey: text.flatMap(Credentials.plausible), key.roles, head, hint: key.hint)
    }

    /// The token opens metrics to every client. Without it the client must be this machine and name it, so that no web page reads them.
    private func metricsReader(_ head: HTTPRequestHead) throws(Refusal) -> Caller {
        let settings = settings()
        if let token = settings.metrics.token, let given = Credentials.key(in: head),
            constantTimeEqual(Array(token.revealed.utf8), Array(given.utf8))
        {
            return .anyone
        }
        guard head.client.isLoopback else {
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

extension EventStore {
    /// Who has this key, if it is of a role that may.
    func caller(
        withKey text: String?, _ roles: [Role], _ head: HTTPRequestHead, hint: String = Credentials.hint
    ) throws(Refusal) -> Caller {
        guard let text else { throw Refusal(.unauthorized, "A key is needed.", hint: hint) }
        guard let key = key(text), let app = directory.now.apps[key.app] else {
            throw Refusal(.unauthorized, "This key is not known here.", hint: "`ingestd key list` shows the keys there are.")
        }
        try key.restrictions.check(head)
        guard key.role == .admin || roles.contains(key.role) else {
            let names = roles.map(\.rawValue).joined(separator: " or ")
            throw Refusal(.forbidden, "This key's role may not do this.", hint: "Use a key with the role \(names).")
        }
        return .key(key, app)
    }
}

extension KeyRestrictions {
    /// Refuses a request from an app or page the key is not for. Whoever can forge these headers can also read the key out of the app:
    /// this keeps keys from being used elsewhere by mistake, nothing more.
    fileprivate func check(_ head: HTTPRequestHead) throws(Refusal) {
        if !origins.isEmpty, let origin = head.header("Origin"), !origins.contains(where: { $0.hasSameBytes(as: origin) }) {
            throw Refusal(.forbidden, "This key is not for pages of this origin.", hint: "Add the origin to the key's restrictions.")
        }
        let bundleID = head.header("X-Bundle-Id") ?? ""
        if !bundleIDs.isEmpty, !bundleIDs.contains(where: { $0.hasSameBytes(as: bundleID) }) {
            throw Refusal(
                .forbidden, "This key is not for this app.", hint: "Send the app's id as X-Bundle-Id, and list it in the key's restrictions.")
        }
    }
}

/// Where a request carries its key.
enum Credentials {
    static let hint = "Send it as `Authorization: Bearer KEY`."

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

    /// Keys are short and plain; anything else is not worth hashing.
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
