// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The limits of sign-ins, new accounts, codes and refreshes, with bounded memory. Keys are hashes of what they stand for.
package struct Throttle: Sendable {
    package typealias Verdict = RateLimit.Verdict

    package enum AddressKind: Sendable, CaseIterable {
        case signIn, newAccount, code

        /// The number, and the minutes in which it is available again.
        fileprivate var limit: (count: Int, minutes: Int) {
            switch self {
            case .signIn: (20, 1)
            case .newAccount: (100, 60)
            case .code: (30, 60)
            }
        }
    }

    private struct AddressKey: Hashable, Sendable {
        var kind: AddressKind
        var address: IPAddress
    }

    private struct GuessKey: Hashable, Sendable {
        var account: UInt64
        /// 0 stands for all devices that never signed in.
        var device: UInt64
    }

    /// Mails to one address: one a minute, and five an hour.
    private struct Mails: Sendable {
        var minute: Budget
        var hour: Budget
    }

    private static let refreshesPerMinute = 30
    private static let mailsPerHour = 5
    private static let factorGuesses = (count: 10, minutes: 15)

    private var addresses: BoundedTable<AddressKey, Budget>
    private var sessions: BoundedTable<UInt64, Budget>
    private var mails: BoundedTable<UInt64, Mails>
    private var factors: BoundedTable<UInt64, Budget>
    private var guesses: BoundedTable<GuessKey, Guesses>

    /// - Parameter capacity: The number of keys of each limit that are remembered.
    package init(at now: Timestamp, capacity: Int = 50_000) {
        (addresses, sessions, mails) = (BoundedTable(capacity: capacity), BoundedTable(capacity: capacity), BoundedTable(capacity: capacity))
        (factors, guesses) = (BoundedTable(capacity: capacity), BoundedTable(capacity: capacity))
    }

    /// Takes an attempt from the budget of an address. An IPv6 address counts with its /64 network.
    package mutating func take(_ kind: AddressKind, from address: IPAddress, at now: Timestamp) -> Verdict {
        let key = AddressKey(kind: kind, address: address.isV4 ? address : IPAddress(high: address.high, low: 0))
        let (count, minutes) = kind.limit
        var limit = addresses[key] ?? Budget(count, perMinutes: minutes, at: now)
        defer { addresses[key] = limit }
        return limit.take(at: now)
    }

    package mutating func take(refreshOf session: UInt64, at now: Timestamp) -> Verdict {
        var limit = sessions[session] ?? Budget(Throttle.refreshesPerMinute, perMinutes: 1, at: now)
        defer { sessions[session] = limit }
        return limit.take(at: now)
    }

    package mutating func take(mailTo address: UInt64, at now: Timestamp) -> Verdict {
        var state = mails[address] ?? Mails(minute: Budget(1, perMinutes: 1, at: now), hour: Budget(Throttle.mailsPerHour, perMinutes: 60, at: now))
        defer { mails[address] = state }
        let verdict = state.minute.take(at: now)
        return verdict == .allowed ? state.hour.take(at: now) : verdict
    }

    /// Takes a guess at a second factor: ten in fifteen minutes for an account.
    package mutating func guess(factorOf account: UInt64, at now: Timestamp) -> Verdict {
        let (count, minutes) = Throttle.factorGuesses
        var limit = factors[account] ?? Budget(count, perMinutes: minutes, at: now)
        defer { factors[account] = limit }
        return limit.take(at: now)
    }

    /// Counts a guess before it is hashed, so that parallel guesses count. Known devices are counted apart from strangers.
    package mutating func guess(_ account: UInt64, device: UInt64?, at now: Timestamp) -> Verdict {
        let key = GuessKey(account: account, device: device ?? 0)
        var state = guesses[key] ?? Guesses(next: now)
        defer { guesses[key] = state }
        return state.take(at: now)
    }

    /// Forgets the guesses before a right password.
    package mutating func succeeded(_ account: UInt64, device: UInt64?) {
        guesses[GuessKey(account: account, device: device ?? 0)] = nil
    }

    /// The number of remembered keys.
    package var count: Int { addresses.count + sessions.count + mails.count + factors.count + guesses.count }
}

/// A number of attempts in some minutes, all of which may come at once.
private struct Budget: Sendable {
    private var tokens: RateLimit
    private let cost: Int

    init(_ count: Int, perMinutes minutes: Int, at now: Timestamp) {
        // `RateLimit` counts per minute: five an hour are five tokens a minute, of which an attempt takes sixty.
        tokens = RateLimit(perMinute: count, burst: count * minutes, at: now)
        cost = minutes
    }

    mutating func take(at now: Timestamp) -> Throttle.Verdict { tokens.take(cost, at: now) }
}

/// Failed guesses of one password, by strangers or by one known device.
///
///     guesses 1 to 5     allowed
///     guess 6            allowed a second after the fifth
///     guess 7            two seconds after that; then 4, 8 … s, at most 15 minutes
struct Guesses: Sendable {
    private static let free = 5
    private static let longestWait = Timestamp.Span.minutes(15)

    private var count = 0
    private var next: Timestamp

    init(next: Timestamp) {
        self.next = next
    }

    mutating func take(at now: Timestamp) -> Throttle.Verdict {
        // A clock that was set back must not extend the wait.
        if next - now > Guesses.longestWait { next = now }
        guard next <= now else { return .limited(retryAfterSeconds: Int((next - now).milliseconds + 999) / 1_000) }
        if now - next > .hours(24) { count = 0 }
        count += 1
        let wait: Int64 = count < Guesses.free ? 0 : 1 << min(count - Guesses.free, 10)
        next = now + min(.seconds(wait), Guesses.longestWait)
        return .allowed
    }
}
