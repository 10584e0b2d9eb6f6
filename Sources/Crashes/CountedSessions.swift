// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Sessions that a server reports as counts, without IDs or users.
///
///     {"started": "2026-11-21T12:04:00Z", "exited": 40, "errored": 2, "crashed": 1}   →   43 sessions, 1 crashed
package struct CountedSessions: Sendable, Equatable {
    /// The beginning of the interval in which they started.
    package var start: Timestamp
    /// The release key, such as `2.1.0` for the release `shop@2.1.0+57`.
    package var release: String?
    package var environment: String?
    package var sessions: Int
    package var crashed: Int

    /// The limit of the counts of a quarter-hour and release. Sums over all of them cannot overflow.
    package static let most = 1_000_000_000

    /// The limit of releases and environments together that a quarter-hour of an app counts apart.
    package static let rowsOfQuarter = 200

    /// The approximate memory in use.
    package static let bytesHeld = 512

    package init(start: Timestamp, release: String?, environment: String?, sessions: Int, crashed: Int) {
        self.start = start
        self.release = release
        self.environment = environment
        self.sessions = sessions
        self.crashed = crashed
    }
}
