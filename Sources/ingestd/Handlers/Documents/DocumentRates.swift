// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import SignalboxDocumentModel
import Synchronization

/// The writes of users and of clients without a token: 100 a second and 1,000 at once for each user or address.
final class DocumentRates: Sendable {
    private static let (perMinute, burst) = (6_000, 1_000)
    /// Beyond this number all are forgotten, which only gives each a new burst.
    private static let most = 10_000

    private let limits = Mutex<[ExactName: RateLimit]>([:])

    func take(_ writes: Int, _ call: Call, at now: Timestamp) throws(Refusal) {
        guard let name = call.countedClient else { return }
        let verdict = limits.withLock { limits in
            if limits.count >= DocumentRates.most, limits[name] == nil { limits = [:] }
            return limits[name, default: RateLimit(perMinute: DocumentRates.perMinute, burst: DocumentRates.burst, at: now)]
                .take(max(1, writes), at: now)
        }
        guard case .limited(let seconds) = verdict else { return }
        throw Refusal(
            .rateLimited, "The limit of 100 writes a second is exceeded; nothing of this request was stored.",
            hint: "Send the request again later.", retryAfterSeconds: max(1, seconds))
    }
}
