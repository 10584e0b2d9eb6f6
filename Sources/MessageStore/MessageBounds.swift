// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bounds of what is kept for messages; the daemon fills them from its configuration.
package struct MessageBounds: Sendable {
    package var topicsOfRegistration = 2_000
    /// Deliveries made in one transaction.
    package var chunk = 5_000
    /// Deliveries that wait for a stream's reader; beyond them the oldest expire.
    package var pendingOfStream = 100
    /// Streams open at once.
    package var streams = 10_000
    /// A message with a time to live of 0 is tried once: this long it may take for its turn to come.
    package var lifeOfNowOrNever = Timestamp.Span.seconds(3)
    package var staleAfter = Timestamp.Span.days(30)
    package var expiredAfter = Timestamp.Span.days(270)
    /// A registration that only failed for so long is disabled; a failure of twice as long ago is forgotten.
    package var disabledAfter = Timestamp.Span.days(5)
    /// How long a message that is over can be looked at.
    package var keptAfter = Timestamp.Span.days(30)
    /// How long a secret that was replaced still signs.
    package var graceOfSecret = Timestamp.Span.hours(24)
    package var idempotency = Timestamp.Span.hours(24)
    package var challengeTries = 3
    /// Endpoints that wait to prove themselves, of an app and of one host.
    package var pendingOfApp = 1_000
    package var pendingOfOrigin = 100
    /// Changes that wait for the writer; beyond them more are refused.
    package var queue = 8_192
    /// Pages in the log that start a checkpoint.
    package var checkpointPages = 4_000

    package init() {}
}
