// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Work that a write engine commits: one change, or the events of one request.
package protocol WriteJob: Sendable {
    /// The result of the job inside a transaction.
    associatedtype Outcome

    /// The app that the job counts for; nil for a job that keeps its place behind all jobs before it.
    var app: AppID? { get }
    /// The room that it takes in the queue until it is answered.
    var weight: JobWeight { get }

    /// Reports the outcome to the caller, once that is durable.
    func respond(_ outcome: Outcome)
    /// Reports that nothing of the job was kept.
    func reject(_ refusal: Refusal)
}

/// The size of work in a queue, by number (events or changes) and by memory.
package struct JobWeight: Sendable, Equatable {
    package var items = 0
    package var bytes = 0

    package init(items: Int = 0, bytes: Int = 0) {
        self.items = items
        self.bytes = bytes
    }

    package static func + (a: JobWeight, b: JobWeight) -> JobWeight { JobWeight(items: a.items + b.items, bytes: a.bytes + b.bytes) }
    package static func - (a: JobWeight, b: JobWeight) -> JobWeight { JobWeight(items: a.items - b.items, bytes: a.bytes - b.bytes) }
}
