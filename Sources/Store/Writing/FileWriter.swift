// SPDX-License-Identifier: Apache-2.0

import Platform

/// The one writer of a file that has a thread of its own: does what it is asked in groups, and pieces of other work between them.
protocol FileWriter {
    associatedtype Context
    /// What others hear of after a commit.
    associatedtype News

    /// How long the thread may sleep when nobody asks for anything; nil where there is work.
    func idleTime() -> Duration?
    /// Commits changes together, and says of each why it was not made where that is so: one that fails takes nothing else with it.
    func commit(_ changes: [Change<Context>]) throws -> (failures: [(any Error)?], news: News)
    /// Does a piece of what is to be done without being asked; nil where it was not done.
    func work() -> News?
    func close()
}

extension FileWriter {
    /// Commits changes together and answers them when all is durable; nil where none is.
    func process(_ changes: [Change<Context>]) -> News? {
        do {
            let (failures, news) = try commit(changes)
            for (change, failure) in zip(changes, failures) { change.done(failure) }
            return news
        } catch {
            for change in changes { change.done(Refusal.storage(error)) }
            return nil
        }
    }
}
