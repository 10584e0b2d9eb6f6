// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import Platform
import AcrossStores

/// The place where a product's clients put their key, and the roles it must have.
struct IntegrationKey: Sendable, Equatable {
    enum Place: String, Sendable {
        /// The places of the native API.
        case authorization
        /// The query parameter `api_secret`.
        case apiSecret
        /// The parameter `sentry_key` of the query or of a header field.
        case sentry
        /// As `sentry`, or the DSN in the headers of an envelope.
        case sentryEnvelope
        /// The header field `X-Goog-Api-Key`, or the places of the native API.
        case googleAPIKey
        /// The places of the native API, or the header field `X-Goog-Api-Key` without a bearer.
        case bearerOrGoogleAPIKey
        /// The user name of HTTP Basic, the query parameter `token` or `writeKey`, or `writeKey` in the body.
        case segment
        /// The user name of HTTP Basic, the query parameter `token`, or one of PostHog's names in the body.
        case postHog
        /// The scheme `Firebase` for ID tokens, the places of the native API, or nothing: rules decide about callers without a key.
        case firebase
        /// `{token}` in the path, or the places of the native API.
        case path
    }

    enum Emulation: Sendable {
        case accounts, documents, files
    }

    let roles: [Role]
    let place: Place
    /// The emulator of Firebase's that has conveniences in place of the key (`AccountEmulator`); nil for none.
    var emulation: Emulation?

    /// The hint for clients that sent no key.
    var hint: String {
        switch place {
        case .authorization, .bearerOrGoogleAPIKey: Credentials.hint
        case .firebase: "Send an ID token as `Authorization: Firebase TOKEN`, or a key as `Authorization: Bearer KEY`."
        case .apiSecret: "Send it as `api_secret` in the query."
        case .sentry, .sentryEnvelope: "Send it as `sentry_key` in the query or in `X-Sentry-Auth`; the SDK takes it from its DSN."
        case .googleAPIKey: "Send it as `X-Goog-Api-Key`."
        case .segment: "Send it as `writeKey` in the body, or as the HTTP Basic user name."
        case .postHog: "Send it as `api_key` in the body, or as the HTTP Basic user name."
        case .path: "Send it in the path."
        }
    }

    /// Whether an ID token is read in place of the key. An API that has routes for users reads it on all of them, so that a user is refused
    /// for the role, not for want of a key.
    var admitsIDTokens: Bool { roles.contains(.ingest) || place == .bearerOrGoogleAPIKey }

    /// Whether the key may be in the body if the head has none.
    var mayBeInBody: Bool { [.segment, .postHog, .sentryEnvelope].contains(place) }

    func text(in head: HTTPRequestHead, _ parameters: [String: String]) -> String? {
        switch place {
        case .authorization, .firebase: return Credentials.key(in: head)
        case .apiSecret: return head.queryValue("api_secret").flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .googleAPIKey: return head.header("X-Goog-Api-Key").flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .bearerOrGoogleAPIKey: return Credentials.key(in: head) ?? head.header("X-Goog-Api-Key").flatMap(Credentials.plausible)
        case .path: return Credentials.key(in: head) ?? parameters["token"].flatMap(Credentials.plausible)
        case .sentry, .sentryEnvelope:
            let fields = [head.header("X-Sentry-Auth"), head.header("Authorization")].compactMap(\.self)
            let pair = fields.lazy.compactMap { IntegrationKey.pair("sentry_key", in: $0) }.first ?? head.queryValue("sentry_key")
            return pair.flatMap(Credentials.plausible) ?? Credentials.key(in: head)
        case .segment, .postHog:
            let names = place == .segment ? ["token", "writeKey"] : ["token"]
            return Credentials.key(in: head) ?? names.lazy.compactMap { head.queryValue($0).flatMap(Credentials.plausible) }.first
        }
    }

    /// Returns the key in a body, found by one scan.
    func text(in body: [UInt8]) -> String? {
        switch place {
        case .segment: SegmentKey.find(in: body)
        case .postHog: PostHogKey.find(in: body)
        case .sentryEnvelope: SentryDecoder.key(inEnvelope: body)
        case .authorization, .firebase, .apiSecret, .sentry, .googleAPIKey, .bearerOrGoogleAPIKey, .path: nil
        }
    }

    /// Returns a value of `Sentry a=b, c=d`.
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
    /// Returns the first value of a query parameter.
    func queryValue(_ name: String) -> String? {
        PercentDecoding.pairs(of: query ?? "")?.first { $0.name == name }?.value
    }
}

extension Call {
    /// Returns the key's app. The path must name it by ID or name.
    func app(named text: String, in store: Stores) throws(Refusal) -> App {
        if case .operator = caller { return try store.events.app(named: text) }
        let own = try app(in: store)
        try own.check(isNamed: text)
        return own
    }
}

extension App {
    /// Throws a refusal if the path names another app.
    func check(isNamed text: String) throws(Refusal) {
        guard [String(id.rawValue), name, project].contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
            throw Refusal(.forbidden, "The key does not belong to the app in the path.", hint: "Use the ID, name or project of the key's app.")
        }
    }
}
