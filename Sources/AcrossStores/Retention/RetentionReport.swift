// SPDX-License-Identifier: Apache-2.0

package import Platform

extension Stores {
    /// The result of a round of data retention.
    package struct RetentionReport: Sendable, Equatable {
        package var removedDays: [Day] = []
        package var removedEvents = 0
        /// Rows removed from the companions, by file; files that lost none are left out.
        package var removedRows: [String: Int] = [:]
        /// Whether nothing was deleted by age because the clock had leapt ahead.
        package var distrustsClock = false
        /// Data that is due and could not be deleted. The next round tries again.
        package var failures: [Trouble] = []
        /// Days whose people could not be counted before their rows were deleted. They have no count of people.
        package var uncounted: [Trouble] = []

        /// A failure for a whole day, or for one app of it.
        package struct Trouble: Sendable, Equatable {
            package var day: Day
            package var app: AppID?
            package var reason: String
        }
    }
}
