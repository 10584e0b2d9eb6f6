// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What the sender asks for: claims for as many deliveries as it has room, none of them for origins that have enough.
package struct DeliveryWishes: Sendable {
    package var limit: Int
    /// At most so many of one origin.
    package var limitOfOrigin: Int
    /// Room left where it is less than that; 0 leaves the origin out.
    package var room: [Int64: Int]
    package var leaseEnds: Timestamp
    package var now: Timestamp

    package init(limit: Int, limitOfOrigin: Int, room: [Int64: Int] = [:], leaseEnds: Timestamp, now: Timestamp) {
        self.limit = limit
        self.limitOfOrigin = limitOfOrigin
        self.room = room
        self.leaseEnds = leaseEnds
        self.now = now
    }
}

/// What was claimed, and when there will be more of those origins that were not left out; nil where nothing is known to come.
package struct ClaimedDeliveries: Sendable {
    package var deliveries: [ClaimedDelivery]
    package var nextDue: Timestamp?

    package init(_ deliveries: [ClaimedDelivery], nextDue: Timestamp?) {
        self.deliveries = deliveries
        self.nextDue = nextDue
    }
}

/// One exchange with a receiver, for the log of attempts.
package struct AttemptRecord: Sendable, Equatable {
    package static let mostResponseBytes = 4 << 10

    package var at: Timestamp
    package var milliseconds: Int
    /// 0 where no answer came.
    package var status: Int
    /// A stable word where no answer came or it was not taken, such as `timed_out`; empty otherwise.
    package var error: String
    package var response: [UInt8]

    package init(at: Timestamp, milliseconds: Int, status: Int, error: String, response: [UInt8]) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.error = error
        self.response = response
    }
}

/// What became of a claimed delivery.
package enum DeliveryVerdict: Sendable, Equatable {
    case delivered
    case retry(at: Timestamp)
    case dead
    case expired
    /// The receiver is gone for good, and its registration with it.
    case gone
    /// It was not tried; the attempt does not count.
    case returned(due: Timestamp)
}

package struct DeliveryOutcome: Sendable {
    package var id: Int64
    package var claim: Int64
    package var message: Int64
    package var registration: Int64
    package var attempt: Int
    package var verdict: DeliveryVerdict
    /// Nil where there was no exchange.
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

/// The durable queue behind the sender: a store back end keeps it.
package protocol DeliveryQueue: Sendable {
    func claim(_ wishes: DeliveryWishes) async throws -> ClaimedDeliveries
    /// Told together, durable together.
    func settle(_ outcomes: [DeliveryOutcome]) async throws
    /// Nil where the message is gone.
    func content(of message: Int64) async throws -> MessageContent?
    /// The endpoints that are to be asked now whether they want messages.
    func takeChallenges(_ wishes: ChallengeWishes) async throws -> TakenChallenges
    func answered(_ challenge: Challenge, _ answer: ChallengeAnswer) async throws
    /// Rings when something may be due, or to be asked, earlier than was said before.
    var news: AsyncStream<Void> { get }
}
