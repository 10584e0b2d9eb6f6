// SPDX-License-Identifier: Apache-2.0

import Panes

/// Events of a stream that resumes after the last complete event.
struct ResumableEvents: Sendable {
    private var events = ServerSentEvents()
    private var lastID = ""
    private var hasProgress = false

    mutating func take(_ bytes: [UInt8]) throws -> [StreamEvent] {
        hasProgress = true
        let events = try events.take(bytes)
        if let id = events.last?.id, !id.isEmpty { lastID = id }
        return events
    }

    /// Resumes after an ID.
    mutating func goOn(behind id: String) {
        lastID = id
    }

    /// Returns whether bytes arrived since the last call.
    mutating func takeProgress() -> Bool {
        defer { hasProgress = false }
        return hasProgress
    }

    /// Drops a partial event. Returns the headers that resume after the last complete one.
    mutating func beginAgain() -> [(name: String, value: String)] {
        events.beginAgain()
        return lastID.isEmpty ? [] : [("Last-Event-ID", lastID)]
    }
}
