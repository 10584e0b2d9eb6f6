// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// The health of releases: adoption, crash-free users and sessions, and new issues.
struct ReleasesPane: Pane {
    static let name = "Releases"
    static let summary = "Adoption, crash-free users and sessions, and new issues of each release."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the release.", when: { $0.selected($1)?.release != nil }) { pane, view in
                pane.selected(view)?.release.map { .open(ReleasePane($0)) }
            }
        ]
        + PaneKey.range + [.compare] + PaneKey.list(\.list) { $0.releases($1) }

    private var list = ListState<CrashFreeResult.Release>(
        id: { $0.release ?? "" }, text: \.name,
        orders: [
            .init("sessions") { $1.total.sessions < $0.total.sessions },
            .init("crash-free users") { ($0.total.crashFreeUsers ?? 2, $1.total.sessions) < ($1.total.crashFreeUsers ?? 2, $0.total.sessions) },
            .init("new issues") { ($1.newIssues ?? 0, $1.total.sessions) < ($0.newIssues ?? 0, $0.total.sessions) },
        ])

    func queries(_ options: ViewOptions) -> [PolledQuery] { ReleaseQueries(options.range).polled(options) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func releases(_ view: PaneView) -> [CrashFreeResult.Release] {
        view.results.value(ReleaseQueries(view.range).now)?.body.releases ?? []
    }

    private func selected(_ view: PaneView) -> CrashFreeResult.Release? { list.selected(in: releases(view)) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(ReleaseQueries(view.range).now).map { result in
            Sheet(CrashFreeResult.Release.headings, list.items(of: result.body.releases).map(\.cells))
        }
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let queries = ReleaseQueries(view.range)
        guard let body = Block.open(title, view.rangeNote, queries.now, view, in: area.inset(1), on: &frame),
            let result = view.results.value(queries.now)?.body
        else { return }
        guard result.total.sessions > 0 else {
            return Block.say(
                "No sessions in this range. Send events with app_version, and a user_id or an installation_id, or choose a longer range.",
                in: body, on: &frame)
        }
        let adoption = AdoptionChart(result)
        let height = view.options.compares ? 3 : 2
        let rows = [
            PaneRow(
                [(1, { CrashFreeFigures(result.total, queries, of: nil).draw($0, in: $1, on: &$2) })], least: height, most: height, rank: 0),
            PaneRow([(1, { adoption.draw($0, in: $1, on: &$2) })], least: 5, most: 16, rank: 2, weight: 2),
            PaneRow([(1, { drawList(adoption, $0, in: $1, on: &$2) })], least: 3, most: 100, rank: 1, weight: 3),
        ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    private func drawList(_ adoption: AdoptionChart, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = releases(view)
        let items = list.items(of: all)
        let note = all.count == ReleaseQueries.most ? "the \(all.count) with most sessions · \(list.note)" : list.note
        let (head, body) = area.split(rows: 1)
        frame.rule("Releases", note: note, in: head, Theme.faint, title: Theme.title)
        guard !items.isEmpty else { return Block.say(list.whyEmpty ?? "No release.", in: body, on: &frame) }
        let queries = ReleaseQueries(view.range)
        let headings = ["adoption", "people", "crash-free"] + (view.options.compares ? ["change"] : []) + ["sessions", "crash-free", "new issues"]
        let columns = [Table.Column(""), Table.Column("release", isFlexible: true)] + headings.map { Table.Column($0, .right) }
        let cells = items.map { item in
            let change = view.options.compares ? [queries.change(\.crashFreeUsers, of: item.release, view)?.text ?? "–"] : []
            return [adoption.mark(of: item), item.name, CrashFreeText.adoption(item)]
                + [CrashFreeText.people(item.total.users, item.total), CrashFreeText.share(item.total.crashFreeUsers)] + change
                + [Numbers.short(item.total.sessions), CrashFreeText.share(item.total.crashFreeSessions)]
                + [item.newIssues.map { Numbers.short($0) } ?? "–"]
        }
        let table = SelectableTable(columns, cells, chosen: list.index(in: all)) { adoption.style(of: items[$0]) }
        table.draw(in: body, on: &frame, keeping: body.width >= 110 ? table.spare(of: body.width) : 0) { row, line, frame in
            frame.bar(items[row].userAdoption, of: 1, in: line, Theme.bars)
        }
    }
}
