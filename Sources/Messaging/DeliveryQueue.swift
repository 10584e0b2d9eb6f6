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

/// What a receiver's secret is and how it signs, after Standard Webhooks.
package struct SigningKey: Sendable, Equatable {
    package enum Scheme: Int, Sendable {
        /// `v1`: HMAC-SHA256 over a shared secret.
        case symmetric = 1
        /// `v1a`: Ed25519; the bytes are the private seed.
        case asymmetric = 2
    }

    package var scheme: Scheme
    package var bytes: [UInt8]

    package init(_ scheme: Scheme, _ bytes: [UInt8]) {
        self.scheme = scheme
        self.bytes = bytes
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

/// What every receiver of a message gets alike: the fields of `data` in the body, as they stand in its JSON.
package struct MessageContent: Sendable {
    package var id: String
    package var topic: String?
    package var condition: String?
    /// Compact JSON objects, as checked when the message was taken.
    package var notification: [UInt8]?
    package var data: [UInt8]?
    package var platform: [UInt8]?
    /// Only of the daemon's own messages: a sentence at the top of the body, which chat webhooks show.
    package var text: String?
    package var label: String?
    package var collapseKey: String?
    package var priority: MessagePriority
    package var sent: Timestamp
    package var expires: Timestamp

    package init(
        id: String, topic: String? = nil, condition: String? = nil, notification: [UInt8]? = nil, data: [UInt8]? = nil,
        platform: [UInt8]? = nil, text: String? = nil, label: String? = nil, collapseKey: String? = nil, priority: MessagePriority = .normal,
        sent: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.topic = topic
        self.condition = condition
        self.notification = notification
        self.data = data
        self.platform = platform
        self.text = text
        self.label = label
        self.collapseKey = collapseKey
        self.priority = priority
        self.sent = sent
        self.expires = expires
    }
}

package enum MessagePriority: Int, StoredWord {
    case normal = 1
    case high = 2
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
