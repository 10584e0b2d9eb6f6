// SPDX-License-Identifier: Apache-2.0

package import API
import JSON
import Terminal

/// The state of the daemon, and what the app sends and uses of its limits.
struct SystemPane: Pane {
    static let name = "System"
    static let summary = "State of the daemon, events of the app, and use of its limits."

    static let keys: [PaneKey<Self>] = [
        .missingSymbols, .auditLog,
        .otherView("Shows the events of the last hour by minute, or of the last day by hour.", \.isOfDay),
    ]

    /// Whether the history is of the last day; otherwise of the last hour.
    private var isOfDay = false

    func queries(_ options: ViewOptions) -> [PolledQuery] { [SystemResponse.query.polled, history.polled] }

    /// The app's events by the time they happened.
    private var history: SeriesQuery {
        let span = isOfDay ? [("from", "-23h"), ("interval", "hour")] : [("from", "-59m"), ("interval", "minute")]
        return DaemonQuery("system_history", "/v1/query/series", [("metric", "events")] + span, every: isOfDay ? 30 : 5)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let system = view.results.value(SystemResponse.query)
        let note = system.map { "ingestd \($0.version)" } ?? ""
        guard let body = Block.open(title, note, SystemResponse.query, view, in: area.inset(1), on: &frame), let system else { return }
        let health = SystemHealth(system)
        let events: PaneRow.Draw = { _, place, frame in SystemBlocks.events(system, in: place, on: &frame) }
        let usage: PaneRow.Draw = { _, place, frame in SystemBlocks.usage(system, in: place, on: &frame) }
        let healthRows = health.height(in: body.width)
        let head = PaneRow(
            [(1, { _, place, frame in health.draw(in: place, on: &frame) })], least: min(healthRows, body.height), most: healthRows, rank: 0)
        let (history, isOfDay) = (history, isOfDay)
        let past = PaneRow([(1, { SystemBlocks.history(history, isOfDay: isOfDay, $0, in: $1, on: &$2) })], least: 5, most: 12, rank: 3, weight: 1)
        let isWide = body.width >= 70
        let rows =
            isWide
            ? [head, PaneRow([(1, events), (1, usage)], least: 7, most: 7, rank: 1), past]
            : [
                head, PaneRow([(1, events)], least: 3, most: 7, rank: 1, weight: 2), PaneRow([(1, usage)], least: 3, most: 5, rank: 2, weight: 2),
                past,
            ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    /// All values of the response, one a row.
    func sheet(_ view: PaneView) -> Sheet? {
        let result = view.results[SystemResponse.query.request].result
        guard let result, result.value is SystemResponse, let document = try? JSONValue(result.body) else { return nil }
        return Sheet(["name", "value"], ResultTables(document).facts.map { [$0.name, $0.value] })
    }
}

extension SystemResponse {
    package static let query = DaemonQuery<SystemResponse>("system", "/v1/system")
}
