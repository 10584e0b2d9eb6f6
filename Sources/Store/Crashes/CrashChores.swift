import Platform

/// What the crashes' writer does unasked, in pieces.
struct CrashChores {
    private static let rest = Timestamp.Span.seconds(60)
    private static let restAfterFailure = Timestamp.Span.seconds(5)

    private var mayHaveWork = true
    private var pausedUntil: Timestamp

    init(now: Timestamp) {
        pausedUntil = now
    }

    mutating func somethingIsToDo() { mayHaveWork = true }

    mutating func failed(at now: Timestamp) { pausedUntil = now + CrashChores.restAfterFailure }

    /// How long nothing is to be done; nil where there is something now.
    func idleTime(at now: Timestamp) -> Duration? {
        guard mayHaveWork else { return .milliseconds(CrashChores.rest.milliseconds) }
        // A clock that is set back makes no pause longer.
        let pause = min(pausedUntil - now, CrashChores.restAfterFailure)
        return pause.milliseconds > 0 ? .milliseconds(pause.milliseconds) : nil
    }

    /// Does one piece.
    mutating func step(_ context: CrashContext) throws {
        mayHaveWork = false
    }
}
