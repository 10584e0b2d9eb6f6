// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// The state of the dashboard as a value: events go in, actions come out, and `DashboardView` draws it.
///
///     var dashboard = Dashboard(host: "127.0.0.1:8787", size: Size(80, 24), now: now)
///     dashboard.handle(.started(now))                        [.send(app), .send(system), …]
///     dashboard.handle(.screen(.key(.character("q"))))       [.quit]
struct Dashboard: Sendable {
    /// A message about an action. A confirmation is shown in the last line for some seconds, an error above it until the next key.
    struct Notice: Sendable {
        let text: String
        /// Nil for an error.
        let end: Timestamp?

        var isError: Bool { end == nil }
        fileprivate static let confirmationSeconds: Int64 = 5
    }

    let host: String
    private(set) var stacks: [PaneStack]
    private(set) var size: Size
    private(set) var now: Timestamp
    private(set) var paneIndex = 0
    private(set) var options: ViewOptions
    private(set) var pollInterval = PollInterval.usual
    /// The page of the help that is shown; nil without help.
    private(set) var helpPage: Int?
    private(set) var isPaused = false
    private(set) var scheduler = QueryScheduler()
    private(set) var tail = TailBuffer()
    /// The change that waits for a confirmation.
    private(set) var pendingAction: PendingAction?
    /// The line that is being typed.
    private(set) var prompt: Prompt?
    private(set) var notice: Notice?

    init(host: String, size: Size, now: Timestamp, options: ViewOptions = ViewOptions(), panes: [any Pane] = PaneList.tabs) {
        precondition(!panes.isEmpty, "a dashboard needs a pane")
        self.host = host
        self.size = size
        self.now = now
        self.options = options
        stacks = panes.map { PaneStack($0) }
    }

    var results: QueryResults { scheduler.results }
    var outage: QueryScheduler.Outage? { scheduler.outage }
    var isHelpShown: Bool { helpPage != nil }
    var pane: any Pane { stacks[paneIndex].top }

    mutating func handle(_ event: DashboardEvent) -> [DashboardAction] {
        let actions = react(to: event)
        return tail.switchStream(to: wantedStream) ? actions + [.readTail(tail.request)] : actions
    }

    private mutating func react(to event: DashboardEvent) -> [DashboardAction] {
        switch event {
        case .started(let time), .tick(let time):
            now = time
            if let end = notice?.end, end <= now { notice = nil }
            return sendDue()
        case .screen(.resized(let size)):
            self.size = size
            return [.repaint]
        case .screen(.ended): return [.quit]
        case .screen(.key(let key)): return press(key)
        case .received(let request, let result, let time):
            now = max(now, time)
            guard scheduler.receive(result, for: request, now) else { return [] }
            tail.clearError()
            return sendDue()
        case .streamed(let request, let events, let dropped): tail.receive(events, dropped: dropped, from: request, isPaused: isPaused)
        case .streamFailed(let request, let error): tail.fail(error, from: request)
        case .finished(.success(let outcome)):
            notice = Notice(text: outcome, end: now + .seconds(Notice.confirmationSeconds))
            scheduler.makeAllDue(now)
            return sendDue(evenPaused: true)
        case .finished(.failure(let error)): show(error.sentences)
        }
        return []
    }

    // MARK: Keys

    private mutating func press(_ key: Key) -> [DashboardAction] {
        if notice?.isError == true { notice = nil }
        if prompt != nil, key != .control("c"), key != .control("z") { return type(key) }
        if let action = pendingAction, !GlobalKey.leaving.contains(where: { $0.binding.keys.contains(key) }) {
            // Any key but `y` cancels.
            pendingAction = nil
            guard PendingAction.confirm.keys.contains(key) else { return [] }
            if action.closesPane { stacks[paneIndex].close() }
            return [.perform(action)]
        }
        if let row = GlobalKey.all.first(where: { $0.binding.keys.contains(key) && $0.isAvailable(self) }) { return row.action(&self, key) }
        guard paneBindings.contains(where: { $0.keys.contains(key) }) else { return [] }
        let view = view
        return apply(stacks[paneIndex].top.press(key, view)) + sendDue()
    }

    private mutating func type(_ key: Key) -> [DashboardAction] {
        guard var prompt else { return [] }
        switch key {
        case .escape:
            self.prompt = nil
            return prompt.followsTyping ? apply(prompt.effect(prompt.before)) : []
        case .enter:
            self.prompt = nil
            return apply(prompt.effect(prompt.text)) + sendDue()
        default:
            prompt.type(key)
            self.prompt = prompt
            return prompt.followsTyping ? apply(prompt.effect(prompt.text)) : []
        }
    }

    private mutating func apply(_ effect: PaneEffect?) -> [DashboardAction] {
        switch effect {
        case .open(let pane): stacks[paneIndex].open(pane)
        case .confirm(let action): pendingAction = action
        case .prompt(let prompt): self.prompt = prompt
        case .find(let text): prompt = Prompt.find(text)
        case .findText(let text): stacks[paneIndex].top.find(text)
        case .range(let range): options.range = range
        case .compare(let compares): options.compares = compares
        case .seenWithin(let range): options.seenWithin = range
        case .replace(let pane): stacks[paneIndex].top = pane
        case .jump(let text): jump(text)
        case .unavailable(let reason): show(reason)
        case .export(let path): return export(to: path)
        case nil: break
        }
        return []
    }

    // MARK: Changes by global keys

    mutating func showPane(_ index: Int) {
        if stacks.indices.contains(index) { paneIndex = index }
    }

    mutating func jump(_ text: String) {
        switch Jump(text, among: stacks.map(\.title)) {
        case .pane(let index): showPane(index)
        case .range(let range): options.range = range
        case .item(let target, let id):
            showPane(stacks.firstIndex { $0.title == target.pane } ?? paneIndex)
            stacks[paneIndex].open(target.open(id))
        case nil: show("No pane, item or range is called «\(text)».")
        }
    }

    mutating func goBack() {
        if isHelpShown { helpPage = nil } else { stacks[paneIndex].close() }
    }

    mutating func showNextHelpPage() {
        helpPage = DashboardView(self).helpPage(after: helpPage)
    }

    mutating func togglePause() {
        isPaused.toggle()
        if !isPaused { tail.resume() }
    }

    mutating func setPollInterval(_ interval: PollInterval) {
        pollInterval = interval
    }

    mutating func ask(_ prompt: Prompt) {
        self.prompt = prompt
    }

    mutating func refresh() -> [DashboardAction] {
        scheduler.makeAllDue(now)
        return [.repaint] + sendDue(evenPaused: true)
    }

    // MARK: Actions

    private mutating func export(to path: String) -> [DashboardAction] {
        do throws(RequestError) {
            return [.write(path, try Export(self).bytes(for: path))]
        } catch {
            show(error.sentences)
            return []
        }
    }

    mutating func sendDue(evenPaused: Bool = false) -> [DashboardAction] {
        let all = queries
        // A pane that was opened during a pause needs its first results.
        let due = isPaused && !evenPaused ? all.filter { results[$0.request].result == nil } : all
        // Results of the panes below stay, so that they are there on the way back.
        let view = view
        let below = stacks.flatMap(\.panes).flatMap { $0.queries(options) + $0.followUps(view) }
        return scheduler.due(due, keeping: all + below, now, pollInterval).map { .send($0) }
    }

    private mutating func show(_ error: String) {
        notice = Notice(text: error, end: nil)
    }
}
