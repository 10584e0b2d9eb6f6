// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

// What follows from how a dashboard stands: what is to be asked, what panes see, which keys mean something.

extension Dashboard {
    /// What the pane is made from comes first.
    var queries: [PolledQuery] {
        let queries = pane.queries(options)
        let others = [Dashboard.app.polled, Dashboard.system.polled]
        return queries + others.filter { other in !queries.contains { $0.request == other.request } }
    }

    /// What panes look at.
    var view: PaneView {
        let app = answers.value(Dashboard.app)
        return PaneView(
            answers: answers, tail: tail, width: size.width, isUnreachable: outage != nil, options: options, now: now,
            zone: app.flatMap { ZoneOffsets($0.settings.tz) },
            role: app.flatMap { Role(rawValue: $0.role) })
    }

    /// What lies below the shown pane goes on, for when somebody comes back to it.
    var followed: GetRequest? {
        let view = view
        return stacks[paneIndex].panes.reversed().lazy.compactMap { $0.stream(view) }.first
    }

    /// The keys that mean something now.
    var bindings: [Binding] {
        if prompt != nil { return Prompt.bindings }
        let commands = commands
        let own = pane.words
        return Binding.all.filter { commands.contains($0.command) }.map { $0.worded(own[$0.command]) }
    }

    var commands: Set<DashboardCommand> {
        if pendingAction != nil { return [.yes, .back, .quit, .suspend] }
        var commands = pane.commands(view).union([.quit, .help, .jump, .refresh, .pause, .faster, .slower, .export, .suspend])
        if stacks.count > 1 { commands.formUnion([.nextPane, .previousPane, .pane]) }
        if isHelpShown || stacks[paneIndex].hasOpened { commands.insert(.back) }
        return commands
    }
}
