// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Options and limits of the message store.
package struct MessageBounds: Sendable {
    package var topicsOfRegistration = 2_000
    package var chunk = 5_000
    /// Undelivered messages of one stream registration. Above it the oldest expire, and the reader gets a gap.
    package var pendingOfStream = 100
    package var streams = 10_000
    /// The life of a message with a time to live of 0, which is attempted once. It leaves time for the delivery's turn.
    var lifetimeOfZeroTTL = Timestamp.Span.seconds(3)
    package var staleAfter = Timestamp.Span.days(30)
    package var expiredAfter = Timestamp.Span.days(270)
    /// The time of failures alone after which a registration is disabled. Failures of twice that age are forgotten.
    var disabledAfter = Timestamp.Span.days(5)
    package var keptAfter = Timestamp.Span.days(30)
    var graceOfSecret = Timestamp.Span.hours(24)
    package var idempotency = Timestamp.Span.hours(24)
    var challengeTries = 3
    /// Unconfirmed webhook registrations of one app. Above it a registration is rejected.
    package var unconfirmedPerApp = 1_000
    /// The same limit for one origin (scheme, host and port), over all apps. It protects a host from challenges that clients cause.
    package var unconfirmedPerOrigin = 100
    package var queue = 8_192
    /// The pages in the write-ahead log from which on the writer checkpoints.
    package var checkpointPages = 4_000

    package init() {}

    package static let settings: [Setting<MessageBounds>] = [
        Setting("stale_days", .days(1...3_650), \.staleAfter, "Days without contact after which a registration is stale"),
        Setting("expired_days", .days(1...3_650), \.expiredAfter, "Days without contact after which a registration is deleted"),
        Setting("disabled_days", .days(1...365), \.disabledAfter, "Days of failures only, after which a webhook is disabled"),
        Setting("kept_days", .days(1...3_650), \.keptAfter, "Days for which a finished message is kept"),
        Setting("topics_per_device", .count(1...100_000, "topics"), \.topicsOfRegistration, "Limit of topics of a registration"),
        Setting(
            "pending_per_stream", .count(1...100_000, "messages"), \.pendingOfStream,
            "Undelivered messages of a stream; above that the oldest expire"),
        Setting("secret_grace_hours", .hours(0...8_760), \.graceOfSecret, "Hours for which a replaced signing secret still signs"),
        Setting("challenge_tries", .count(1...10, "attempts"), \.challengeTries, "Attempts to verify a webhook endpoint"),
        Setting("chunk", .count(1...100_000, "deliveries"), \.chunk, "Limit of deliveries created in a commit"),
        Setting("queue", .count(1...1_000_000, "changes"), \.queue, "Changes queued for writing above which requests are rejected"),
    ]

    package static let streamSettings: [Setting<MessageBounds>] = [
        Setting("listeners", .count(0...1_000_000, "streams"), \.streams, "Limit of open message streams")
    ]
}
