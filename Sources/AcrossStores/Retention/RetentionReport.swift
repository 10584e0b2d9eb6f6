// SPDX-License-Identifier: Apache-2.0

package import Platform

extension Stores {
    /// What a round of retention did.
    package struct RetentionReport: Sendable, Equatable {
        package var removedDays: [Day] = []
        package var removedEvents = 0
        package var removedCrashes = 0
        /// Nothing was removed because the clock has just leapt ahead.
        package var distrustsClock = false
        /// What stays though its time has passed; the next round tries it again.
        package var failures: [Trouble] = []
        /// Whose people were too many to be counted before their rows went: of these days there is no number of them.
        package var uncounted: [Trouble] = []

        /// What could not be done, of a whole day or of one app's part of it.
        package struct Trouble: Sendable, Equatable {
            package var day: Day
            package var app: AppID?
            package var reason: String
        }
    }
}
