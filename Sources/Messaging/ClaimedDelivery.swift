// SPDX-License-Identifier: Apache-2.0

package import Platform

/// One delivery to a webhook, ours until the lease ends.
package struct ClaimedDelivery: Sendable {
    package var id: Int64
    /// Fences: an outcome told under another claim than the newest is not heard.
    package var claim: Int64
    /// The same over all attempts and redrives; without a dot, which would end it in what is signed.
    package var webhookID: String
    package var message: Int64
    package var registration: Int64
    package var origin: Int64
    /// 1 for the first.
    package var attempt: Int
    package var url: String
    package var token: String
    /// Newest first; the one before it too while its grace lasts.
    package var keys: [SigningKey]
    package var expires: Timestamp
    package var leaseEnds: Timestamp

    package init(
        id: Int64, claim: Int64, webhookID: String, message: Int64, registration: Int64, origin: Int64, attempt: Int, url: String, token: String,
        keys: [SigningKey], expires: Timestamp, leaseEnds: Timestamp
    ) {
        self.id = id
        self.claim = claim
        self.webhookID = webhookID
        self.message = message
        self.registration = registration
        self.origin = origin
        self.attempt = attempt
        self.url = url
        self.token = token
        self.keys = keys
        self.expires = expires
        self.leaseEnds = leaseEnds
    }
}
