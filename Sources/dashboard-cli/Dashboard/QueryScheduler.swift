// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// Decides which queries are sent when, and keeps their results.
///
/// While the daemon is unreachable, one query probes it with a backoff. Its first response makes all queries due.
struct QueryScheduler: Sendable {
    /// A time during which the daemon is unreachable.
    struct Outage: Sendable {
        let since: Timestamp
        var error: RequestError
        var backoff = Backoff()
        var nextAttempt: Timestamp
    }

    private(set) var results = QueryResults()
    private(set) var outage: Outage?

    mutating func makeAllDue(_ now: Timestamp) {
        results.makeAllDue()
        outage?.nextAttempt = now
    }

    /// Returns the queries to send now, and marks them as sent. Results of queries that are in neither list are forgotten.
    mutating func due(_ queries: [PolledQuery], keeping others: [PolledQuery], _ now: Timestamp, _ pollInterval: PollInterval = .usual)
        -> [PolledQuery]
    {
        results.keep((queries + others).map(\.request))
        guard let outage else { return queries.filter { isDue($0, now) }.map { send($0, now, pollInterval) } }
        // One query is enough to find out whether the daemon responds again.
        let isProbing = queries.contains { results[$0.request].isInFlight(now) }
        return isProbing || now < outage.nextAttempt ? [] : queries.prefix(1).map { send($0, now, pollInterval) }
    }

    /// Returns the seconds until the next attempt. A query that the key may not send, or with too many bytes, is hardly
    /// repeated.
    private static func retryDelay(after error: RequestError) -> Int64 {
        switch error.kind {
        case .busy: 5
        case .denied, .tooLarge: 600
        default: 30
        }
    }

    private func isDue(_ query: PolledQuery, _ now: Timestamp) -> Bool {
        let entry = results[query.request]
        return !entry.isInFlight(now) && (entry.due <= now || entry.cursor != query.request.cursor)
    }

    private mutating func send(_ query: PolledQuery, _ now: Timestamp, _ pollInterval: PollInterval) -> PolledQuery {
        results[query.request].sentAt = now
        results[query.request].cursor = query.request.cursor
        results[query.request].due = now + .init(milliseconds: pollInterval.scaled(query.every.milliseconds))
        return query
    }

    /// Keeps a result. Returns whether all queries are due, because an outage ended.
    mutating func receive(_ result: Result<QueryResult, RequestError>, for request: ReadRequest, _ now: Timestamp) -> Bool {
        results[request].sentAt = nil
        switch result {
        case .success(let result):
            (results[request].result, results[request].receivedAt, results[request].error) = (result, now, nil)
            guard outage != nil else { return false }
            outage = nil
            results.makeAllDue()
            return true
        case .failure(let error) where error.kind == .unreachable:
            var outage = self.outage ?? Outage(since: now, error: error, nextAttempt: now)
            outage.error = error
            // Queries that fail together when the daemon goes away count as one failure.
            if outage.nextAttempt <= now { outage.nextAttempt = now + .init(milliseconds: Int64(outage.backoff.next(chance: 1) * 1_000)) }
            self.outage = outage
        case .failure(let error):
            results[request].error = error
            results[request].due = max(results[request].due, now + .seconds(QueryScheduler.retryDelay(after: error)))
        }
        return false
    }
}
