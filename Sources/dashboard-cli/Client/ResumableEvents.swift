// SPDX-License-Identifier: Apache-2.0

import Panes

/// Events of a stream that breaks off now and then, and goes on behind the last whole one.
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

    /// What was told before that is not told again.
    mutating func goOn(behind id: String) {
        lastID = id
    }

    /// Whether anything came since this was asked last.
    mutating func takeProgress() -> Bool {
        defer { hasProgress = false }
        return hasProgress
    }

    /// Forgets half an event; answers with the fields that ask for what follows the last whole one.
    mutating func beginAgain() -> [(name: String, value: String)] {
        events.beginAgain()
        return lastID.isEmpty ? [] : [("Last-Event-ID", lastID)]
    }
}
