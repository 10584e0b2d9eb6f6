// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

/// All the dashboard knows, as a value: what happens goes in, what is to be done comes out, and `DashboardView` draws it.
struct Dashboard: Sendable {
    /// A sentence for a moment, instead of the keys.
    struct Notice: Sendable {
        let text: String
        let isError: Bool
        let end: Timestamp
    }

    let host: String
    private(set) var stacks: [PaneStack]
    private(set) var size: Size
    private(set) var now: Timestamp
    private(set) var paneIndex = 0
    private(set) var options: ViewOptions
    private(set) var pace = PollInterval.usual
    /// Which page of the help is shown; nil where none is.
    private(set) var helpPage: Int?
    private(set) var isPaused = false
    private(set) var inquiry = QueryScheduler()
    private(set) var tail = TailBuffer()
    /// What waits for a yes.
    private(set) var pendingAction: PendingAction?
    /// What is being typed.
    private(set) var prompt: Prompt?
    private(set) var notice: Notice?

    static let app = DaemonQuery<AppResponse>("app", "/v1/app", every: 60)
    static let system = DaemonQuery<SystemResponse>("system", "/v1/system")

    init(host: String, size: Size, now: Timestamp, options: ViewOptions = ViewOptions(), panes: [any Pane] = Panes.all) {
        self.host = host
        self.size = size
        self.now = now
        self.options = options
        stacks = panes.map { PaneStack($0) }
    }

    var answers: QueryResults { inquiry.answers }
    var outage: QueryScheduler.Outage? { inquiry.outage }
    var isHelpShown: Bool { helpPage != nil }
    var pane: any Pane { stacks[paneIndex].top }
    mutating func handle(_ event: DashboardEvent) -> [DashboardAction] {
        let actions = react(to: event)
        return tail.want(followed) ? actions + [.follow(tail.request)] : actions
    }

    private mutating func react(to event: DashboardEvent) -> [DashboardAction] {
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
        case .answered(let request, let result, let time):
            now = max(now, time)
            guard inquiry.take(result, of: request, now) else { return [] }
            tail.forgetTrouble()
            return askDue()
        case .told(let request, let events, let dropped): tail.take(events, dropped: dropped, of: request, isPaused: isPaused)
        case .silent(let request, let error): tail.fail(error, of: request)
        case .done(.success(let outcome)):
            say(outcome, isError: false)
            inquiry.begin(now)
            return askDue(evenPaused: true)
        case .done(.failure(let error)): say(error.sentences, isError: true)
        }
        return []
    }

    // MARK: Keys

    private mutating func press(_ key: Key) -> [DashboardAction] {
        notice = nil
        if prompt != nil, key != .control("c"), key != .control("z") { return type(key) }
        let command = Binding.command(for: key).flatMap { commands.contains($0) ? $0 : nil }
        if let pendingAction, command != .quit, command != .suspend {
            // Whatever is not a yes is a no.
            self.pendingAction = nil
            return command == .yes ? [.perform(pendingAction)] : []
        }
        return command.map { perform($0, key) } ?? []
    }

    private mutating func type(_ key: Key) -> [DashboardAction] {
        guard var prompt else { return [] }
        switch key {
        case .escape:
            self.prompt = nil
            return prompt.followsTyping ? take(prompt.step(prompt.before)) : []
        case .enter:
            self.prompt = nil
            return take(prompt.step(prompt.text)) + askDue()
        default:
            prompt.type(key)
            self.prompt = prompt
            return prompt.followsTyping ? take(prompt.step(prompt.text)) : []
        }
    }

    private mutating func perform(_ command: DashboardCommand, _ key: Key) -> [DashboardAction] {
        switch command {
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .help: helpPage = DashboardView(self).helpPage(after: helpPage)
        case .pause:
            isPaused.toggle()
            if !isPaused { tail.goOn() }
        case .shorter: options.range = options.range.shorter
        case .longer: options.range = options.range.longer
        case .range: prompt = Prompt.range(options.range)
        case .compare: options.compares.toggle()
        case .faster: pace = pace.faster
        case .slower: pace = pace.slower
        case .jump: prompt = Prompt.jump(Jump.words(stacks.map(\.title)))
        case .export: prompt = Prompt.export(of: pane.title, now)
        case .nextPane: paneIndex = (paneIndex + 1) % stacks.count
        case .previousPane: paneIndex = (paneIndex + stacks.count - 1) % stacks.count
        case .pane: goTo(key)
        case .back: if isHelpShown { helpPage = nil } else { stacks[paneIndex].close() }
        case .refresh:
            inquiry.begin(now)
            return [.repaint] + askDue(evenPaused: true)
        default: return take(stacks[paneIndex].top.perform(command, view)) + askDue()
        }
        return askDue()
    }

    /// The last digit of a pane's number; 0 is the tenth.
    private mutating func goTo(_ key: Key) {
        guard case .character(let digit) = key, let number = digit.wholeNumberValue else { return }
        show((number + 9) % 10)
    }

    /// Shows a pane from its beginning.
    mutating func show(_ index: Int) {
        if stacks.indices.contains(index) { paneIndex = index }
    }

    private mutating func take(_ step: PaneEffect?) -> [DashboardAction] {
        switch step {
        case .open(let pane): stacks[paneIndex].open(pane)
        case .ask(let action): pendingAction = action
        case .type(let prompt): self.prompt = prompt
        case .find(let text): prompt = Prompt.find(text)
        case .found(let text): stacks[paneIndex].top.find(text)
        case .become(let pane): stacks[paneIndex].top = pane
        case .jump(let text): jump(text)
        case .refuse(let why): say(why, isError: true)
        case .write(let path): return write(path)
        case nil: break
        }
        return []
    }

    mutating func jump(_ text: String) {
        switch Jump(text, among: stacks.map(\.title)) {
        case .pane(let index): show(index)
        case .range(let range): options.range = range
        case .thing(let thing, let id):
            show(stacks.firstIndex { $0.title == thing.pane } ?? paneIndex)
            stacks[paneIndex].open(thing.open(id))
        case nil: say("There is nothing called «\(text)» to go to.", isError: true)
        }
    }

    private mutating func write(_ path: String) -> [DashboardAction] {
        do throws(RequestError) {
            return [.write(path, try Export(self).bytes(for: path))]
        } catch {
            say(error.sentences, isError: true)
            return []
        }
    }

    private mutating func askDue(evenPaused: Bool = false) -> [DashboardAction] {
        let all = queries
        // What was opened during a pause has to be told once, or there is nothing to see.
        let due = isPaused && !evenPaused ? all.filter { answers[$0.request].answer == nil } : all
        // What lies below is kept for when somebody comes back to it.
        let below = stacks.flatMap(\.panes).flatMap { $0.queries(options) }
        return inquiry.due(due, keeping: all + below, now, pace).map { .ask($0) }
    }

    private mutating func say(_ text: String, isError: Bool) {
        notice = Notice(text: text, isError: isError, end: now + .seconds(10))
    }
}
