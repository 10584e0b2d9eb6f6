// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Terminal

/// The blocks of the system pane.
enum SystemBlocks {
    static func work(_ system: SystemResponse, in area: Rect, on frame: inout Frame) {
        let (events, queue) = (system.events, system.queue)
        let body = open("Work", in: area, on: &frame)
        _ = FieldList(
            [
                "rate": "\(Numbers.decimals(events.perSecond, 1)) events/s", "accepted": Numbers.grouped(Double(events.accepted)),
                "duplicates": Numbers.grouped(Double(events.duplicates)),
                "rejected": "\(Numbers.grouped(Double(events.quarantined))) quarantined",
                "last": "seq \(Numbers.grouped(Double(events.lastSeq)))",
                "queue": "\(queue.events.of("event", "events")), \(Numbers.bytes(Double(queue.bytes)))",
                "clients": system.connections.of("connection", "connections"),
            ], styles: ["queue": queue.refused > 0 ? Theme.warning : .plain]
        ).draw(in: body, leaving: 0, on: &frame)
    }

    static func disk(_ system: SystemResponse, in area: Rect, on frame: inout Frame) {
        let commits = system.commits
        let body = open("Disk", in: area, on: &frame)
        _ = FieldList(
            [
                "free": Numbers.bytes(Double(system.freeDiskBytes)), "commits": Numbers.grouped(Double(commits.count)),
                "failed": Numbers.grouped(Double(commits.failed)), "p50": "\(Numbers.milliseconds(commits.p50Milliseconds)) commit",
                "p99": "\(Numbers.milliseconds(commits.p99Milliseconds)) commit", "WAL": Numbers.bytes(Double(system.walBytes)),
                "symbols": system.readsDwarf ? "all formats" : "Breakpad only",
            ], styles: ["failed": commits.failed > 0 ? Theme.bad : .plain, "symbols": !system.readsDwarf ? Theme.warning : .plain]
        ).draw(in: body, leaving: 0, on: &frame)
    }

    static func sizes(_ system: SystemResponse, in area: Rect, on frame: inout Frame) {
        let events = system.partitions.reduce(0) { $0 + $1.bytes }
        let sizes = [
            ("events", events), ("main", system.mainBytes), ("messages", system.messagesBytes), ("crashes", system.crashesBytes),
        ].map { (name: $0, bytes: Double($1)) }
        let body = open("Sizes", note: Numbers.bytes(sizes.reduce(0) { $0 + $1.bytes }), in: area, on: &frame)
        let columns = [Table.Column("file"), Table.Column("size", .right)]
        let most = sizes.map(\.bytes).max() ?? 0
        SelectableTable(columns, sizes.map { [$0.name, Numbers.bytes($0.bytes)] }, chosen: nil)
            .draw(in: body, on: &frame, keeping: max(0, body.width - 22)) { row, line, frame in
                frame.bar(sizes[row].bytes, of: most, in: line, Theme.chart)
            }
    }

    static func days(_ days: [SystemResponse.Partition], chosen: Int?, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let body = open("Events by day of receipt, UTC", note: days.count.of("day", "days"), in: area, on: &frame)
        guard !days.isEmpty else { return Block.say("No events yet.", in: body, on: &frame) }
        let columns = [Table.Column("day"), Table.Column("size", .right)]
        let most = Double(days.map(\.bytes).max() ?? 0)
        SelectableTable(columns, days.map { [$0.day, Numbers.bytes(Double($0.bytes))] }, chosen: chosen)
            .draw(in: body, on: &frame, keeping: max(0, body.width - 26)) { row, line, frame in
                frame.bar(Double(days[row].bytes), of: most, in: line, Theme.bars)
            }
    }

    /// The events of the last hour by minute, or of the last day by hour. The running bucket is the last one.
    static func history(_ query: SeriesQuery, isOfDay: Bool, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let title = isOfDay ? "Events an hour, last day" : "Events a minute, last hour"
        guard let body = Block.open(title, "v: \(isOfDay ? "last hour" : "last day")", query, view, in: area, on: &frame),
            let series = view.results.value(query)?.body.series.first, let first = series.points.first
        else { return }
        let values = series.points.map(\.value.number)
        guard values.contains(where: { $0 != 0 }) else {
            return Block.say("No events in the last \(isOfDay ? "day" : "hour").", in: body, on: &frame)
        }
        AreaChart(values, from: view.clock(first.t.time), to: "now")
            .draw(in: body, on: &frame, Theme.chart, axis: Theme.faint)
    }

    private static func open(_ title: String, note: String = "", in area: Rect, on frame: inout Frame) -> Rect {
        let (head, body) = area.split(rows: 1)
        frame.rule(title, note: note, in: head, Theme.faint, title: Theme.title)
        return body
    }
}
