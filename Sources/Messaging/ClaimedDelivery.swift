// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A delivery to a webhook, leased to this sender until the lease ends.
package struct ClaimedDelivery: Sendable {
    package var id: Int64
    /// The fencing number. The queue ignores outcomes of any claim but the newest.
    package var claim: Int64
    /// The webhook ID, the same for all attempts and redrives. It has no dot, which would end it in the signed content.
    package var webhookID: String
    package var message: Int64
    package var registration: Int64
    package var origin: Int64
    /// The number of the attempt, from 1.
    package var attempt: Int
    package var url: String
    package var token: String
    /// The signing keys, newest first. The previous key is included during its grace period.
    package var keys: [SigningKey]
    package var expires: Timestamp
    package var leaseEnds: Timestamp
    /// The time limit of the exchange; nil for that of the sender.
    package var timeout: Timestamp.Span?
    /// The number of retries; nil for that of the sender's retry policy.
    package var retries: Int?
    /// Whether the queue makes the request (`DeliveryQueue.request`). Otherwise it follows from the message.
    package var hasOwnRequest = false
    /// Whether a worker of the origin carries it out, instead of an address.
    package var isForWorker = false

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
