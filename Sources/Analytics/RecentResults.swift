// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
package import Platform
import Synchronization

/// A cache of the last results of expensive queries over all sessions.
///
/// A result may be one second old. Cheap results are not kept, so a small folder always answers with
/// its newest events:
///
///     12:00:00.0   crash-free of today    computed in 400 ms, kept
///     12:00:00.7   the same query         from the cache
///     12:00:01.2   the same query         computed
///
/// A result computed before an erasure is not returned after it.
final class RecentResults: Sendable {
    fileprivate struct Entry: Sendable {
        var result: any Sendable
        var begun: ContinuousClock.Instant
        var erasures: Int
    }

    private static let limit = 100
    private static let costWorthKeeping = Duration.milliseconds(50)
    /// The number of records in a folder from which results are kept. A slow machine does not make a small folder old.
    private static let recordsWorthKeeping: Int64 = 100_000
    private let entries = Mutex<[SessionQuestion: Entry]>([:])
    private let events: EventStore

    init(_ events: EventStore) {
        self.events = events
    }

    func result<T: Sendable>(of question: SessionQuestion, _ compute: () async throws -> T) async throws -> T {
        let now = Entry(result: (), begun: .now, erasures: events.erasures.now)
        if let known = entries.withLock({ $0[question] }), known.holds(at: now), let result = known.result as? T { return result }
        let result = try await compute()
        var entry = now
        entry.result = result
        let isWorthKeeping =
            events.gauges.now.lastSeq >= RecentResults.recordsWorthKeeping && ContinuousClock.now - now.begun >= RecentResults.costWorthKeeping
        entries.withLock { [entry] entries in
            if entries.count >= RecentResults.limit { entries = [:] }
            entries[question] = isWorthKeeping ? entry : nil
        }
        return result
    }
}

extension RecentResults.Entry {
    fileprivate func holds(at now: Self) -> Bool {
        erasures == now.erasures && now.begun - begun <= .seconds(1)
    }
}

/// The identity of a query over all sessions of an app.
package struct SessionQuestion: Hashable, Sendable {
    private let app: AppID
    private let name: QueryName
    private let edges: [Timestamp]
    private let zone: String
    private let timeout: Timestamp.Span
    private let limit: Int

    package init(_ app: AppID, _ name: QueryName, _ range: QueryRange, timeout: Timestamp.Span, limit: Int = 0) {
        (self.app, self.name, self.timeout, self.limit) = (app, name, timeout, limit)
        (edges, zone) = (range.buckets.edges, "\(range.zone.name) \(range.interval)")
    }
}

extension Analytics {
    /// Runs a query over all sessions, or returns its last result if that is new enough.
    package func runRecent<Body>(
        _ question: SessionQuestion, _ app: AppID, _ body: @escaping @Sendable (QueryContext) throws -> RangedResult<Body>
    ) async throws -> RangedResult<Body> {
        try await recent.result(of: question) { try await run(app, mayReadRows: true, body) }
    }
}
