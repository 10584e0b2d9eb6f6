// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import EventStore
import HTTPServer
import Platform
import Synchronization

/// The limits of sign-ins, new accounts and refreshes.
final class AccountLimits: Sendable {
    private let throttle: Mutex<Throttle>
    private let hash: KeyedHash
    private let clock: WallClock

    init(hash: KeyedHash, clock: WallClock) {
        (self.hash, self.clock) = (hash, clock)
        throttle = Mutex(Throttle(at: clock.now()))
    }

    /// Takes a sign-in or a new account from the budget of the client's address.
    func take(_ kind: Throttle.AddressKind, from client: ClientAddress) throws(Refusal) {
        let now = clock.now()
        try AccountLimits.check(throttle.withLock { $0.take(kind, from: client.address, at: now) })
    }

    /// Takes a use of a session's refresh token, or another change that a session may make often.
    func takeRefresh(of session: SessionID, in app: App) throws(Refusal) {
        let (now, key) = (clock.now(), hash(.session, app: app.id, Array(session.text.utf8).span))
        try AccountLimits.check(throttle.withLock { $0.take(refreshOf: key, at: now) })
    }

    /// Takes a mail from the budget of an address, whether or not an account has it.
    func takeMail(to email: EmailAddress, in app: App) throws(Refusal) {
        let (now, key) = (clock.now(), hash(.user, app: app.id, Array("mail \(email.key)".utf8).span))
        try AccountLimits.check(throttle.withLock { $0.take(mailTo: key, at: now) })
    }

    /// Takes a guess of a password, before it is hashed. It counts for an address whether or not an account has it.
    func takeGuess(of account: GuessedAccount) throws(Refusal) {
        let now = clock.now()
        try AccountLimits.check(throttle.withLock { $0.guess(account.key, device: account.device, at: now) })
    }

    /// Takes a guess at a code of an account's second factors: ten in fifteen minutes.
    func takeFactorGuess(of account: Account) throws(Refusal) {
        let (now, key) = (clock.now(), hash(.user, app: account.app, Array(account.uid.utf8).span))
        try AccountLimits.check(throttle.withLock { $0.guess(factorOf: key, at: now) })
    }

    /// Forgets the failures of an account, after a right password.
    func succeeded(_ account: GuessedAccount) {
        throttle.withLock { $0.succeeded(account.key, device: account.device) }
    }

    func guessed(_ email: EmailAddress, in app: App, device: UInt64?) -> GuessedAccount {
        GuessedAccount(key: hash(.user, app: app.id, Array(email.key.utf8).span), device: device)
    }

    private static func check(_ verdict: Throttle.Verdict) throws(Refusal) {
        guard case .limited(let seconds) = verdict else { return }
        throw Refusal(
            .tooManyAttempts, "Too many attempts.", hint: "Send the request again after the time in Retry-After.", retryAfterSeconds: max(1, seconds))
    }
}

/// The object of a guessed password: an address, and a device that signed in to its account before.
struct GuessedAccount: Sendable {
    var key: UInt64
    var device: UInt64?
}

extension ClientAddress {
    /// The IP address; one that nobody has for a client without any.
    fileprivate var address: IPAddress { IPAddress(description) ?? IPAddress(high: 0, low: 0) }

    /// The network of the client, for account events: /24 of IPv4, /56 of IPv6, empty without an address.
    var place: String {
        guard let address = IPAddress(description) else { return "" }
        return address.isV4
            ? "\(IPAddress(v4: UInt32(truncatingIfNeeded: address.low) & 0xffff_ff00))/24" : "\(IPAddress(high: address.high & ~0xff, low: 0))/56"
    }
}
