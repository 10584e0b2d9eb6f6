// SPDX-License-Identifier: Apache-2.0

import Platform

/// What is asked when, and what was answered; when nobody answers, one question tries again and again.
struct QueryScheduler: Sendable {
    /// Nobody answers: since when, why, and when it is tried again.
    struct Outage: Sendable {
        let since: Timestamp
        var error: RequestError
        var backoff = Backoff()
        var nextAttempt: Timestamp
    }

    private(set) var answers = QueryResults()
    private(set) var outage: Outage?

    /// Everything is to be asked now.
    mutating func begin(_ now: Timestamp) {
        answers.makeAllDue()
        outage?.nextAttempt = now
    }

    /// Those of the questions that are to be asked now; what is neither among them nor to be kept is forgotten.
    mutating func due(_ queries: [PolledQuery], keeping others: [PolledQuery], _ now: Timestamp, _ pace: PollInterval = .usual) -> [PolledQuery] {
        answers.keep((queries + others).map(\.request))
        guard let outage else { return queries.filter { isDue($0, now) }.map { begin($0, now, pace) } }
        // One question is enough to find out whether somebody answers again.
        let isTrying = queries.contains { answers[$0.request].isUnderWay(now) }
        return isTrying || now < outage.nextAttempt ? [] : queries.prefix(1).map { begin($0, now, pace) }
    }

    /// What a key may not ask now it may not ask a minute later either.
    private static func wait(after error: RequestError) -> Int64 {
        switch error.kind {
        case .busy: 5
        case .denied: 600
        default: 30
        }
    }

    private func isDue(_ query: PolledQuery, _ now: Timestamp) -> Bool {
        let held = answers[query.request]
        return !held.isUnderWay(now) && held.due <= now
    }

    private mutating func begin(_ query: PolledQuery, _ now: Timestamp, _ pace: PollInterval) -> PolledQuery {
        answers[query.request].asked = now
        answers[query.request].due = now + .init(milliseconds: pace.wait(query.every.milliseconds))
        return query
    }

    /// Answers whether everything is to be asked again, since somebody answers at last.
    mutating func take(_ result: Result<QueryResult, RequestError>, of request: GetRequest, _ now: Timestamp) -> Bool {
        answers[request].asked = nil
        switch result {
        case .success(let answer):
            (answers[request].answer, answers[request].answered, answers[request].error) = (answer, now, nil)
            guard outage != nil else { return false }
            outage = nil
            answers.makeAllDue()
            return true
        case .failure(let error) where error.kind == .unreachable:
            var outage = self.outage ?? Outage(since: now, error: error, nextAttempt: now)
            outage.error = error
            // Several questions fail at once when the daemon goes: they are one failure.
            if outage.nextAttempt <= now { outage.nextAttempt = now + .init(milliseconds: Int64(outage.backoff.next(chance: 1) * 1_000)) }
            self.outage = outage
        case .failure(let error):
            answers[request].error = error
            answers[request].due = max(answers[request].due, now + .seconds(QueryScheduler.wait(after: error)))
        }
        return false
    }
}
