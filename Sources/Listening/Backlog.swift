// SPDX-License-Identifier: Apache-2.0

/// Changes that are kept in memory, and the bytes of their documents.
package struct Backlog: Hashable, Sendable {
    package var changes = 0
    package var bytes = 0

    package init(changes: Int = 0, bytes: Int = 0) {
        (self.changes, self.bytes) = (changes, bytes)
    }

    func exceeds(_ limit: Backlog) -> Bool { changes > limit.changes || bytes > limit.bytes }

    package static func + (a: Backlog, b: Backlog) -> Backlog { Backlog(changes: a.changes + b.changes, bytes: a.bytes + b.bytes) }
    package static func - (a: Backlog, b: Backlog) -> Backlog { Backlog(changes: a.changes - b.changes, bytes: a.bytes - b.bytes) }
    package static func += (a: inout Backlog, b: Backlog) { a = a + b }
    package static func -= (a: inout Backlog, b: Backlog) { a = a - b }
}

/// The changes that all apps keep together, and how many apps there are.
///
///     limit 100, app a has 90, app b has 5       a stream may have as many changes as usual
///     limit 100, app a has 97, app b has 5       each of a's ten streams may have 5: a's half, divided by ten; b's may have as many as usual
package struct SharedBacklog: Hashable, Sendable {
    /// The changes of the other apps.
    package var ofOthers = Backlog()
    package var apps = 1

    package init() {}

    /// Returns what one stream may have. An app with more than its part of the whole divides that part among its streams.
    func limit(of streams: Int, having own: Backlog, atMost most: Backlog, usually: Backlog) -> Backlog {
        func limit(_ value: KeyPath<Backlog, Int>) -> Int {
            let part = most[keyPath: value] / max(1, apps)
            let isShort = own[keyPath: value] + ofOthers[keyPath: value] > most[keyPath: value] && own[keyPath: value] > part
            return isShort ? min(usually[keyPath: value], part / max(1, streams)) : usually[keyPath: value]
        }
        return Backlog(changes: limit(\.changes), bytes: limit(\.bytes))
    }
}
