// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform
import AcrossStores
import Synchronization

/// Rate limits of ingest keys in events a minute, the key's own or else its app's, and the operator's limits of an app for a UTC day.
final class KeyRates: Sendable {
    private struct Bucket: Sendable {
        var perMinute: Int
        var limit: RateLimit

        init(perMinute: Int, at now: Timestamp) {
            (self.perMinute, limit) = (perMinute, RateLimit(perMinute: perMinute, burst: perMinute, at: now))
        }

        mutating func take(_ events: Int, perMinute: Int, at now: Timestamp) -> RateLimit.Verdict {
            if self.perMinute != perMinute { self = Bucket(perMinute: perMinute, at: now) }
            return limit.take(events, at: now)
        }
    }

    private struct UserKey: Hashable, Sendable {
        var key: Int64
        var user: String
    }

    /// A user gets at most this part of the rate of the session's key, so that one cannot take it from all others.
    private static let usersPerRate = 4
    /// Beyond this number of users all are forgotten, which only gives each a new burst.
    private static let mostUsers = 10_000

    private let buckets = Mutex<[Int64: Bucket]>([:])
    private let users = Mutex<[UserKey: Bucket]>([:])
    let quotas: AppQuotas

    init(_ quotas: AppQuotas) {
        self.quotas = quotas
    }

    /// Takes a request's events and bytes from the budgets of the key and the app, or rejects the whole request.
    func take(_ events: Int, bytes: Int, _ caller: Caller, at now: Timestamp) throws(Refusal) {
        guard let (_, app) = caller.rated else { return }
        try takeChanges(events, caller, at: now)
        try quotas.take(events, bytes: bytes, app, at: now)
    }

    /// Takes from the key's budget only, for changes that are not events.
    func takeChanges(_ events: Int, _ caller: Caller, at now: Timestamp) throws(Refusal) {
        guard let (key, app) = caller.rated else { return }
        let perMinute = key.restrictions.eventsPerMinute > 0 ? key.restrictions.eventsPerMinute : app.settings.eventsPerMinute
        guard perMinute > 0 else { return }
        if case .user(let user) = caller {
            let share = max(1, perMinute / KeyRates.usersPerRate)
            let verdict = users.withLock { users in
                let known = UserKey(key: key.id, user: user.uid)
                if users.count >= KeyRates.mostUsers, users[known] == nil { users = [:] }
                return users[known, default: Bucket(perMinute: share, at: now)].take(events, perMinute: share, at: now)
            }
            try KeyRates.check(verdict, "The user's part of the key's limit, \(share)")
        }
        let verdict = buckets.withLock { buckets in
            buckets[key.id, default: Bucket(perMinute: perMinute, at: now)].take(events, perMinute: perMinute, at: now)
        }
        try KeyRates.check(verdict, "The key's limit of \(perMinute)")
    }

    private static func check(_ verdict: RateLimit.Verdict, _ limit: String) throws(Refusal) {
        guard case .limited(let seconds) = verdict else { return }
        throw Refusal(
            .rateLimited, "\(limit) events a minute is exceeded; nothing of this request was stored.",
            hint: "Send the request again later.",
            retryAfterSeconds: max(1, seconds))
    }

    /// Drops the state of deleted keys.
    func keep(only directory: Directory) {
        let keys = Set(directory.keys.values.map(\.id))
        buckets.withLock { $0 = $0.filter { keys.contains($0.key) } }
    }
}

extension Caller {
    /// The key whose rate applies.
    fileprivate var rated: (key: APIKey, app: App)? {
        switch self {
        case .key(let key, let app): (key, app)
        case .user(let user): (user.key, user.app)
        case .anyone, .operator: nil
        }
    }
}
