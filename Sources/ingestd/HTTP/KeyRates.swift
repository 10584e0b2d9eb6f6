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
    }

    private let buckets = Mutex<[Int64: Bucket]>([:])
    let quotas: AppQuotas

    init(_ quotas: AppQuotas) {
        self.quotas = quotas
    }

    /// Takes a request's events and bytes from the budgets of the key and the app, or rejects the whole request.
    func take(_ events: Int, bytes: Int, _ caller: Caller, at now: Timestamp) throws(Refusal) {
        guard case .key(_, let app) = caller else { return }
        try takeChanges(events, caller, at: now)
        try quotas.take(events, bytes: bytes, app, at: now)
    }

    /// Takes from the key's budget only, for changes that are not events.
    func takeChanges(_ events: Int, _ caller: Caller, at now: Timestamp) throws(Refusal) {
        guard case .key(let key, let app) = caller else { return }
        let perMinute = key.restrictions.eventsPerMinute > 0 ? key.restrictions.eventsPerMinute : app.settings.eventsPerMinute
        guard perMinute > 0 else { return }
        let verdict = buckets.withLock { buckets in
            var bucket = buckets[key.id] ?? Bucket(perMinute: 0, limit: RateLimit(perMinute: 0, burst: 1, at: now))
            if bucket.perMinute != perMinute {
                bucket = Bucket(perMinute: perMinute, limit: RateLimit(perMinute: perMinute, burst: perMinute, at: now))
            }
            defer { buckets[key.id] = bucket }
            return bucket.limit.take(events, at: now)
        }
        guard case .limited(let seconds) = verdict else { return }
        throw Refusal(
            .rateLimited, "The key's limit of \(perMinute) events a minute is exceeded; nothing of this request was stored.",
            hint: "Send the request again later.",
            retryAfterSeconds: max(1, seconds))
    }

    /// Drops the state of deleted keys.
    func keep(only directory: Directory) {
        let keys = Set(directory.keys.values.map(\.id))
        buckets.withLock { $0 = $0.filter { keys.contains($0.key) } }
    }
}
