// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

// What follows from how a dashboard stands: what is to be asked, what panes see, which keys mean something.

extension Dashboard {
    /// What the pane is made from comes first.
    var asks: [StandingAsk] {
        let asks = pane.asks(look)
        let others = [Dashboard.app.standing, Dashboard.system.standing]
        return asks + others.filter { other in !asks.contains { $0.question == other.question } }
    }

    /// What panes look at.
    var view: PaneView {
        let app = answers.value(Dashboard.app)
        return PaneView(
            answers: answers, following: following, width: size.width, isUnanswered: outage != nil, look: look, now: now,
            zone: app.flatMap { ZoneOffsets($0.settings.tz) },
            role: app.flatMap { Role(rawValue: $0.role) })
    }

    /// What lies below the shown pane goes on, for when somebody comes back to it.
    var followed: Question? {
        let view = view
        return stacks[paneIndex].panes.reversed().lazy.compactMap { $0.follows(view) }.first
    }

    /// The keys that mean something now.
    var bindings: [Binding] {
        if prompt != nil { return Prompt.bindings }
        let commands = commands
        let own = pane.words
        return Binding.all.filter { commands.contains($0.command) }.map { $0.worded(own[$0.command]) }
    }

    var commands: Set<DashboardCommand> {
        if asked != nil { return [.yes, .back, .quit, .suspend] }
        var commands = pane.commands(view).union([.quit, .help, .jump, .refresh, .pause, .faster, .slower, .export, .suspend])
        if stacks.count > 1 { commands.formUnion([.nextPane, .previousPane, .pane]) }
        if isHelpShown || stacks[paneIndex].hasOpened { commands.insert(.back) }
        return commands
    }
}
