import HTTPServer
import Platform
import Store

/// Where the clients of another product put their key, and what a key must be for.
struct DoorKey: Sendable, Equatable {
    enum Place: String, Sendable {
        /// Where our own clients put it.
        case authorization
        /// As `api_secret` in the query.
        case apiSecret
        /// As `sentry_key`, in the query or among the pairs of a field of the head; else in the address that an envelope begins with.
        case sentry
        /// As `X-Goog-Api-Key`, or where our own clients put it.
        case googleAPIKey
        /// In the body, which has to be read first; or in the query as `token`, or as the user of HTTP Basic.
        case body
    }

    let roles: [Role]
    let place: Place

    /// Where to put it, for who has sent none.
    var hint: String {
        switch place {
        case .authorization: Credentials.hint
        case .apiSecret: "Send it as `api_secret` in the query."
        case .sentry: "Send it as `sentry_key` in the query or in `X-Sentry-Auth`; the SDK takes it from its DSN."
        case .googleAPIKey: "Send it as `X-Goog-Api-Key`."
        case .body: "Send it in the body, as `api_key` (PostHog) or `writeKey` (Segment), or as the user of HTTP Basic."
        }
    }

    /// Whether the door must look for the key in the body when there is none in the head.
    var isPerhapsInBody: Bool { place == .body || place == .sentry }

    /// A key in the body is found by the door itself: then there is none here.
    func text(in head: HTTPRequestHead) -> String? {
        switch place {
        case .authorization: return Credentials.key(in: head)
        case .apiSecret: return head.queryValue("api_secret").flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .googleAPIKey: return head.header("X-Goog-Api-Key").flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .sentry:
            let fields = [head.header("X-Sentry-Auth"), head.header("Authorization")].compactMap(\.self)
            let pair = fields.lazy.compactMap { DoorKey.pair("sentry_key", in: $0) }.first ?? head.queryValue("sentry_key")
            return pair.flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .body: return Credentials.key(in: head) ?? head.queryValue("token").flatMap(Credentials.plausible)
        }
    }

    /// From `Sentry a=b, c=d`.
    private static func pair(_ name: String, in field: String) -> String? {
        guard field.lowercased().hasPrefix("sentry ") else { return nil }
        for part in field.dropFirst(7).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == name else { continue }
            return String(pair[1])
        }
        return nil
    }
}

extension HTTPRequestHead {
    /// The first value of this name in the query.
    func queryValue(_ name: String) -> String? {
        PercentDecoding.pairs(of: query ?? "")?.first { $0.name == name }?.value
    }
}

extension Call {
    /// The app of a key that stood in the head or, where it did not, stands in the body.
    func app(withKey text: String?, _ key: DoorKey, _ daemon: Daemon) throws(Refusal) -> (app: App, caller: Caller) {
        if case .key(_, let app) = caller { return (app, caller) }
        if case .operator = caller { return (try app(in: daemon.store), caller) }
        let caller = try daemon.store.caller(withKey: text.flatMap(Credentials.plausible), key.roles, head, hint: key.hint)
        guard case .key(_, let app) = caller else { throw Refusal(.unauthorized, "A key is needed.") }
        return (app, caller)
    }

    /// The app of the key, which must be the one that the path names by id or name.
    func app(named text: String, in store: Store) throws(Refusal) -> App {
        if case .operator = caller { return try store.app(named: text) }
        let own = try app(in: store)
        try own.check(isNamed: text)
        return own
    }
}

extension App {
    /// Refuses a path that names another app than the key is of.
    func check(isNamed text: String) throws(Refusal) {
        guard String(id.rawValue) == text || name == text else {
            throw Refusal(.forbidden, "This key is not one of the app in the path.", hint: "Use the number or the name of the key's own app.")
        }
    }
}
