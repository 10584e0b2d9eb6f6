// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform

extension EventWriter {
    /// The parts that the writer shares with the rest of the store.
    struct Parts {
        var paths: StorePaths
        var options: EventStoreOptions
        var directory: DirectoryCache
        var hash: KeyedHash
        var withdrawals: Withdrawals
        var gauges: EventGauges
        var appUses: AppUses
        var clock: WallClock
        var clockWatch: ClockWatch
        var sealedDays: SealedDays
        var tail: Tail
        var wantedNames: WantedNames
        var recent: RecentPeople
        var presence: PresenceFeed
        var failStop: FailStop
        var sealed: SealedBoard
        var troubles: TroubleLog
        var sessions: OpenSessions

        /// Shows the rows of a committed transaction to queries, then to tails, whose listeners may query them.
        func show(_ commit: DayCommit, after seq: Int64, through last: Int64) {
            wantedNames.committed(commit.names, through: last)
            gauges.update { $0.lastSeq = last }
            tail.committed(through: last) { commit.written(after: seq) }
        }

        /// Counts a committed transaction for the daemon and for each app.
        func count(_ jobs: [EventJob], _ outcomes: [EventJob.Outcome], in time: Duration) {
            gauges.committed(outcomes, in: time, at: clock.now())
            appUses.committed(EventJob.events(of: jobs, outcomes), at: clock.now())
        }
    }

    /// The data to drop from memory once the transaction is committed.
    struct Forgotten {
        /// The keys of persons; nil for none.
        var keys: Set<UInt64>?
        /// Subjects and apps whose sessions in today's file were replaced or removed.
        var subjects: Set<UInt64> = []
        var apps: Set<AppID> = []
        /// The erasures that began.
        var removals: [PersonRemoval] = []

        mutating func add(_ context: ChangeContext) {
            if let gone = context.removedKeys { keys = (keys ?? []).union(gone) }
            subjects.formUnion(context.removedSubjects)
            apps.formUnion(context.removedApps)
            if let removal = context.removal { removals.append(removal) }
        }
    }
}
