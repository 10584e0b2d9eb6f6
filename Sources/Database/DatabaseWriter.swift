// SPDX-License-Identifier: Apache-2.0

import Platform

/// The one writer of a store's files: commits jobs in groups, and does background work between them.
///
/// A `WriteEngine` calls it on a thread of its own.
package protocol DatabaseWriter: SendableMetatype {
    associatedtype Job: WriteJob
    /// Notifications for other parts of the store after a commit.
    associatedtype News

    /// When there is background work to do.
    var nextWork: NextWork { get }

    /// Commits jobs together and responds to each once that is durable. A job that fails takes nothing else with it.
    func process(_ jobs: [Job], in queue: WriteQueue<Job>) -> News?
    /// Does one piece of background work in a transaction of its own; nil where nothing was done.
    func work() -> News?
    /// Checkpoints what has grown enough. Every response was given before, so a failure here is only tried again.
    func maintain()
    /// Leaves nothing in the write-ahead logs that is not in the files.
    func close()
}

package enum NextWork: Equatable {
    case now
    case after(Duration)
    /// Not before another job has come.
    case none
}

/// A writer whose jobs are changes to one file, each made by a closure over a context.
package protocol ChangeWriter: DatabaseWriter where Job == Change<Context> {
    associatedtype Context

    /// Commits changes together. Of each that was not made, the error.
    func commit(_ changes: [Change<Context>]) throws -> (failures: [(any Error)?], news: News)
}

extension ChangeWriter {
    package func process(_ changes: [Change<Context>], in queue: WriteQueue<Change<Context>>) -> News? {
        do {
            let (failures, news) = try commit(changes)
            precondition(failures.count == changes.count, "each change of a group needs an outcome")
            for (change, failure) in zip(changes, failures) { queue.respond(to: change, failure) }
            return news
        } catch {
            let refusal = Refusal.storage(error)
            for change in changes { queue.reject(change, refusal) }
            return nil
        }
    }
}
