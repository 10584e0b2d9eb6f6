// SPDX-License-Identifier: Apache-2.0

package import EventStore
package import Events
package import Platform

/// A session of a person.
package struct FoundSession: Sendable {
    package var bucket: Int
    package var person: UInt64
    var length: Int64
    var isEngaged: Bool
    package var hasCrash: Bool
    /// Whether it is only a crash report outside of any session.
    package var isOnlyCrash: Bool
    /// The number of the session's value.
    package var value: UInt32?
}

extension QueryContext {
    package func sessions(_ query: SessionsQuery) throws -> RangedResult<SessionsResult> {
        let buckets = query.range.buckets
        let found = try sessions(in: buckets, timeout: query.timeout, names: nil, filters: query.filters, field: nil).found
        let byBucket = Dictionary(grouping: found, by: \.bucket)
        let points = (0..<buckets.count).map { bucket in
            SessionsResult.Point(t: Moment(buckets.edges[bucket]), figures: figures(byBucket[bucket] ?? []))
        }
        return RangedResult(ResultRange(query.range, source: .raw), SessionsResult(points: points, total: figures(found)))
    }

    private func figures(_ sessions: [FoundSession]) -> SessionsResult.Figures {
        .init(lengths: sessions.map(\.length), users: Set(sessions.map(\.person)).count, engaged: sessions.count(where: \.isEngaged))
    }

    /// Returns the sessions that begin in a range and contain an event with some name and filters, and the texts of their values.
    ///
    /// A session may begin before the range or end after it, so events of one more day on both sides are read. Crashes belong to the
    /// session that they name or fall into. A crash outside of any session makes one.
    package func sessions(
        in buckets: TimeBuckets, timeout: Timestamp.Span, names: [String]?, filters: [Filter], field: FieldPath?, crashes: EventBatch = EventBatch()
    ) throws -> (found: [FoundSession], values: [[UInt8]]) {
        var identity = try identity(from: buckets.from, to: buckets.to, askedBeyond: true)
        var named = Identity()
        for row in crashes.rows where buckets.index(of: Timestamp(milliseconds: crashes.times[row])) != nil {
            named.claim(crashes.installations[row], for: crashes.users[row], at: crashes.times[row])
        }
        identity.fill(from: named)
        var scan = EventScan(TimeBuckets(edges: [buckets.from - .days(1), buckets.to + .days(1)]), field: field)
        scan.tests = [
            EventTest(names: names, filters: filters), EventTest(names: [EventKind.screenView.name]),
            EventTest(names: [EventKind.purchase.name, EventKind.inAppPurchase.name]), EventTest(names: [SessionCut.crashEvent]),
        ]
        var found: [FoundSession] = []
        var all = ValueTable()
        let passedByCrashes = SessionCut.Session.crash | (names == nil && filters.isEmpty ? 1 : 0)
        try eachPerson(scan, identity, beside: (crashes, passedByCrashes)) { events, values in
            for session in SessionCut(events, timeout: timeout).sessions {
                guard let bucket = buckets.index(of: Timestamp(milliseconds: session.first)), session.passes else { continue }
                let text = session.value(values)
                found.append(
                    FoundSession(
                        bucket: bucket, person: events[events.startIndex].person, length: session.last - session.first, isEngaged: session.isEngaged,
                        hasCrash: session.hasCrash, isOnlyCrash: session.isOnlyCrash, value: try text.map { try all.number($0) }))
            }
        }
        return (found, all.texts)
    }
}
