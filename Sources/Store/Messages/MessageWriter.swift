import Messaging
import Platform
import SQLite

/// The one writer of the messages' file: turns changes into transactions, and does what is to be done by itself in pieces between them.
///
/// It has a file and a thread of its own, so that no event waits for a message's fan-out and no delivery for a commit of events.
final class MessageWriter {
    private let file: Connection
    private let limits: MessageBounds
    private let clock: WallClock
    private let gauges: MessageGauges
    private let lastResort: LastResort
    private let troubles: TroubleLog
    private var due = DueOrigins()
    /// After a failure: origins that a claim took out may still have something due.
    private var mustLookUpDue = true
    private var logIsToBeEmptied = false
    private var chores: MessageChores
    private var claims: Int64

    /// What others hear of after a commit.
    struct News {
        /// Something is due earlier than was known.
        var isDueEarlier = false
        /// An endpoint is to prove itself.
        var hasChallenges = false
        var forStreams: [StreamNews] = []
    }

    init(
        _ file: Connection, _ limits: MessageBounds, _ clock: WallClock, _ gauges: MessageGauges, _ lastResort: LastResort, _ troubles: TroubleLog
    ) throws {
        self.file = file
        self.gauges = gauges
        self.limits = limits
        self.clock = clock
        self.lastResort = lastResort
        self.troubles = troubles
        chores = MessageChores(limits, now: clock.now())
        claims = try file.statement("SELECT value FROM meta WHERE key = 'claims'").first { $0.integer(0) } ?? 0
        try file.begin()
        try file.endLeases(at: clock.now())
        try file.commit()
        try gauges.begin(with: file)
        try lookUpDue()
    }

    /// How long the thread may sleep when nobody asks for anything; nil where there is work.
    func idleTime() -> Duration? {
        chores.idleTime(at: clock.now())
    }

    /// Commits changes together; one that fails takes nothing else with it. They are answered when all is durable.
    func process(_ changes: [MessageChange]) -> News {
        var results: [(any Error)?] = []
        let context = context()
        do {
            try lookUpDue()
            try file.begin()
            for change in changes { results.append(try make(change, context)) }
            try finish(context)
        } catch {
            undo(error)
            for change in changes { change.done(Refusal.storage(error)) }
            return News()
        }
        let news = committed(context)
        for (change, error) in zip(changes, results) { change.done(error) }
        return news
    }

    /// Does a piece of what is to be done without being asked.
    func work() -> News {
        let context = context()
        do {
            try file.begin()
            try chores.step(context)
            try finish(context)
        } catch {
            undo(error)
            chores.failed(at: clock.now())
            return News()
        }
        return committed(context)
    }

    func close() {
        do { try file.checkpoint(.truncate) } catch { lastResort.endIfUnsynced(error) }
    }

    private func context() -> MessageContext {
        MessageContext(file, now: clock.now(), limits: limits) {
            self.claims += 1
            return self.claims
        }
    }

    private func lookUpDue() throws {
        guard mustLookUpDue else { return }
        for (origin, time) in try file.earliestDue() { due.add(origin, due: time) }
        mustLookUpDue = false
    }

    private func undo(_ error: any Error) {
        file.rollback()
        mustLookUpDue = true
        gauges.failedCommits.add()
        troubles.note("messages not committed", error)
        lastResort.endIfUnsynced(error)
    }

    private func make(_ change: MessageChange, _ context: MessageContext) throws -> (any Error)? {
        try file.execute("SAVEPOINT change")
        do {
            try change.body(context, &due)
            try context.writeCounts()
        } catch {
            try file.execute("ROLLBACK TO change; RELEASE change")
            context.forgetCounts()
            if !(error is Refusal) { mustLookUpDue = true }
            lastResort.endIfUnsynced(error)
            return error
        }
        try file.execute("RELEASE change")
        return nil
    }

    private func finish(_ context: MessageContext) throws {
        try context.writeCounts()
        try file.statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('claims', ?)").run(.integer(claims))
        try file.commit()
    }

    private func committed(_ context: MessageContext) -> News {
        var news = News(hasChallenges: context.hasChallenges, forStreams: context.forStreams)
        for (origin, time) in context.due where due.add(origin, due: time) && time < due.told { news.isDueEarlier = true }
        if context.leavesWork { chores.somethingIsToDo(at: context.now) }
        if context.emptiesLog { logIsToBeEmptied = true }
        gauges.add(context.tally)
        do { try checkpoint() } catch { lastResort.endIfUnsynced(error) }
        gauges.walBytes.set(Double(file.walPages * MessageFile.pageBytes))
        return news
    }

    /// What is committed is durable already; what is left in the log by a failure or a reader is brought in the next time.
    private func checkpoint() throws {
        if logIsToBeEmptied {
            logIsToBeEmptied = try file.checkpoint(.truncate).log != 0
        } else if file.walPages >= limits.checkpointPages {
            try file.checkpoint(.passive)
        }
    }
}

/// A change to the messages' file.
struct MessageChange: Sendable {
    var body: @Sendable (MessageContext, inout DueOrigins) throws -> Void
    /// Hears when the change is durable, or why it was not made.
    var done: @Sendable ((any Error)?) -> Void
}
