// SPDX-License-Identifier: Apache-2.0

import Platform

/// What is asked when, and what was answered; when nobody answers, one question tries again and again.
struct Inquiry: Sendable {
    /// Nobody answers: since when, why, and when it is tried again.
    struct Outage: Sendable {
        let since: Timestamp
        var trouble: Trouble
        var backoff = Backoff()
        var nextAttempt: Timestamp
    }

    private(set) var answers = Answers()
    private(set) var outage: Outage?

    /// Everything is to be asked now.
    mutating func begin(_ now: Timestamp) {
        answers.makeAllDue()
        outage?.nextAttempt = now
    }

    /// Those of the questions that are to be asked now; what is neither among them nor to be kept is forgotten.
    mutating func due(_ asks: [StandingAsk], keeping others: [StandingAsk], _ now: Timestamp, _ pace: Pace = .usual) -> [StandingAsk] {
        answers.keep((asks + others).map(\.question))
        guard let outage else { return asks.filter { isDue($0, now) }.map { begin($0, now, pace) } }
        // One question is enough to find out whether somebody answers again.
        let isTrying = asks.contains { answers[$0.question].isUnderWay(now) }
        return isTrying || now < outage.nextAttempt ? [] : asks.prefix(1).map { begin($0, now, pace) }
    }

    /// What a key may not ask now it may not ask a minute later either.
    private static func wait(after trouble: Trouble) -> Int64 {
        switch trouble.kind {
        case .busy: 5
        case .denied: 600
        default: 30
        }
    }

    private func isDue(_ ask: StandingAsk, _ now: Timestamp) -> Bool {
        let held = answers[ask.question]
        return !held.isUnderWay(now) && held.due <= now
    }

    private mutating func begin(_ ask: StandingAsk, _ now: Timestamp, _ pace: Pace) -> StandingAsk {
        answers[ask.question].asked = now
        answers[ask.question].due = now + .init(milliseconds: pace.wait(ask.every.milliseconds))
        return ask
    }

    /// Answers whether everything is to be asked again, since somebody answers at last.
    mutating func take(_ result: Result<Answered, Trouble>, of question: Question, _ now: Timestamp) -> Bool {
        answers[question].asked = nil
        switch result {
        case .success(let answer):
            (answers[question].answer, answers[question].answered, answers[question].trouble) = (answer, now, nil)
            guard outage != nil else { return false }
            outage = nil
            answers.makeAllDue()
            return true
        case .failure(let trouble) where trouble.kind == .unreachable:
            var outage = self.outage ?? Outage(since: now, trouble: trouble, nextAttempt: now)
            outage.trouble = trouble
            // Several questions fail at once when the daemon goes: they are one failure.
            if outage.nextAttempt <= now { outage.nextAttempt = now + .init(milliseconds: Int64(outage.backoff.next(chance: 1) * 1_000)) }
            self.outage = outage
        case .failure(let trouble):
            answers[question].trouble = trouble
            answers[question].due = max(answers[question].due, now + .seconds(Inquiry.wait(after: trouble)))
        }
        return false
    }
}
