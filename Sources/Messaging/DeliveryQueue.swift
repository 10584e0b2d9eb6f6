// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The sender's request for deliveries: its free capacity, without origins that have enough.
package struct ClaimRequest: Sendable {
    package var limit: Int
    /// The maximum number of deliveries per origin.
    package var limitPerOrigin: Int
    /// The capacity of origins with less than that; 0 excludes the origin.
    package var capacity: [Int64: Int]
    package var leaseEnds: Timestamp
    package var now: Timestamp

    package init(limit: Int, limitPerOrigin: Int, capacity: [Int64: Int] = [:], leaseEnds: Timestamp, now: Timestamp) {
        self.limit = limit
        self.limitPerOrigin = limitPerOrigin
        self.capacity = capacity
        self.leaseEnds = leaseEnds
        self.now = now
    }
}

/// The claimed deliveries, and the time of the next ones among the origins that were not excluded; nil if none are known.
package struct ClaimedDeliveries: Sendable {
    package var deliveries: [ClaimedDelivery]
    package var nextDue: Timestamp?

    package init(_ deliveries: [ClaimedDelivery], nextDue: Timestamp?) {
        self.deliveries = deliveries
        self.nextDue = nextDue
    }
}

/// One exchange with an endpoint, for the log of attempts.
package struct AttemptRecord: Sendable, Equatable {
    /// The bytes of a response that are stored.
    package static let mostResponseBytes = 4 << 10

    package var at: Timestamp
    package var milliseconds: Int
    /// The HTTP status; 0 if there was no response.
    package var status: Int
    /// A stable code if there was no response or it was not a success, such as `timed_out`; empty otherwise.
    package var error: String
    /// The beginning of the response. The rest is not held until the record is durable, which takes long while the disk is full.
    package let response: [UInt8]
    /// The word of the error that the response states; nil for none. It is not stored with the attempt.
    package var statedWord: String?

    package init(at: Timestamp, milliseconds: Int, status: Int, error: String, response: [UInt8], statedWord: String? = nil) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.error = error
        self.response = response.count > AttemptRecord.mostResponseBytes ? Array(response.prefix(AttemptRecord.mostResponseBytes)) : response
        self.statedWord = statedWord
    }
}

/// The outcome of a claimed delivery.
package enum DeliveryVerdict: Sendable, Equatable {
    case delivered
    case retry(at: Timestamp)
    case dead
    case expired
    /// The endpoint is permanently gone, so its registration is removed.
    case gone
    /// No request was sent. This is not an attempt.
    case returned(due: Timestamp)
}

package struct DeliveryOutcome: Sendable {
    package var id: Int64
    package var claim: Int64
    package var message: Int64
    package var registration: Int64
    package var attempt: Int
    package var verdict: DeliveryVerdict
    /// The exchange; nil if there was none.
    package var record: AttemptRecord?

    package init(_ delivery: ClaimedDelivery, _ verdict: DeliveryVerdict, _ record: AttemptRecord?) {
        id = delivery.id
        claim = delivery.claim
        message = delivery.message
        registration = delivery.registration
        attempt = delivery.attempt
        self.verdict = verdict
        self.record = record
    }
}

/// The meaning of a response for its delivery.
package struct ResponseMeaning: Sendable, Equatable {
    /// Nil leaves it to the sender's retry policy.
    package var verdict: DeliveryVerdict?
    /// The HTTP status of an error that the endpoint states about this delivery alone; nil if it states none. Such a response says nothing
    /// against the endpoint.
    package var statedStatus: Int?
    /// The word of an error that the response states, for the log; nil if it states none.
    package var statedWord: String?

    package init(_ verdict: DeliveryVerdict? = nil, statedStatus: Int? = nil, statedWord: String? = nil) {
        (self.verdict, self.statedStatus, self.statedWord) = (verdict, statedStatus, statedWord)
    }
}

/// The body and header fields of a delivery whose queue makes its request. The signature is added to them.
package struct DeliveryRequest: Sendable {
    package var body: [UInt8]
    package var fields: [(name: String, value: String)]

    package init(body: [UInt8], fields: [(name: String, value: String)]) { (self.body, self.fields) = (body, fields) }

    /// The name of the field with a key for the receiver.
    package static let tokenField = "Signalbox-Token"
    package var token: String? { fields.first { $0.name == DeliveryRequest.tokenField }?.value }
}

/// The durable queue of a sender, implemented by the stores of messages and functions.
package protocol DeliveryQueue: Sendable {
    func claim(_ request: ClaimRequest) async throws -> ClaimedDeliveries
    /// Records outcomes. They become durable together.
    func settle(_ outcomes: [DeliveryOutcome]) async throws
    /// Returns the content of a message; nil if it has been deleted.
    func content(of message: Int64) async throws -> MessageContent?
    /// Returns the request of a delivery with one of its own; nil if the delivery has been removed.
    func request(for delivery: ClaimedDelivery) async throws -> DeliveryRequest?
    /// Returns what a response means for its delivery.
    func meaning(of response: [UInt8], status: Int) -> ResponseMeaning
    /// Returns the endpoints to send a challenge to now.
    func claimChallenges(_ request: ChallengeRequest) async throws -> ClaimedChallenges
    func completed(_ challenge: Challenge, _ result: ChallengeResult) async throws
    /// Signals that a delivery or challenge may be due earlier than stated before.
    var dueChanges: AsyncStream<Void> { get }
}

/// A queue of messages makes no requests of its own, and its retries follow the policy.
extension DeliveryQueue {
    package func request(for delivery: ClaimedDelivery) async throws -> DeliveryRequest? { nil }
    package func meaning(of response: [UInt8], status: Int) -> ResponseMeaning { ResponseMeaning() }
}

/// A queue whose deliveries have requests of their own. Its endpoints are not asked whether they want them.
package protocol RequestQueue: DeliveryQueue {}

extension RequestQueue {
    package func content(of message: Int64) async throws -> MessageContent? { nil }
    package func claimChallenges(_ request: ChallengeRequest) async throws -> ClaimedChallenges { ClaimedChallenges(through: request.after) }
    package func completed(_ challenge: Challenge, _ result: ChallengeResult) async throws {}
}
