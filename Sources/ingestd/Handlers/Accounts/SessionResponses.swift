// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import EventStore
import Events
import HTTPServer
import Ingest
import JOSE
import JSON
import Platform

/// Makes the responses with a session's tokens.
struct SessionResponses: Sendable {
    let store: Stores
    let tokens: IDTokens

    func session(_ signedIn: SignedIn, _ app: App, status: Int = 200) async throws -> HandlerResponse {
        let issued = try await issue(signedIn, app)
        let made = try HandlerResponse.json(
            SessionResponse(
                idToken: issued.idToken, refreshToken: issued.refreshToken, expiresAt: Moment(issued.expires), isNew: signedIn.isNew,
                user: UserAccountResponse(signedIn.account)),
            status: status)
        return made.withoutCaching
    }

    /// Signs the tokens of a session.
    func issue(_ signedIn: SignedIn, _ app: App, as form: IDTokens.Form = .native) async throws -> IssuedTokens {
        let key = try await store.accounts.prepareSecrets()
        let (token, expires) = try tokens.issue(signedIn, app, as: form)
        let refresh = RefreshToken(session: signedIn.session.id, counter: signedIn.session.state.counter)
        return IssuedTokens(idToken: token, refreshToken: refresh.text(key).revealed, expires: expires)
    }
}

/// The tokens of a session as its client gets them.
struct IssuedTokens: Sendable {
    var idToken: String
    var refreshToken: String
    var expires: Timestamp
}

extension HandlerResponse {
    /// Tokens must not stay in caches.
    var withoutCaching: HandlerResponse {
        guard case .response(var response) = self else { return self }
        response.headers.append(("Cache-Control", "no-store"))
        return .response(response)
    }
}

extension UserAccountResponse {
    init(_ account: Account) {
        self.init(
            id: account.uid, email: account.email, emailVerified: account.isEmailVerified, name: account.name, photoUrl: account.photoURL,
            phone: account.phone, anonymous: account.isAnonymous, claims: Array((account.claims ?? "{}").utf8), providers: account.providers,
            createdAt: Moment(account.created), lastSignInAt: account.lastSignIn.map { Moment($0) })
    }
}

extension AccountResponse {
    init(_ account: Account) {
        self.init(user: UserAccountResponse(account), disabled: account.isDisabled, validSince: Moment(account.validSince))
    }

    /// An account with everything that belongs to it.
    init(whole account: Account, in store: AccountStore) async throws {
        self.init(account)
        standing.identities = try await store.identities(of: account).map { IdentityResponse($0) }
        let found = try await store.factors(of: account)
        (standing.factors, standing.recoveryCodes) = (found.factors.map { SecondFactorResponse($0) }, found.recoveryCodes)
        standing.sessions = try await store.sessions(of: account).map { AccountSessionResponse($0) }
    }
}

extension IdentityResponse {
    init(_ identity: LinkedIdentity) {
        self.init(provider: identity.provider, subject: identity.subject, email: identity.email, linkedAt: Moment(identity.linked))
    }
}

extension AccountSessionResponse {
    init(_ session: AccountSession, current: SessionID? = nil) {
        self.init(
            id: session.id.text, createdAt: Moment(session.created), lastUsedAt: Moment(session.state.refreshed), method: session.method,
            client: session.client.isEmpty ? nil : session.client, place: session.place.isEmpty ? nil : session.place,
            secondFactor: session.secondFactor?.rawValue, current: current.map { $0 == session.id })
    }
}

extension Body {
    /// A text of a profile; nil if it is missing or null.
    func profileText(_ name: String, limit: Int = 256) throws(Refusal) -> String? {
        guard names.contains(name), !isNull(name) else { return nil }
        let text = try text(name)
        guard text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .field(name, "invalid", "must have at most \(limit) bytes and no control characters")
        }
        return text
    }

    /// The URL of a picture; nil if it is missing or null.
    func pictureURL(_ name: String) throws(Refusal) -> String? {
        guard let text = try profileText(name, limit: 2_048) else { return nil }
        guard PictureURL.isOne(text) else {
            throw .field(name, "invalid", "must be a URL that begins with https:// or http://")
        }
        return text
    }

    /// The JSON of an object inside this one; nil if it is missing or null.
    func json(_ name: String) throws(Refusal) -> [UInt8]? {
        guard let value = values.first(where: { $0.name == name }), tape[value.index].kind != .null else { return nil }
        guard tape[value.index].kind == .object else { throw .field(name, "wrong_type", "must be an object") }
        return Array(tape.bytes[tape.slice(value.index)])
    }

    /// The claims of an account as they are stored; nil for none.
    func claims(_ name: String) throws(Refusal) -> String? {
        guard let json = try json(name) else { return nil }
        do throws(CustomClaims.Problem) {
            let claims = try CustomClaims(json: json)
            return claims == .none ? nil : String(decoding: claims.json, as: UTF8.self)
        } catch {
            throw .field(name, "invalid", "must be an object of at most 1,000 bytes without names that ID tokens use themselves")
        }
    }
}

/// Links an installation to the user who signed in on it, as an alias does.
struct InstallationLinks: Sendable {
    let users: NativeUsers
    let store: Stores
    let clock: WallClock
    let log: Log

    /// A failure is logged: the sign-in is durable, and the first event with both IDs links them too.
    func link(_ installation: String?, to uid: String, _ app: App) async {
        guard let installation else { return }
        do {
            var json = JSONWriter()
            json.beginObject()
            json.key("users")
            json.beginArray()
            json.beginObject()
            json.field("installation_id", installation)
            json.field("user_id", uid)
            json.field("alias", true)
            json.endObject()
            json.endArray()
            json.endObject()
            let submission = try users.decode(json.bytes, app: app, received: clock.now(), hash: store.events.hash)
            _ = try await store.events.submit(submission)
        } catch {
            log.warning("could not link an installation to the user who signed in", ["app": .count(app.id.rawValue), "reason": .text("\(error)")])
        }
    }
}
