import Platform
import Terminal

/// Something that happened to the dashboard.
enum DashboardEvent: Sendable {
    case started(Timestamp)
    /// A second has passed.
    case tick(Timestamp)
    case screen(ScreenEvent)
    case answered(Question, Result<any Sendable, Trouble>, Timestamp)
}

/// Something the dashboard wants done.
enum DashboardAction: Sendable {
    case ask(StandingAsk)
    /// Paint everything, whatever is on the screen.
    case repaint
    case suspend
    case quit
}

/// All the dashboard knows, as a value: what happens goes in, what is to be done comes out, and `DashboardView` draws it.
struct Dashboard: Sendable {
    /// Nobody answers: since when, why, and when it is tried again.
    struct Outage: Sendable {
        let since: Timestamp
        var trouble: Trouble
        var backoff = Backoff()
        var nextAttempt: Timestamp
    }

    let host: String
    let panes: [any Pane]
    private(set) var size: Size
    private(set) var now: Timestamp
    private(set) var paneIndex = 0
    private(set) var range = ShownRange.hour
    private(set) var isHelpShown = false
    private(set) var isPaused = false
    private(set) var answers = Answers()
    private(set) var outage: Outage?

    static let app = Ask<AppAnswer>("app", "/v1/app", every: 60)

    init(host: String, size: Size, now: Timestamp, panes: [any Pane] = Panes.all) {
        self.host = host
        self.size = size
        self.now = now
        self.panes = panes
    }

    var pane: any Pane { panes[paneIndex] }
    var asks: [StandingAsk] { [Dashboard.app.standing] + pane.asks(range) }

    mutating func handle(_ event: DashboardEvent) -> [DashboardAction] {
        switch event {
        case .started(let time), .tick(let time):
            now = time
            return askDue()
        case .screen(.resized(let size)):
            self.size = size
            return [.repaint]
        case .screen(.ended): return [.quit]
        case .screen(.key(let key)): return Binding.command(for: key).map { perform($0) } ?? closeHelp(key)
        case .answered(let question, let result, let time):
            now = max(now, time)
            return take(result, of: question)
        }
    }

    // MARK: Keys

    private mutating func perform(_ command: DashboardCommand) -> [DashboardAction] {
        switch command {
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .help: isHelpShown.toggle()
        case .pause: isPaused.toggle()
        case .shorter: range = range.shorter
        case .longer: range = range.longer
        case .nextPane: paneIndex = (paneIndex + 1) % panes.count
        case .previousPane: paneIndex = (paneIndex + panes.count - 1) % panes.count
        case .refresh:
            answers.makeAllDue()
            outage?.nextAttempt = now
            return [.repaint] + askDue(evenPaused: true)
        }
        return askDue()
    }

    private mutating func closeHelp(_ key: Key) -> [DashboardAction] {
        if key == .escape { isHelpShown = false }
        return []
    }

    // MARK: Asking

    private mutating func askDue(evenPaused: Bool = false) -> [DashboardAction] {
        guard !isPaused || evenPaused else { return [] }
        let asks = asks
        answers.keep(asks.map(\.question))
        guard let outage else { return asks.filter { isDue($0) }.map { begin($0) } }
        // One question is enough to find out whether somebody answers again.
        let isTrying = asks.contains { answers[$0.question].isUnderWay }
        return isTrying || now < outage.nextAttempt ? [] : asks.prefix(1).map { begin($0) }
    }

    private func isDue(_ ask: StandingAsk) -> Bool {
        let held = answers[ask.question]
        return !held.isUnderWay && held.due <= now
    }

    private mutating func begin(_ ask: StandingAsk) -> DashboardAction {
        answers[ask.question].isUnderWay = true
        answers[ask.question].due = now + ask.every
        return .ask(ask)
    }

    private mutating func take(_ result: Result<any Sendable, Trouble>, of question: Question) -> [DashboardAction] {
        answers[question].isUnderWay = false
        switch result {
        case .success(let value):
            (answers[question].value, answers[question].answered, answers[question].trouble) = (value, now, nil)
            guard outage != nil else { return [] }
            outage = nil
            answers.makeAllDue()
            return askDue()
        case .failure(let trouble) where trouble.kind == .unreachable:
            var outage = self.outage ?? Outage(since: now, trouble: trouble, nextAttempt: now)
            outage.trouble = trouble
            // Several questions fail at once when the daemon goes: they are one failure.
            if outage.nextAttempt <= now { outage.nextAttempt = now + .init(milliseconds: Int64(outage.backoff.next(chance: 1) * 1_000)) }
            self.outage = outage
        case .failure(let trouble):
            answers[question].trouble = trouble
            answers[question].due = max(answers[question].due, now + .seconds(trouble.kind == .busy ? 5 : 30))
        }
        return []
    }
}
