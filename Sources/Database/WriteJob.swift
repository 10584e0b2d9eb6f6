// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A unit of work for a write engine: one change, or the events of one request.
package protocol WriteJob: Sendable {
    /// The result of the job inside a transaction.
    associatedtype Outcome

    /// The app whose share of the queue the job uses. A job without an app is not overtaken and does not overtake.
    var app: AppID? { get }
    /// The capacity that the job uses until it is completed.
    var weight: JobWeight { get }

    /// Reports the outcome to the caller. It is durable by then.
    func respond(_ outcome: Outcome)
    /// Reports that nothing of the job was stored.
    func reject(_ refusal: Refusal)
}

/// The size of work in a queue: a number (of events or changes) and bytes of memory.
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
