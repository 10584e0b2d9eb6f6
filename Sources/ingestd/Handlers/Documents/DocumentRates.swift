// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import SignalboxDocumentModel
import Synchronization

/// The limits of users and of clients without a token, for each user or address: 100 writes a second and 1,000 at once, and the bytes of
/// documents that these read and make, 10 MiB a second and 128 MiB at once.
final class DocumentRates: Sendable {
    private struct Limits {
        var writes: RateLimit
        var bytes: RateLimit

        init(at now: Timestamp) {
            writes = RateLimit(perMinute: 6_000, burst: 1_000, at: now)
            bytes = RateLimit(perMinute: 60 * (10 << 20), burst: 128 << 20, at: now)
        }
    }

    /// Beyond this number all are forgotten, which only gives each a new burst.
    private static let most = 10_000

    private let limits = Mutex<[ExactName: Limits]>([:])

    func take(_ writes: Int, _ call: Call, at now: Timestamp) throws(Refusal) {
        guard let name = call.countedClient else { return }
        try take(max(1, writes), of: name, \.writes, "100 writes", at: now)
    }

    /// Takes bytes of documents that a request's writes read and make.
    func take(bytes: Int, _ call: Call, at now: Timestamp) throws(Refusal) {
        guard let name = call.countedClient else { return }
        try take(bytes, of: name, \.bytes, "10 MiB of documents that are read and written", at: now)
    }

    private func take(
        _ count: Int, of name: ExactName, _ limit: WritableKeyPath<Limits, RateLimit>, _ what: String, at now: Timestamp
    ) throws(Refusal) {
        let verdict = limits.withLock { limits in
            if limits.count >= DocumentRates.most, limits[name] == nil { limits = [:] }
            return limits[name, default: Limits(at: now)][keyPath: limit].take(count, at: now)
        }
        guard case .limited(let seconds) = verdict else { return }
        throw Refusal(
            .rateLimited, "The limit of \(what) a second is exceeded; nothing of this request was stored.",
            hint: "Send the request again later.", retryAfterSeconds: max(1, seconds))
    }
}
