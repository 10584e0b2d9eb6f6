// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Accounts
import AppDirectory
import DocumentStore
import EventStore
import HTTPServer
import JOSE
import Platform
import Synchronization

/// A user whose ID token was checked.
struct ProvedUser: Sendable {
    let uid: String
    let session: SessionID
    /// The time of the sign-in.
    let authenticated: Timestamp
    /// The end of the token.
    let expires: Timestamp
    /// The claims of the token, as JSON.
    let claims: [UInt8]
    /// The ingest key of the session, whose restrictions and rates apply.
    let key: APIKey
    let app: App
    /// The user as rules see it; nil if that is not known yet.
    var principal: RulePrincipal?
}

extension Account {
    /// The address and the users of providers, as Firebase's tokens name them.
    fileprivate var tokenIdentities: [IDToken.Identity] {
        let ofEmail = email.map { [IDToken.Identity(provider: "email", subjects: [$0])] } ?? []
        return ofEmail + identities.map { IDToken.Identity(provider: $0.provider, subjects: [$0.subject]) }
    }
}

/// Issues and checks ID tokens.
///
/// A token is checked against the signing keys, its app, its session and the session's ingest key. Everything but the signature is looked up
/// anew at each request, so an ended session and a revoked key count at once.
final class IDTokens: Sendable {
    private let store: Stores
    private let configuration: LiveConfiguration
    private let server: ServerHandle
    private let clock: WallClock
    private let checked = CheckedTokens()
    private let principals = RulePrincipals()
    private let current = Mutex<Verifier?>(nil)

    /// The issuer and the life of a token.
    enum Form: Sendable {
        /// Of the native API: the issuer has a discovery document.
        case native
        /// Of clients of Firebase, whose verifiers know one issuer.
        case firebase
        /// A session cookie of Firebase, which the daemon's own routes do not accept.
        case cookie(lifetime: Timestamp.Span)
    }

    private struct Verifier: Sendable {
        var version: Int
        var base: String
        /// The time at which the list of keys is made again, because some may have expired.
        var until: Timestamp
        var tokens: OwnTokens
    }

    init(store: Stores, configuration: LiveConfiguration, server: ServerHandle, clock: WallClock) {
        (self.store, self.configuration, self.server, self.clock) = (store, configuration, server, clock)
    }

    /// The URL that issuers begin with.
    var base: String {
        let url = configuration.accountsURL ?? "http://\(server.authority)"
        return (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/v1/auth/"
    }

    private static let firebase = "https://securetoken.google.com/"
    private static let firebaseCookies = "https://session.firebase.google.com/"

    func issuer(of app: App) -> String { base + app.project }

    private func issuer(of app: App, _ form: Form) -> String {
        switch form {
        case .native: issuer(of: app)
        case .firebase: IDTokens.firebase + app.project
        case .cookie: IDTokens.firebaseCookies + app.project
        }
    }

    // MARK: Issuing

    /// Signs an ID token. The secrets must be prepared.
    func issue(_ signedIn: SignedIn, _ app: App, as form: Form = .native) throws -> (token: String, expires: Timestamp) {
        let now = clock.now()
        guard let key = store.accounts.secrets.signing(at: now) else {
            throw Refusal(.internalError, "No key signs ID tokens now.", hint: "Check the system time, or run `ingestd auth keys --rotate`.")
        }
        let token = token(for: signedIn, app, form, issued: now)
        return (token.signed(by: key), token.expires)
    }

    /// Whether a token of a session says what a new one would say, and other servers accept it.
    func isCurrent(_ claims: TokenClaims, of signedIn: SignedIn, _ app: App) -> Bool {
        // Claims have whole seconds.
        guard claims.issued.milliseconds / 1_000 >= signedIn.account.validSince.milliseconds / 1_000 else { return false }
        var token = token(for: signedIn, app, .native, issued: claims.issued)
        (token.issuer, token.key, token.generation) = (claims.issuer, claims.key, claims.generation)
        return token.json == claims.json
    }

    private func token(for signedIn: SignedIn, _ app: App, _ form: Form, issued: Timestamp) -> IDToken {
        let (account, session) = (signedIn.account, signedIn.session)
        let lifetime = if case .cookie(let lifetime) = form { lifetime } else { AccountBounds.tokenLife }
        var token = IDToken(
            issuer: issuer(of: app, form), audience: app.project, subject: account.uid, app: app.id.rawValue, issued: issued,
            authenticated: session.created,
            method: IDTokens.provider(of: session.method), lifetime: lifetime)
        (token.key, token.session, token.generation) = (session.key, session.id.text, session.state.counter)
        (token.email, token.isEmailVerified, token.name) = (account.email, account.isEmailVerified, account.name)
        (token.picture, token.phone) = (account.photoURL, account.phone)
        token.identities = account.tokenIdentities
        token.secondFactor = session.secondFactor?.rawValue
        token.claims = claims(of: signedIn)
        return token
    }

    /// The word of Firebase's tokens for a way of signing in. A code of a mail counts as a password there.
    private static func provider(of method: String) -> String {
        switch SignInMethod(rawValue: method) {
        case .customToken: "custom"
        case .code: "password"
        default: method
        }
    }

    /// The claims of the account and those of the session, which come first.
    private func claims(of signedIn: SignedIn) -> CustomClaims {
        let texts = [signedIn.session.claims, signedIn.account.claims].compactMap(\.self)
        let all = texts.compactMap { try? CustomClaims(json: Array($0.utf8)) }
        guard let first = all.first else { return .none }
        return all.dropFirst().reduce(first) { $0.merged(over: $1) }
    }

    // MARK: Checking

    /// Returns the user of a bearer.
    ///
    /// - Parameter mayHaveEnded: Whether the session may have ended.
    func user(of text: String, mayHaveEnded: Bool = false) throws(Refusal) -> ProvedUser {
        do throws(Refusal) {
            let user = try checkedUser(of: text, mayHaveEnded: mayHaveEnded)
            store.accounts.gauges.checkedToken(isValid: true)
            return user
        } catch {
            store.accounts.gauges.checkedToken(isValid: false)
            throw error
        }
    }

    /// Returns the claims of a token whose signature, times and app are right, whatever became of its session.
    func claims(of text: String, for app: App) throws(Refusal) -> TokenClaims {
        let claims = try signed(text, clock.now())
        guard claims.app == app.id.rawValue, claims.audiences.elementsEqual([app.project], by: { $0.hasSameBytes(as: $1) }) else {
            throw IDTokens.invalid
        }
        return claims
    }

    /// Whether this daemon signed a token with a key that is still known, even if the token has expired.
    func isOwn(_ text: String) -> Bool {
        let now = clock.now()
        do throws(TokenError) {
            _ = try checked.check(text, with: verifier(now), now: now)
            return true
        } catch {
            return error == .expired || error == .notYetValid
        }
    }

    private func checkedUser(of text: String, mayHaveEnded: Bool) throws(Refusal) -> ProvedUser {
        let now = clock.now()
        let claims = try signed(text, now)
        let directory = store.events.directory.now
        guard let app = claims.app.flatMap({ directory.apps[AppID(rawValue: $0)] }), claims.audiences.count == 1,
            claims.audiences[0].hasSameBytes(as: app.project), let session = claims.session.flatMap({ SessionID($0) }),
            let generation = claims.generation, let authenticated = claims.authenticated
        else { throw IDTokens.invalid }
        guard store.accounts.live.isLive(session, generation: generation, at: now) || mayHaveEnded else { throw .sessionEnded }
        guard let key = claims.key.flatMap({ directory.keysByID[$0] }), key.app == app.id, key.role == .ingest, key.isValid(at: now) else {
            throw Refusal(.unauthorized, "The ingest key of this session was revoked or has expired.", hint: "Refresh the session with a valid key.")
        }
        var user = ProvedUser(
            uid: claims.subject, session: session, authenticated: authenticated, expires: claims.expires, claims: claims.json, key: key, app: app)
        user.principal = principals.principal(of: user)
        return user
    }

    private func signed(_ text: String, _ now: Timestamp) throws(Refusal) -> TokenClaims {
        let tokens = verifier(now)
        do throws(TokenError) {
            return try checked.check(text, with: tokens, now: now)
        } catch {
            guard error == .expired else { throw IDTokens.invalid }
            throw Refusal(.tokenExpired, "The ID token has expired.", hint: "Refresh the session.")
        }
    }

    private static let invalid = Refusal(.unauthorized, "The ID token is not valid.", hint: "Refresh the session, or sign in again.")

    private func verifier(_ now: Timestamp) -> OwnTokens {
        let (version, base) = (store.accounts.secrets.version, base)
        return current.withLock { current in
            if let current, current.version == version, current.base == base, now < current.until { return current.tokens }
            let (keys, version) = store.accounts.secrets.published(at: now)
            let tokens = OwnTokens(keys: keys, issuers: [base, IDTokens.firebase])
            current = Verifier(version: version, base: base, until: now + .minutes(10), tokens: tokens)
            checked.removeAll()
            return tokens
        }
    }
}
