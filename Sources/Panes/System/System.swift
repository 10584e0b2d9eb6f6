// SPDX-License-Identifier: Apache-2.0

package import API
import JSON
import Terminal

/// Health and load of the daemon.
struct SystemPane: Pane {
    static let name = "System"
    static let summary = "Health and load of the daemon."

    static let keys: [PaneKey<Self>] =
        [
            .missingSymbols, .auditLog,
            PaneKey("v", "view", "Shows the events of the last hour by minute, or of the last day by hour.") { pane, _ in
                pane.isOfDay.toggle()
                return nil
            },
        ] + PaneKey.moves(when: { !$0.days($1).isEmpty }) { $0.selection.move($1, in: $0.days($2).map(\.day)) }

    private var selection = Selection()

    /// Whether the history is of the last day; otherwise of the last hour.
    private var isOfDay = false

    func queries(_ options: ViewOptions) -> [PolledQuery] { [SystemResponse.query.polled, history.polled] }

    /// The app's events by the time they happened.
    private var history: SeriesQuery {
        let span = isOfDay ? [("from", "-23h"), ("interval", "hour")] : [("from", "-59m"), ("interval", "minute")]
        return DaemonQuery("system_history", "/v1/query/series", [("metric", "events")] + span, every: isOfDay ? 30 : 5)
    }

    /// Newest first.
    private func days(_ view: PaneView) -> [SystemResponse.Partition] {
        (view.results.value(SystemResponse.query)?.partitions ?? []).sorted { $0.day > $1.day }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let system = view.results.value(SystemResponse.query)
        let note = system.map { "ingestd \($0.version), up \(Numbers.duration(seconds: $0.uptimeSeconds))" } ?? ""
        guard let body = Block.open(title, note, SystemResponse.query, view, in: area.inset(1), on: &frame), let system else { return }
        let (days, selection) = (days(view), selection)
        let health = SystemHealth(system)
        let isWide = body.width >= 70
        let work: PaneRow.Draw = { _, place, frame in SystemBlocks.work(system, in: place, on: &frame) }
        let disk: PaneRow.Draw = { _, place, frame in SystemBlocks.disk(system, in: place, on: &frame) }
        let sizes: PaneRow.Draw = { _, place, frame in SystemBlocks.sizes(system, in: place, on: &frame) }
        let list: PaneRow.Draw = { SystemBlocks.days(days, chosen: selection.index(in: days.map(\.day)), $0, in: $1, on: &$2) }
        let (history, isOfDay) = (history, isOfDay)
        let past = PaneRow([(1, { SystemBlocks.history(history, isOfDay: isOfDay, $0, in: $1, on: &$2) })], least: 5, most: 12, rank: 5, weight: 1)
        let healthRows = health.height(in: body.width)
        let head = PaneRow(
            [(1, { _, place, frame in health.draw(in: place, on: &frame) })], least: min(healthRows, body.height), most: healthRows, rank: 0)
        let rows =
            isWide
            ? [
                head, PaneRow([(1, work), (1, disk)], least: 8, most: 8, rank: 1),
                PaneRow([(1, sizes), (1, list)], least: 4, most: 500, rank: 2, weight: 1), past,
            ]
            : [
                head, PaneRow([(1, work)], least: 3, most: 8, rank: 1, weight: 2), PaneRow([(1, disk)], least: 3, most: 8, rank: 2, weight: 2),
                PaneRow([(1, sizes)], least: 5, most: 6, rank: 4, weight: 1), PaneRow([(1, list)], least: 4, most: 500, rank: 3, weight: 1),
                past,
            ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    /// All values of the response, one a row.
    func sheet(_ view: PaneView) -> Sheet? {
        let result = view.results[SystemResponse.query.request].result
        guard let result, let system = result.value as? SystemResponse, let document = try? JSONValue(result.body) else { return nil }
        let facts = ResultTables(document).facts.map { [$0.name, $0.value] }
        let days = system.partitions.map { ["partitions.\($0.day)", String($0.bytes)] }
        return Sheet(["name", "value"], facts + days)
    }
}

extension SystemResponse {
    package static let query = DaemonQuery<SystemResponse>("system", "/v1/system")
}
