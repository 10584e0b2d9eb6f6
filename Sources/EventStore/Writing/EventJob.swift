// SPDX-License-Identifier: Apache-2.0

import Database
package import Events
package import Platform

/// A job of the event writer: the events of one request, or a change.
enum EventJob: WriteJob {
    case events(EventSubmission, Prefetched?, EventReply)
    case change(Change<ChangeContext>)

    /// The result of a job inside a transaction.
    enum Outcome {
        case events(EventOutcome)
        case changed
        case failed(any Error)
    }

    var isChange: Bool {
        if case .change = self { true } else { false }
    }

    var isRemoval: Bool {
        if case .change(let change) = self { change.isRemoval } else { false }
    }

    var app: AppID? {
        switch self {
        case .events(let submission, _, _): submission.app
        case .change(let change): change.app
        }
    }

    var weight: JobWeight {
        switch self {
        case .events(let submission, _, _):
            .init(items: submission.records.count + submission.quarantined.count, bytes: submission.bytesHeld)
        case .change(let change): change.weight
        }
    }

    /// Returns the job with the result of looking up its IDs in the sealed runs.
    func prefetching(from sealed: SealedBoard) -> EventJob {
        switch self {
        case .events(let submission, _, let reply): .events(submission, sealed.prefetch(submission.records.lazy.map(\.idKey)), reply)
        case .change: self
        }
    }

    /// Returns the outcomes of requests with events, and their apps.
    static func events(of jobs: [EventJob], _ outcomes: [Outcome]) -> [(app: AppID, outcome: EventOutcome)] {
        var events: [(app: AppID, outcome: EventOutcome)] = []
        for (job, outcome) in zip(jobs, outcomes) {
            if case .events(let outcome) = outcome, let app = job.app { events.append((app, outcome)) }
        }
        return events
    }

    func respond(_ outcome: Outcome) {
        switch (self, outcome) {
        case (.events(let submission, _, let reply), .events(let verdicts)): reply(submission, .success(verdicts))
        case (.change(let change), .failed(let error)): change.done(error)
        case (.change(let change), _): change.done(nil)
        case (.events, _): reject(Refusal(.internalError, "The events were not stored."))
        }
    }

    func reject(_ refusal: Refusal) {
        switch self {
        case .events(let submission, _, let reply): reply(submission, .failure(refusal))
        case .change(let change): change.done(refusal)
        }
    }
}

/// Called with the verdicts of a submission once they are durable, or with the reason why nothing was stored.
package typealias EventReply = @Sendable (EventSubmission, Result<EventOutcome, Refusal>) -> Void
