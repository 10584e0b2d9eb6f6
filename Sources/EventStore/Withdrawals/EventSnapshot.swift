// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform

/// The events that a query sees: those of all commits up to a number.
///
/// A query reads files one after the other while today's file grows. A trusted purchase that arrives meanwhile must not be read beside the
/// client's purchase that it replaces, nor the latter be left out without it:
///
///     snapshot        the last number is 19
///     read 22 Nov     19 is the last row
///     a commit        event 20, the trusted purchase of T; withdrawn since 20: (21 November, 7)
///     read 21 Nov     7 counts, because it is withdrawn since 20
package struct EventSnapshot: Sendable {
    private let withdrawals: Withdrawals
    /// The last number that is seen.
    package let last: Int64

    init(_ withdrawals: Withdrawals, through last: Int64) {
        (self.withdrawals, self.last) = (withdrawals, last)
    }

    /// Returns the withdrawn rows of a day's file.
    package func withdrawn(of day: Day, _ session: ReadSession) throws -> WithdrawnRows {
        try withdrawals.rows(of: day, session, through: last)
    }
}

extension EventStore {
    /// The events of all commits until now. Every answered request is among them.
    package var snapshot: EventSnapshot { EventSnapshot(withdrawals, through: gauges.now.lastSeq) }
}
