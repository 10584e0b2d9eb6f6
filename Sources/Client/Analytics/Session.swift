// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A time in which somebody uses the app without a long pause.
struct Session: Codable, Equatable {
    var id: String
    var lastSeen: Date

    init(at now: Date) {
        id = TimeOrderedID.text(milliseconds: now.microseconds / 1_000)
        lastSeen = now
    }

    /// Something happens now; false where the session is over. A clock that was set back ends nothing.
    mutating func goesOn(at now: Date, timeout: TimeInterval) -> Bool {
        guard now.timeIntervalSince(lastSeen) < timeout else { return false }
        lastSeen = now
        return true
    }
}

/// How long the app was in front since that was last told.
struct Engagement {
    private var since: Date?

    mutating func begin(at now: Date) {
        if since == nil { since = now }
    }

    /// Milliseconds; nil where it was not in front for as much as a second.
    mutating func end(at now: Date) -> Int64? {
        defer { since = nil }
        guard let since, now.timeIntervalSince(since) >= 1 else { return nil }
        return Int64(now.timeIntervalSince(since) * 1_000)
    }
}
