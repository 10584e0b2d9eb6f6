// SPDX-License-Identifier: Apache-2.0

import Platform

/// The one writer of a store's files. It commits jobs in groups and does background work between them.
///
/// A `WriteEngine` calls it on a single thread, so a writer needs no locks.
package protocol DatabaseWriter: SendableMetatype {
    associatedtype Job: WriteJob
    /// The notifications to other parts of the store after a commit.
    associatedtype Notice

    /// The files that the writer changes.
    var files: WriterFiles { get }
    /// The time of the next background work.
    var nextWork: NextWork { get }

    /// Commits jobs together and responds to each once it is durable.
    ///
    /// A failing job does not affect the others, and every job gets exactly one response.
    func process(_ jobs: [Job], in queue: WriteQueue<Job>) -> Notice?
    /// Does one piece of background work in its own transaction. Returns nil if nothing was done.
    func work() -> Notice?
    /// Checkpoints write-ahead logs that have grown enough. The responses were given before, so a failure here only causes another attempt.
    func maintain()
    /// Moves all pages from the write-ahead logs into the files.
    func close()
}

package enum NextWork: Equatable {
    case now
    case after(Duration)
    /// The writer sleeps until the next job.
    case none
}

/// A writer whose jobs are changes to one file. Each is a closure over a context.
package protocol ChangeWriter: DatabaseWriter where Job == Change<Context> {
    associatedtype Context

    /// Commits changes together. Returns one element for each change: nil, or the error that made it fail.
    func commit(_ changes: [Change<Context>]) throws -> (failures: [(any Error)?], notice: Notice)
}

extension ChangeWriter {
    /// Commits changes. On a full disk those that remove data are made without the others.
    package func process(_ changes: [Change<Context>], in queue: WriteQueue<Change<Context>>) -> Notice? {
        defer { if changes.contains(where: \.isRemoval) { files.giveSpareSpaceBack() } }
        do { return try commit(changes, in: queue) } catch {
            let removals = Refusal.isFullDisk(error) ? changes.filter(\.isRemoval) : []
            reject(removals.isEmpty ? changes : changes.filter { !$0.isRemoval }, error, in: queue)
            if removals.isEmpty { return nil }
            do { return try files.retryOnFullDisk { try commit(removals, in: queue) } } catch {
                reject(removals, error, in: queue)
                return nil
            }
        }
    }

    private func commit(_ changes: [Change<Context>], in queue: WriteQueue<Change<Context>>) throws -> Notice {
        let (failures, notice) = try commit(changes)
        precondition(failures.count == changes.count, "each change of a group needs an outcome")
        for (change, failure) in zip(changes, failures) { queue.respond(to: change, failure) }
        return notice
    }

    private func reject(_ changes: [Change<Context>], _ error: any Error, in queue: WriteQueue<Change<Context>>) {
        let refusal = Refusal.storage(error)
        for change in changes { queue.reject(change, refusal) }
    }
}
