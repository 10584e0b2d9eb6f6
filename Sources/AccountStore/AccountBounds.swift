// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import Platform

/// The limits of the account store.
package struct AccountBounds: Sendable {
    /// The file with the key; nil for `accounts.key` in the data folder.
    package var keyFile: String?
    package var sessionsPerAccount = 100
    /// The time without a refresh after which a session ends.
    package var sessionIdle = Timestamp.Span.days(180)
    /// The time without a refresh after which an anonymous account is removed.
    package var anonymousIdle = Timestamp.Span.days(30)
    /// The time for which account events are kept.
    package var auditKept = Timestamp.Span.days(180)
    package var keyLife = Timestamp.Span.days(90)
    /// The time for which a new signing key is published before it signs.
    package var keyAhead = Timestamp.Span.hours(24)
    package var queue = 8_192
    /// Whether users get notices by mail; otherwise only mails that somebody asked for are queued.
    package var sendsMail = false
    /// Generates private keys. Tests share some, because each takes some hundred milliseconds.
    package var makePrivateKey: @Sendable () -> RSAPrivateKey = { .make() }
    /// The rows that one transaction removes, so that sign-ins do not wait for long.
    var removedAtOnce = 500

    package init() {}

    package static let settings: [Setting<AccountBounds>] = [
        Setting(
            "key_file", .optionalText, \.keyFile,
            "File with the key that encrypts signing keys and seals refresh tokens; null for accounts.key in the data folder"),
        Setting("sessions", .count(1...10_000, "sessions"), \.sessionsPerAccount, "Sessions of an account; a further sign-in ends the oldest"),
        Setting("session_idle_days", .days(1...3_650), \.sessionIdle, "Days without use after which a session ends"),
        Setting("anonymous_idle_days", .days(1...3_650), \.anonymousIdle, "Days without use after which an anonymous account is removed"),
        Setting("audit_days", .days(1...3_650), \.auditKept, "Days for which account events are kept"),
        Setting("key_days", .days(2...3_650), \.keyLife, "Days for which a signing key signs; its successor is published a day before"),
    ]

    /// The time for which an ID token is valid.
    package static let tokenLife = Timestamp.Span.hours(1)
    /// The longest time for which a session cookie is valid.
    package static let cookieLife = Timestamp.Span.days(14)
    /// The time for which a key is known after it stopped signing: until its last session cookie has expired, and a day longer.
    static let keyReserve = Timestamp.Span.days(15)
}
