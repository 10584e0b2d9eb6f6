// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Terminal

/// The blocks of the system pane.
enum SystemBlocks {
    static func events(_ system: SystemResponse, in area: Rect, on frame: inout Frame) {
        let events = system.events
        let body = open("Events", note: "since the start", in: area, on: &frame)
        _ = FieldList(
            [
                "rate": "\(Numbers.decimals(events.perSecond, 1)) events/s", "accepted": Numbers.grouped(Double(events.accepted)),
                "duplicates": Numbers.grouped(Double(events.duplicates)),
                "rejected": "\(Numbers.grouped(Double(events.quarantined))) quarantined",
                "last": "seq \(Numbers.grouped(Double(events.lastSeq)))", "symbols": system.readsDwarf ? "all formats" : "Breakpad only",
            ], styles: ["symbols": !system.readsDwarf ? Theme.warning : .plain]
        ).draw(in: body, leaving: 0, on: &frame)
    }

    /// The app's use of the operator's limits. A daemon before version 0.2 does not tell.
    static func usage(_ system: SystemResponse, in area: Rect, on frame: inout Frame) {
        let usage = system.usage
        let body = open("Use of limits", note: usage.map { "\($0.day) UTC" } ?? "", in: area, on: &frame)
        guard let usage else { return Block.say("This daemon does not tell.", in: body, on: &frame) }
        func used(_ value: Double, of most: Int?, _ text: (Double) -> String) -> String {
            most.map { "\(text(value)) of \(text(Double($0)))" } ?? text(value)
        }
        let count: (Double) -> String = { Numbers.grouped($0) }
        let bytes: (Double) -> String = { Numbers.bytes($0) }
        let full = SystemHealth.reached(usage)
        _ = FieldList(
            [
                "events": used(Double(usage.events), of: usage.maxEventsPerDay, count),
                "requests": used(Double(usage.bytes), of: usage.maxBytesPerDay, bytes),
                "devices": used(Double(usage.devices), of: usage.maxDevices, count),
                "storage": used(Double(usage.storageBytes), of: usage.maxStorageBytes, bytes),
            ], styles: Dictionary(uniqueKeysWithValues: full.map { ($0, Theme.bad) })
        ).draw(in: body, leaving: 0, on: &frame)
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
