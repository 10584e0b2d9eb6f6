// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// The only writer of `messages.db`. It commits groups of changes and does background work in small steps between them.
///
/// The database has its own file and thread, so fan-out does not delay events and commits of events do not delay deliveries. Each change
/// has a savepoint and fails alone.
final class MessageWriter: ChangeWriter {
    private let file: MessageDB
    let files: WriterFiles
    private let limits: MessageBounds
    private let clock: WallClock
    private let clockWatch: ClockWatch
    private let gauges: MessageGauges
    private let due = DueOrigins()
    /// Whether `due` may lack origins, because a claim took them out and then failed.
    private var mustLookUpDue = true
    private var wrongTimes: WrongTimes
    private var chores: MessageChores
    private let claims: ClaimNumbers<MessageDB>

    struct Notice {
        /// Whether a delivery is due earlier than the sender knows.
        var isDueEarlier = false
        /// Whether an endpoint has to confirm that it wants messages.
        var hasChallenges = false
        var forStreams: [StreamDelivery] = []
    }

    init(
        _ file: MessageDB, _ limits: MessageBounds, _ shared: StoreParts, _ gauges: MessageGauges
    ) throws {
        self.file = file
        files = WriterFiles(
            file.connection, checkpointPages: limits.checkpointPages, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit messages", shared.troubles, shared.spare)
        self.gauges = gauges
        self.limits = limits
        clock = shared.clock
        clockWatch = shared.clockWatch
        chores = MessageChores(limits, now: clock.now())
        wrongTimes = WrongTimes(now: clock.now())
        claims = try ClaimNumbers(of: file)
        try file.connection.begin()
        try claims.endEarlier()
        try file.endLeases(at: clock.now())
        try file.connection.commit()
        try gauges.begin(with: file)
        try lookUpDue()
    }

    var nextWork: NextWork { chores.nextWork(at: clock.now()) }

    func commit(_ changes: [Change<MessageContext>]) throws -> (failures: [(any Error)?], notice: Notice) {
        let context = context()
        var failures: [(any Error)?] = []
        do {
            try lookUpDue()
            try files.commit {
                try wrongTimes.correct(context)
                failures = try changes.map { try make($0, context) }
                try finish(context)
            }
        } catch {
            failed()
            throw error
        }
        return (failures, committed(context))
    }

    func work() -> Notice? {
        let context = context()
        do {
            try files.commit {
                try wrongTimes.correct(context)
                try chores.step(context, maySweep: clockWatch.isBelieved)
                try finish(context)
            }
        } catch {
            failed()
            chores.failed(at: clock.now())
            return nil
        }
        return committed(context)
    }

    func maintain() { files.checkpoint() }

    func close() { files.close() }

    private func failed() {
        mustLookUpDue = true
        wrongTimes.expectAll()
    }

    private func context() -> MessageContext {
        MessageContext(file, now: clock.now(), limits: limits, origins: due, claims: claims)
    }

    private func lookUpDue() throws {
        guard mustLookUpDue else { return }
        for (origin, time) in try file.earliestDue() { due.add(origin, due: time) }
        mustLookUpDue = false
    }

    private func make(_ change: Change<MessageContext>, _ context: MessageContext) throws -> (any Error)? {
        let failure = try files.attempt {
            try change.body(context)
            try context.writeCounts()
        }
        guard let failure else { return nil }
        context.forgetCounts()
        if !(failure is Refusal) { mustLookUpDue = true }
        return failure
    }

    private func finish(_ context: MessageContext) throws {
        try context.writeCounts()
        try claims.store()
    }

    private func committed(_ context: MessageContext) -> Notice {
        var notice = Notice(hasChallenges: context.hasChallenges, forStreams: context.forStreams)
        for (origin, time) in context.due where due.add(origin, due: time) && time < due.announced { notice.isDueEarlier = true }
        if context.leavesWork { chores.noteWork(at: context.now) }
        gauges.add(context.tally)
        if context.emptiesLog {
            files.emptyLogs()
            files.checkpoint()
        }
        return notice
    }
}
