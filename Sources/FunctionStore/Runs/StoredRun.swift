// SPDX-License-Identifier: Apache-2.0

package import Functions
package import Platform

/// A task or a match of a trigger, before it is stored as a run.
package struct NewRun: Sendable {
    /// Such as `task`, `event`, `file.finalized`.
    package var type: String
    /// The JSON that the function gets as `data`.
    package var body: [UInt8]
    /// The path, name or ID of the thing that the run is about.
    package var subject: String?
    /// Runs of a function with the same key are carried out one after the other.
    package var key: String?
    package var user: String?
    package var installation: String?
    /// The number of runs that led to this one, from 1.
    package var depth = 1
    /// The time of the change that it follows from, or before which a task is not carried out; nil for now.
    package var at: Timestamp?
    /// A text that is the same if the same change of a source is read again; nil for a random ID.
    package var identity: String?

    package init(type: String, body: [UInt8]) {
        (self.type, self.body) = (type, body)
    }
}

/// A run of a function.
package struct StoredRun: Sendable {
    /// The number in the order of creation.
    package var number: Int64
    /// The public ID, which is the `webhook-id` of all its attempts.
    package var id: String
    package var function: Int64
    package var functionName: String
    package var type: String
    package var subject: String?
    package var task: String?
    package var key: String?
    package var user: String?
    package var depth: Int
    package var state: RunState
    package var attempts: Int
    package var due: Timestamp?
    package var created: Timestamp
    package var changed: Timestamp
    /// The time of the change that it follows from, or before which a task is not carried out.
    package var at: Timestamp
    /// Empty in lists.
    package var body: [UInt8]
}
