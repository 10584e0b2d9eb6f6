package import Events
package import Platform

/// What the writer is asked to do.
enum Work: Sendable {
    case events(EventSubmission, EventReply)
    case change(Change)

    var isChange: Bool {
        if case .change = self { true } else { false }
    }

    /// How much of the queue it fills.
    var weight: Batcher.Weight {
        switch self {
        case .events(let submission, _):
            .init(events: submission.records.count + submission.quarantined.count, bytes: submission.body.count + submission.arena.count)
        case .change: .init(events: 1, bytes: 256)
        }
    }

    func refuse(_ refusal: Refusal) {
        switch self {
        case .events(let submission, let reply): reply(submission, .failure(refusal))
        case .change(let change): change.done(refusal)
        }
    }
}

/// Hears what became of a submission, once that is durable.
package typealias EventReply = @Sendable (EventSubmission, Result<EventOutcome, Refusal>) -> Void

/// A change to stored things other than taking events in: done by the same writer, in the same groups.
struct Change: Sendable {
    var body: @Sendable (ChangeContext) throws -> Void
    /// Hears when the change is durable, or why it was not made.
    var done: @Sendable ((any Error)?) -> Void
}
