// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bounds of a write queue.
package struct QueueLimits: Sendable {
    /// The limit of outstanding work, waiting or with the writer. More is rejected.
    package var highMark: JobWeight
    /// The maximal size of a group, and therefore of a transaction.
    package var group: JobWeight

    package init(highMark: JobWeight, group: JobWeight) {
        self.highMark = highMark
        self.group = group
    }

    /// Returns the bounds of a store whose jobs are changes.
    package static func changes(_ number: Int, bytes: Int = .max) -> QueueLimits {
        QueueLimits(highMark: .init(items: number, bytes: bytes), group: .init(items: 512, bytes: 8 << 20))
    }
}

/// The capacity of a write queue, and how much of it each app uses.
///
/// An app may use at most seven times the capacity that is left free. The rest is reserved for other apps.
///
/// Invariant: `outstanding` is the weight of all jobs in the queue and with the writer. A job's weight does not change while it is in there.
package struct QueueCapacity: Sendable {
    private let highMark: JobWeight
    private var byApp: [AppID: JobWeight] = [:]
    /// The weight of the jobs that are queued or with the writer.
    package private(set) var outstanding = JobWeight()

    init(_ highMark: JobWeight) {
        self.highMark = highMark
    }

    /// Returns whether even an empty job of this app would be rejected.
    package func isUsedUp(by app: AppID?) -> Bool {
        outstanding.items >= highMark.items || outstanding.bytes >= highMark.bytes || app.map { exceedsPart($0, adding: JobWeight()) } ?? false
    }

    /// Takes the capacity of a job. Returns false if there is not enough; a single job larger than the mark is accepted by an empty queue.
    package mutating func take(_ weight: JobWeight, for app: AppID?) -> Bool {
        let after = outstanding + weight
        if outstanding.items > 0 {
            if after.items > highMark.items || after.bytes > highMark.bytes { return false }
            if let app, exceedsPart(app, adding: weight) { return false }
        }
        outstanding = after
        if let app { byApp[app, default: JobWeight()] = byApp[app, default: JobWeight()] + weight }
        return true
    }

    /// Frees the capacity of a completed job.
    package mutating func free(_ weight: JobWeight, of app: AppID?) {
        outstanding = outstanding - weight
        precondition(outstanding.items >= 0 && outstanding.bytes >= 0, "a job was completed twice, or its weight changed in the queue")
        guard let app else { return }
        let left = byApp[app, default: JobWeight()] - weight
        byApp[app] = left == JobWeight() ? nil : left
    }

    private func exceedsPart(_ app: AppID, adding weight: JobWeight) -> Bool {
        guard let own = byApp[app] else { return false }
        let (ofApp, free) = (own + weight, highMark - outstanding - weight)
        return ofApp.items > 7 * free.items || ofApp.bytes > 7 * free.bytes
    }
}
