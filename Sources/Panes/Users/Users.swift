// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// Active people, lifecycle and cohort retention.
struct UsersPane: Pane {
    private enum Part: CaseIterable {
        case active, lifecycle, retention
    }

    static let name = "Users"
    static let summary = "Active, new and returning people, and cohort retention."

    static let keys: [PaneKey<Self>] =
        [
            .open("list", "Lists the users, those seen last first.", when: { _, _ in true }) { _, _ in .open(UserListPane()) },
            PaneKey("v", "view", "Shows active people, lifecycle or retention alone.") { pane, _ in
                pane.part = pane.part == nil ? .lifecycle : pane.part == .lifecycle ? .retention : nil
                return nil
            },
        ]
        + PaneKey.range + [.compare, PaneKey("/", "person", "Opens a person by ID.") { pane, _ in .prompt(pane.personPrompt) }]

    /// The part that is shown alone; nil for all, or for the first on small terminals.
    private var part: Part?

    // MARK: Queries

    private func active(_ span: UsersRange) -> DaemonQuery<RangedResult<ActiveUsersResult>> {
        DaemonQuery("active_users", "/v1/query/active-users", [("from", span.from)], every: 10)
    }

    private func activeBefore(_ span: UsersRange) -> DaemonQuery<RangedResult<ActiveUsersResult>> {
        DaemonQuery("active_users_before", "/v1/query/active-users", [("from", span.before.from), ("to", span.before.to)], every: 60)
    }

    private func lifecycle(_ span: UsersRange) -> DaemonQuery<RangedResult<LifecycleResult>> {
        DaemonQuery("lifecycle", "/v1/query/lifecycle", [("from", span.from), ("interval", span.interval.rawValue)], every: 20)
    }

    private func retention(_ span: UsersRange) -> DaemonQuery<RangedResult<RetentionResult>> {
        let parameters = [("from", span.from), ("interval", span.interval.rawValue), ("periods", String(span.periods))]
        return DaemonQuery("retention", "/v1/query/retention", parameters, every: 20)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        let span = UsersRange(options.range)
        let first = part ?? .active
        let parts = [first] + Part.allCases.filter { $0 != first }
        let queries = parts.map { part in
            switch part {
            case .active: active(span).polled
            case .lifecycle: lifecycle(span).polled
            case .retention: retention(span).polled
            }
        }
        return queries + (options.compares ? [activeBefore(span).polled] : [])
    }

    // MARK: Keys

    private var personPrompt: Prompt {
        Prompt("Person", "A user ID, or installation and its ID.", limit: 1_200) { text in
            let id = text.trimmed
            return id.isEmpty ? .unavailable("The ID is empty.") : .open(PersonPane(id: id))
        }
    }

    // MARK: Drawing

    private static let leastForAll = 30

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let hasRoom = area.height >= UsersPane.leastForAll
        let shown = part.map { [$0] } ?? (hasRoom ? Part.allCases : [.active])
        PaneRow.draw(shown.map { row(of: $0, UsersRange(view.range), isAlone: shown.count == 1) }, view, in: area.inset(1), on: &frame)
    }

    private func row(of part: Part, _ span: UsersRange, isAlone: Bool) -> PaneRow {
        let others = isAlone ? "v: others" : ""
        switch part {
        case .active:
            let query = active(span), before = activeBefore(span)
            let draw: PaneRow.Draw = { UsersBlocks.active(query, before, others, $0, in: $1, on: &$2) }
            return PaneRow([(1, draw)], least: isAlone ? 4 : 8, most: 60, rank: 0, weight: 1)
        case .lifecycle:
            let query = lifecycle(span)
            let draw: PaneRow.Draw = { UsersBlocks.lifecycle(query, span, others, $0, in: $1, on: &$2) }
            return PaneRow([(1, draw)], least: 4, most: 2 + span.buckets, rank: 1, weight: 3)
        case .retention:
            let query = retention(span)
            let draw: PaneRow.Draw = { UsersBlocks.retention(query, span, others, $0, in: $1, on: &$2) }
            return PaneRow([(1, draw)], least: 4, most: 3 + span.buckets, rank: 2, weight: 3)
        }
    }
}
