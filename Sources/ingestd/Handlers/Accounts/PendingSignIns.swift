// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AppDirectory
import Crypto
import EventStore
import Events
import HTTPServer
import Platform
import Synchronization

/// A sign-in, which is repeated with a code if the account has a second factor.
typealias SignInAttempt = @Sendable (SecondFactorProof) async throws -> SignedIn

/// Sign-ins whose first factor is right and that wait for a code, in memory.
///
///     sign-in → 202 {"second_factor": {"pending": "…"}} → POST /v1/auth/second-factor {"pending": "…", "code": "…"} → session
///
/// A pending sign-in holds what it did so far and repeats all of it, so a password that was changed meanwhile is found. It lives for five
/// minutes and five codes, and a restart forgets it.
final class PendingSignIns: Sendable {
    struct Pending: Sendable {
        var app: AppID
        var account: Account
        var method: SignInMethod
        var installation: String?
        var attempt: SignInAttempt
        var expires: Timestamp
        var codes = 0
    }

    private static let life = Timestamp.Span.minutes(5)
    private static let mostCodes = 5

    private let table = Mutex(BoundedTable<String, Pending>(capacity: 10_000))
    private let clock: WallClock

    init(clock: WallClock) {
        self.clock = clock
    }

    /// Keeps a sign-in until a code follows.
    func keep(
        _ needed: SecondFactorNeeded, _ method: SignInMethod, _ installation: String?, _ attempt: @escaping SignInAttempt
    ) -> WaitingSignIn {
        let (token, expires) = (randomToken(prefix: "pending_"), clock.now() + PendingSignIns.life)
        let pending = Pending(
            app: needed.account.app, account: needed.account, method: method, installation: installation, attempt: attempt, expires: expires)
        table.withLock { $0[token] = pending }
        return WaitingSignIn(token: token, expires: expires, account: needed.account, factors: needed.factors)
    }

    /// Counts a code for a pending sign-in of an app; nil if there is none, or if it had five already.
    func take(_ token: String, of app: AppID) -> Pending? {
        let now = clock.now()
        return table.withLock { table in
            guard var pending = table[token], pending.app == app else { return nil }
            guard now < pending.expires, pending.codes < PendingSignIns.mostCodes else {
                table[token] = nil
                return nil
            }
            pending.codes += 1
            table[token] = pending
            return pending
        }
    }

    /// Ends a pending sign-in. Returns false if another request ended it.
    func end(_ token: String) -> Bool {
        table.withLock { table in
            guard table[token] != nil else { return false }
            table[token] = nil
            return true
        }
    }
}

/// The outcome of a first factor.
enum SignInOutcome: Sendable {
    case done(SignedIn)
    case pending(WaitingSignIn)

    var account: Account {
        switch self {
        case .done(let made): made.account
        case .pending(let waiting): waiting.account
        }
    }
}

/// A sign-in that waits for the code of one of the account's second factors.
struct WaitingSignIn: Sendable {
    let token: String
    let expires: Timestamp
    let account: Account
    let factors: [SecondFactor]

    /// The response that asks for a code.
    var response: HandlerResponse {
        get throws {
            let factors = factors.map { SecondFactorResponse($0) }
            return try .json(
                SignInResponse(secondFactor: .init(pending: token, expiresAt: Moment(expires), factors: factors)), status: 202
            ).withoutCaching
        }
    }
}

/// The second step of a sign-in.
struct SecondFactorSignIns: Sendable {
    let store: AccountStore
    let limits: AccountLimits
    let rules: AccountRules
    let responses: SessionResponses
    let traces: SignInTraces
    let pendings: PendingSignIns

    static let routes = [
        Route(.post, "/v1/auth/second-factor", .role(.ingest), .task(\.accounts.secondFactors, SecondFactorSignIns.signIn), most: 4 << 10)
    ]

    private var gauges: AccountGauges { store.gauges }

    func signIn(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("pending", "factor", "code")
        let app = try call.onlyApp(in: responses.store)
        let (token, code, factor) = (try body.text("pending"), try body.text("code"), try body.optionalText("factor"))
        return try await responses.session(try await finish(token, code, factor: factor, app, call), app)
    }

    /// Repeats a pending sign-in with a code.
    func finish(_ token: String, _ code: String, factor: String?, _ app: App, _ call: Call) async throws -> SignedIn {
        try rules.requireCapacity()
        try counted { () throws(Refusal) in try limits.take(.signIn, from: call.head.client) }
        guard let pending = pendings.take(token, of: app.id) else {
            gauges.usedFactor(.expired)
            throw Refusal(.sessionEnded, "The sign-in has expired, or had too many wrong codes.", hint: "Sign in again.")
        }
        try counted { () throws(Refusal) in try limits.takeFactorGuess(of: pending.account) }
        let made: SignedIn
        do {
            made = try await pending.attempt(.code(code, factor: factor))
        } catch let refusal as Refusal where refusal.code == .invalidCode {
            gauges.usedFactor(.wrong)
            store.signInFailed(pending.account, AccountOrigin(method: "second_factor", place: call.head.client.place))
            throw refusal
        }
        _ = pendings.end(token)
        gauges.usedFactor(made.session.secondFactor == .recovery ? .recovered : .done)
        gauges.signedIn(pending.method, .done)
        await traces.add(made, pending.installation, app)
        return made
    }

    private func counted(_ take: () throws(Refusal) -> Void) throws(Refusal) {
        do throws(Refusal) { try take() } catch {
            gauges.usedFactor(.limited)
            throw error
        }
    }
}

extension SecondFactorResponse {
    init(_ factor: SecondFactor) {
        self.init(
            id: factor.id, kind: factor.kind.rawValue, name: factor.name, createdAt: Moment(factor.created),
            confirmedAt: factor.confirmed.map { Moment($0) })
    }
}
