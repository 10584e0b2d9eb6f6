// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform
import AcrossStores
import Synchronization

/// How many events each ingest key may send a minute: its own limit, or its app's.
final class KeyRates: Sendable {
    private struct Bucket: Sendable {
        var perMinute: Int
        var limit: RateLimit
    }

    private let buckets = Mutex<[Int64: Bucket]>([:])

    /// Takes as many events as a request brings, or refuses it whole before anything is stored.
    func take(_ events: Int, _ caller: Caller, at now: Timestamp) throws(Refusal) {
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
            .rateLimited, "This key may send \(perMinute) events a minute.", hint: "Send them again later; nothing of this request was kept.",
            retryAfterSeconds: max(1, seconds))
    }

    /// Drops what is held for keys that are gone, so that the table stays as small as the directory.
    func keep(only directory: Directory) {
        let keys = Set(directory.keys.values.map(\.id))
        buckets.withLock { $0 = $0.filter { keys.contains($0.key) } }
    }
}
