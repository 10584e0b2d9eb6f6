// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JOSE
import JSON
import Platform

/// The state of a signed-in user's session, for clients that must know at once when it ends or when their ID token is out of date.
///
///     GET /v1/auth/state           event: changed       refresh the ID token now
///                                  event: signed_out    {"why":"disabled"}, then the stream ends
///     GET /v1/auth/state?poll=1    {"state":"signed_in","changed":false}
struct SessionStates: Sendable {
    let store: Stores
    let tokens: IDTokens
    let configuration: LiveConfiguration
    let clock: WallClock

    static let routes = [Route(.get, "/v1/auth/state", .formerUser, .task(\.accounts.states, SessionStates.read))]

    private static let comment = Array(":\n\n".utf8)
    private static let headers = [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]

    func read(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("poll")
        let polls = try query.one("poll") == "1"
        let user = try call.user()
        guard let text = Credentials.idToken(in: call.head) else { throw Refusal(.unauthorized, "An ID token is required.") }
        let claims = try tokens.claims(of: text, for: user.app)
        // Joined before the account is read, so that no change is missed in between.
        let listener = polls ? nil : try store.accounts.hub.join(user.session, of: user.uid, user.app.id, until: claims.expires)
        let news = try await news(of: user, claims)
        guard let listener else {
            guard case .response(var response) = try HandlerResponse.json(news.response) else { return try .json(news.response) }
            response.headers += SessionStates.headers
            return .response(response)
        }
        return live(listener, user, news)
    }

    /// The news for a client with an ID token.
    private enum News {
        case none, changed
        case signedOut(AccountEvent.Kind)

        var response: SessionStateResponse {
            switch self {
            case .none: SessionStateResponse(signedIn: false)
            case .changed: SessionStateResponse(signedIn: true)
            case .signedOut(let why): SessionStateResponse(signedOut: why.rawValue)
            }
        }

        var text: [UInt8] {
            get throws {
                switch self {
                case .none: return comment
                case .changed: return Array("event: changed\ndata: {}\n\n".utf8)
                case .signedOut(let why):
                    var json = JSONWriter()
                    try json.encode(SessionEndResponse(why: why.rawValue))
                    return Array("event: signed_out\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
                }
            }
        }
    }

    private func news(of user: ProvedUser, _ claims: TokenClaims) async throws -> News {
        let found = try await store.accounts.session(user.session, user.app.id)
        if let why = store.accounts.live.end(of: user.session) { return .signedOut(why) }
        guard let found else { return .signedOut(.sessionEnded) }
        return tokens.isCurrent(claims, of: found, user.app) ? .none : .changed
    }

    /// Streams until the session ends, its newest ID token expires, or its key is revoked.
    private func live(_ listener: SessionListener, _ user: ProvedUser, _ first: News) -> HandlerResponse {
        let (keepAlive, caller) = (configuration.now.stream.keepAlive, Caller.user(user))
        return .stream(status: 200, headers: SessionStates.headers + [("Content-Type", "text/event-stream")]) { writer in
            async let _: Void = listener.beat(every: keepAlive)
            // The comment shows the client that the stream is open.
            try await writer.write(SessionStates.comment + (try first.text))
            if case .signedOut = first { return }
            for await _ in listener.wakeUps {
                let (hasChanged, until) = listener.take()
                if let why = store.accounts.live.end(of: user.session) { return try await writer.write(try News.signedOut(why).text) }
                guard store.knows(caller), clock.now() < until else { return }
                try await writer.write(try (hasChanged ? News.changed : .none).text)
            }
        }
    }
}
