import Platform
import Terminal

/// Something that happened to the dashboard.
enum DashboardEvent: Sendable {
    case started(Timestamp)
    /// A second has passed.
    case tick(Timestamp)
    case screen(ScreenEvent)
    case answered(Question, Result<any Sendable, Trouble>, Timestamp)
    /// What has become of a deed.
    case done(Result<String, Trouble>)
}

/// Something the dashboard wants done.
enum DashboardAction: Sendable {
    case ask(StandingAsk)
    case perform(Deed)
    /// Paint everything, whatever is on the screen.
    case repaint
    case suspend
    case quit
}

/// All the dashboard knows, as a value: what happens goes in, what is to be done comes out, and `DashboardView` draws it.
struct Dashboard: Sendable {
    /// A sentence for a moment, instead of the keys.
    struct Notice: Sendable {
        let text: String
        let isTrouble: Bool
        let end: Timestamp
    }

    let host: String
    private(set) var stacks: [PaneStack]
    private(set) var size: Size
    private(set) var now: Timestamp
    private(set) var paneIndex = 0
    private(set) var range = ShownRange.hour
    private(set) var isHelpShown = false
    private(set) var isPaused = false
    private(set) var inquiry = Inquiry()
    /// What waits for a yes.
    private(set) var asked: Deed?
    /// What is being typed.
    private(set) var prompt: Prompt?
    private(set) var notice: Notice?

    static let app = Ask<AppAnswer>("app", "/v1/app", every: 60)
    static let system = Ask<SystemAnswer>("system", "/v1/system")

    init(host: String, size: Size, now: Timestamp, panes: [any Pane] = Panes.all) {
        self.host = host
        self.size = size
        self.now = now
        stacks = panes.map { PaneStack($0) }
    }

    var answers: Answers { inquiry.answers }
    var outage: Inquiry.Outage? { inquiry.outage }
    var pane: any Pane { stacks[paneIndex].top }
    var asks: [StandingAsk] { [Dashboard.app.standing, Dashboard.system.standing] + pane.asks(range) }

    /// What panes look at.
    var view: PaneView {
        let app = answers.value(Dashboard.app)
        return PaneView(
            answers: answers, width: size.width, range: range, now: now, zone: app.flatMap { ZoneOffsets($0.settings.tz) },
            role: app.flatMap { Role(rawValue: $0.role) })
    }

    mutating func handle(_ event: DashboardEvent) -> [DashboardAction] {
        switch event {
        case .started(let time), .tick(let time):
            now = time
            if let notice, notice.end <= now { self.notice = nil }
            return askDue()
        case .screen(.resized(let size)):
            self.size = size
            return [.repaint]
        case .screen(.ended): return [.quit]
        case .screen(.key(let key)): return press(key)
        case .answered(let question, let result, let time):
            now = max(now, time)
            return inquiry.take(result, of: question, now) ? askDue() : []
        case .done(.success(let outcome)):
            say(outcome, isTrouble: false)
            inquiry.begin(now)
            return askDue(evenPaused: true)
        case .done(.failure(let trouble)):
            say(trouble.sentences, isTrouble: true)
            return []
        }
    }

    // MARK: Keys

    /// The keys that mean something now.
    var bindings: [Binding] {
        if prompt != nil { return Prompt.bindings }
        let commands = commands
        return Binding.all.filter { commands.contains($0.command) }
    }

    private var commands: Set<DashboardCommand> {
        if asked != nil { return [.yes, .back, .quit, .suspend] }
        var commands = pane.commands(view).union([.quit, .help, .refresh, .pause, .suspend])
        if stacks.count > 1 { commands.formUnion([.nextPane, .previousPane, .pane]) }
        if isHelpShown || stacks[paneIndex].hasOpened { commands.insert(.back) }
        return commands
    }

    private mutating func press(_ key: Key) -> [DashboardAction] {
        notice = nil
        if prompt != nil, key != .control("c"), key != .control("z") { return type(key) }
        let command = Binding.command(for: key).flatMap { commands.contains($0) ? $0 : nil }
        if let asked, command != .quit, command != .suspend {
            // Whatever is not a yes is a no.
            self.asked = nil
            return command == .yes ? [.perform(asked)] : []
        }
        return command.map { perform($0, key) } ?? []
    }

    private mutating func type(_ key: Key) -> [DashboardAction] {
        switch key {
        case .escape: prompt = nil
        case .enter:
            let step = prompt.map { $0.step($0.text) }
            prompt = nil
            take(step)
            return askDue()
        default: prompt?.type(key)
        }
        return []
    }

    private mutating func perform(_ command: DashboardCommand, _ key: Key) -> [DashboardAction] {
        switch command {
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .help: isHelpShown.toggle()
        case .pause: isPaused.toggle()
        case .shorter: range = range.shorter
        case .longer: range = range.longer
        case .nextPane: paneIndex = (paneIndex + 1) % stacks.count
        case .previousPane: paneIndex = (paneIndex + stacks.count - 1) % stacks.count
        case .pane: goTo(key)
        case .back: if isHelpShown { isHelpShown = false } else { stacks[paneIndex].close() }
        case .refresh:
            inquiry.begin(now)
            return [.repaint] + askDue(evenPaused: true)
        default: take(stacks[paneIndex].top.perform(command, view))
        }
        return askDue()
    }

    private mutating func goTo(_ key: Key) {
        guard case .character(let digit) = key, let number = digit.wholeNumberValue, stacks.indices.contains(number - 1) else { return }
        paneIndex = number - 1
    }

    private mutating func take(_ step: PaneStep?) {
        switch step {
        case .open(let pane): stacks[paneIndex].open(pane)
        case .ask(let deed): asked = deed
        case .type(let prompt): self.prompt = prompt
        case .become(let pane): stacks[paneIndex].top = pane
        case .refuse(let why): say(why, isTrouble: true)
        case nil: break
        }
    }

    private mutating func askDue(evenPaused: Bool = false) -> [DashboardAction] {
        guard !isPaused || evenPaused else { return [] }
        // What lies below is kept for when somebody comes back to it.
        let below = stacks.flatMap(\.panes).flatMap { $0.asks(range) }
        return inquiry.due(asks, keeping: below, now).map { .ask($0) }
    }

    private mutating func say(_ text: String, isTrouble: Bool) {
        notice = Notice(text: text, isTrouble: isTrouble, end: now + .seconds(10))
    }
}
