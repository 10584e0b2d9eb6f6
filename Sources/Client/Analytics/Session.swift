// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A period of use without a pause longer than the session timeout.
struct Session: Codable, Equatable {
    var id: String
    var lastSeen: Date

    init(at now: Date) {
        id = TimeOrderedID.text(milliseconds: now.microseconds / 1_000)
        lastSeen = now
    }

    /// Extends the session to `now`; returns `false` if the session timed out. A clock that was set back does not end a session.
    mutating func extend(to now: Date, timeout: TimeInterval) -> Bool {
        guard now.timeIntervalSince(lastSeen) < timeout else { return false }
        lastSeen = now
        return true
    }
}

/// Measures how long the app has been in the foreground since the last `user_engagement` event.
struct Engagement {
    private var since: Date?

    mutating func begin(at now: Date) {
        if since == nil { since = now }
    }

    /// Returns the foreground time in milliseconds; `nil` if it was less than a second.
    mutating func end(at now: Date) -> Int64? {
        defer { since = nil }
        guard let since, now.timeIntervalSince(since) >= 1 else { return nil }
        return Int64(now.timeIntervalSince(since) * 1_000)
    }
}
