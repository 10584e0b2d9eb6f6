import Platform
import Terminal

/// Draws a dashboard: a header, the pane, and the keys.
struct DashboardView {
    private let dashboard: Dashboard
    static let smallest = Size(30, 6)

    init(_ dashboard: Dashboard) {
        self.dashboard = dashboard
    }

    func frame() -> Frame {
        var frame = Frame(dashboard.size)
        guard frame.size.width >= DashboardView.smallest.width, frame.size.height >= DashboardView.smallest.height else {
            let (needed, size) = (DashboardView.smallest, frame.size)
            frame.paragraph("Too small: \(needed.width)x\(needed.height) is needed, this is \(size.width)x\(size.height).", in: frame.bounds)
            return frame
        }
        let (header, rest) = frame.bounds.split(rows: 1)
        let (body, footer) = rest.split(rows: rest.height - 1)
        drawHeader(in: header, on: &frame)
        drawBody(in: body, on: &frame)
        drawFooter(in: footer, on: &frame)
        if dashboard.isHelpShown { drawHelp(in: body, on: &frame) }
        return frame
    }

    /// As a snapshot shows it: without keys, and without room that nothing needs.
    func snapshot() -> Frame {
        var frame = Frame(dashboard.size)
        let (header, body) = frame.bounds.split(rows: 1)
        drawHeader(in: header, on: &frame)
        drawBody(in: body, on: &frame)
        return frame
    }

    private var view: PaneView {
        PaneView(answers: dashboard.answers, range: dashboard.range, now: dashboard.now, zone: zone)
    }

    private var zone: ZoneOffsets? {
        dashboard.answers.value(Dashboard.app).flatMap { ZoneOffsets($0.settings.tz) }
    }

    // MARK: Parts

    private func drawHeader(in line: Rect, on frame: inout Frame) {
        let (word, style) = health
        let clock = view.clock(dashboard.now, seconds: true)
        let right = "● \(word)  \(clock)"
        let start = line.x + line.width - 1 - right.width
        frame.put("●", start, line.y, style)
        frame.put(" \(word)", start + 1, line.y, style)
        frame.put("  \(clock)", start + 2 + word.width, line.y, Theme.faint)
        let room = Rect(line.x + 1, line.y, max(0, start - line.x - 2), 1)
        let name = dashboard.answers.value(Dashboard.app)?.name ?? "Signalbox"
        let taken = frame.text(name, in: room, Theme.title)
        frame.text("  \(dashboard.host)", in: room.split(columns: taken).rest, Theme.faint)
    }

    private var health: (word: String, style: Style) {
        if dashboard.outage != nil { return ("no answer", Theme.bad) }
        if dashboard.isPaused { return ("paused", Theme.warning) }
        guard let system = dashboard.answers.value(OverviewPane.system) else { return ("asking", Theme.faint) }
        return system.ready ? ("ready", Theme.good) : ("not ready", Theme.bad)
    }

    private func drawBody(in area: Rect, on frame: inout Frame) {
        guard let outage = dashboard.outage else { return dashboard.pane.draw(view, in: area, on: &frame) }
        let (banner, rest) = area.split(rows: 2)
        let since = "since \(view.clock(outage.since, seconds: true))"
        let wait = max(0, (outage.nextAttempt.milliseconds - dashboard.now.milliseconds + 999) / 1_000)
        let next = wait > 0 ? "trying again in \(wait) s" : "trying again"
        frame.text(" \(outage.trouble.what).", in: banner.split(rows: 1).top, Theme.bad)
        frame.text(" \(since), \(next). \(outage.trouble.hint ?? "")", in: banner.split(rows: 1).rest, Theme.faint)
        // What was last known stays to be seen.
        dashboard.pane.draw(view, in: rest, on: &frame)
    }

    private func drawFooter(in line: Rect, on frame: inout Frame) {
        var rest = line.split(columns: 1).rest
        for binding in Binding.all where binding.command != .suspend && (dashboard.panes.count > 1 || !binding.isAboutPanes) {
            guard let key = binding.keys.first?.name, key.width + 1 + binding.word.width <= rest.width else { break }
            let taken = frame.text(key, in: rest, Theme.key)
            let word = frame.text(" \(binding.word)  ", in: rest.split(columns: taken).rest, Theme.faint)
            rest = rest.split(columns: taken + word).rest
        }
        if dashboard.range.name.width + 1 < rest.width { frame.text("\(dashboard.range.name) ", in: rest, Theme.faint, .right) }
    }

    private func drawHelp(in area: Rect, on frame: inout Frame) {
        let rows = Binding.all.map { binding in [binding.keys.map(\.name).joined(separator: " "), binding.meaning] }
        let keys = rows.map { $0[0].width }.max() ?? 0
        let width = min(area.width, keys + 6 + (rows.map { $0[1].width }.max() ?? 0))
        let height = min(area.height, rows.count + 2)
        let box = Rect(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
        let room = frame.box("Keys", in: box, Theme.faint).inset(1)
        for (index, row) in rows.prefix(room.height).enumerated() {
            let line = Rect(room.x, room.y + index, room.width, 1)
            frame.text(row[0], in: line, Theme.key)
            frame.text(row[1], in: line.split(columns: keys + 2).rest)
        }
    }
}

extension Binding {
    fileprivate var isAboutPanes: Bool { command == .nextPane || command == .previousPane }
}
