// SPDX-License-Identifier: Apache-2.0

import Platform

/// Counts clients whose first batch writes nothing. Rules allow such a batch to everyone, so their number is bounded.
struct ClientsWithoutWrites {
    private var counts: [AppID: (since: Timestamp, clients: Int)] = [:]

    /// Counts one more client of an app, or throws if the app had too many within the time for which they are kept.
    mutating func add(_ app: AppID, at now: Timestamp) throws(Refusal) {
        var count = counts[app] ?? (since: now, clients: 0)
        if count.since > now || count.since < now - DocumentBounds.emptyBatchKept { count = (since: now, clients: 0) }
        guard count.clients < DocumentBounds.clientsWithoutWrites else {
            throw Refusal(
                .rateLimited, "Too many new clients have sent a batch without writes; nothing was stored.",
                hint: "Send the request again later.", retryAfterSeconds: 60)
        }
        count.clients += 1
        counts[app] = count
    }
}
