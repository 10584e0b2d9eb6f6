// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

/// What the writer is asked to do.
enum Work: Sendable {
    case events(EventSubmission, AskedAhead?, EventReply)
    case change(Change<ChangeContext>)

    /// What came of it inside a transaction.
    enum Outcome {
        case events(EventOutcome)
        case changed
        case refused(any Error)
    }

    var isChange: Bool {
        if case .change = self { true } else { false }
    }

    /// The app that it counts for; nil for a change that waits for all that came before.
    var app: AppID? {
        switch self {
        case .events(let submission, _, _): submission.app
        case .change(let change): change.app
        }
    }

    /// The same with what the runs of now know of its ids.
    func asking(_ sealed: SealedBoard) -> Work {
        switch self {
        case .events(let submission, _, let reply): .events(submission, sealed.ask(submission.records.lazy.map(\.idKey)), reply)
        case .change: self
        }
    }

    /// How much of the queue it fills.
    var weight: Batcher.Weight {
        switch self {
        case .events(let submission, _, _):
            .init(events: submission.records.count + submission.quarantined.count, bytes: submission.bytesHeld)
        case .change(let change): .init(events: 1, bytes: 256 + change.bytes)
        }
    }

    /// Tells who asked for it what came of it, once that is durable.
    func answer(_ outcome: Outcome) {
        switch (self, outcome) {
        case (.events(let submission, _, let reply), .events(let verdicts)): reply(submission, .success(verdicts))
        case (.change(let change), .refused(let error)): change.done(error)
        case (.change(let change), _): change.done(nil)
        case (.events, _): refuse(Refusal(.internalError, "The events were not taken."))
        }
    }

    func refuse(_ refusal: Refusal) {
        switch self {
        case .events(let submission, _, let reply): reply(submission, .failure(refusal))
        case .change(let change): change.done(refusal)
        }
    }
}

/// Hears what became of a submission, once that is durable.
package typealias EventReply = @Sendable (EventSubmission, Result<EventOutcome, Refusal>) -> Void
