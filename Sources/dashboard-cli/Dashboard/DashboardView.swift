// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Platform
import Terminal

/// Draws a dashboard: header, tabs, pane and footer.
struct DashboardView {
    private let dashboard: Dashboard
    private let depth: ColorDepth
    static let smallest = Size(30, 6)
    private static let leastHeightWithTabs = 12

    init(_ dashboard: Dashboard, _ depth: ColorDepth = .full) {
        (self.dashboard, self.depth) = (dashboard, depth)
    }

    func frame() -> Frame {
        var frame = Frame(dashboard.size)
        guard frame.size.width >= DashboardView.smallest.width, frame.size.height >= DashboardView.smallest.height else {
            let (needed, size) = (DashboardView.smallest, frame.size)
            frame.paragraph("Too small: \(needed.width)x\(needed.height) is needed, this is \(size.width)x\(size.height).", in: frame.bounds)
            return frame
        }
        let (header, rest) = frame.bounds.split(rows: 1)
        let footer = rest.split(rows: rest.height - 1).rest
        drawHeader(in: header, on: &frame)
        drawTabs(in: tabs, on: &frame)
        drawBody(in: body, on: &frame)
        // Clicks do nothing while a prompt or a confirmation is open.
        if dashboard.pendingAction != nil || dashboard.prompt != nil { frame.link(frame.bounds, []) }
        drawFooter(in: footer, on: &frame)
        if let page = dashboard.helpPage { help.draw(page: page, in: body, on: &frame) }
        if let action = dashboard.pendingAction { draw(action, in: body, on: &frame) }
        if let prompt = dashboard.prompt { prompt.draw(in: body, on: &frame) }
        if let notice = dashboard.notice, notice.isError { draw(error: notice.text, in: body, on: &frame) }
        return frame
    }

    /// The frame of a snapshot: header and pane only.
    func snapshot() -> Frame {
        var frame = Frame(dashboard.size)
        let (header, body) = frame.bounds.split(rows: 1)
        drawHeader(in: header, on: &frame)
        drawBody(in: body, on: &frame)
        return frame
    }

    /// Nil after the last page.
    func helpPage(after page: Int?) -> Int? {
        let next = page.map { $0 + 1 } ?? 0
        return next < help.pages ? next : nil
    }

    private var view: PaneView {
        var view = dashboard.view
        view.depth = depth
        return view
    }
    private var help: HelpSheet { HelpSheet(dashboard.bindings, in: body.size) }

    // MARK: Parts

    /// The area between header and footer.
    private var middle: Rect { Rect(0, 1, dashboard.size.width, dashboard.size.height - 2) }
    private var tabs: Rect { middle.split(rows: hasTabs ? 1 : 0).top }
    private var body: Rect { middle.split(rows: hasTabs ? 1 : 0).rest }
    private var hasTabs: Bool { dashboard.stacks.count > 1 && dashboard.size.height >= DashboardView.leastHeightWithTabs }

    private func drawHeader(in line: Rect, on frame: inout Frame) {
        let (word, style) = health
        let clock = view.clock(dashboard.now, seconds: true)
        let pollInterval = dashboard.pollInterval == .usual ? "" : "every \(dashboard.pollInterval.seconds) s  "
        let right = "● \(word)  \(pollInterval)\(clock)"
        let start = line.x + line.width - 1 - right.width
        frame.put("●", start, line.y, style)
        frame.put(" \(word)", start + 1, line.y, style)
        frame.put("  \(pollInterval)\(clock)", start + 2 + word.width, line.y, Theme.faint)
        let room = Rect(line.x + 1, line.y, max(0, start - line.x - 2), 1)
        let name = dashboard.results.value(AppResponse.query)?.name ?? "Signalbox"
        let taken = frame.text(name, in: room, Theme.title)
        frame.text("  \(dashboard.host)", in: room.split(columns: taken).rest, Theme.faint)
    }

    private var health: (word: String, style: Style) {
        if dashboard.outage != nil { return ("unreachable", Theme.bad) }
        if dashboard.isPaused { return ("paused", Theme.warning) }
        guard let system = dashboard.results.value(SystemResponse.query) else {
            // Not every role may query the system.
            return dashboard.results.error(SystemResponse.query) == nil ? ("asking", Theme.faint) : ("answering", Theme.good)
        }
        return system.ready ? ("ready", Theme.good) : ("not ready", Theme.bad)
    }

    private func drawBody(in area: Rect, on frame: inout Frame) {
        guard let outage = dashboard.outage else { return dashboard.pane.draw(view, in: area, on: &frame) }
        let (banner, rest) = area.split(rows: 2)
        let since = "since \(view.clock(outage.since, seconds: true))"
        let wait = max(0, (outage.nextAttempt.milliseconds - dashboard.now.milliseconds + 999) / 1_000)
        let next = wait > 0 ? "retrying in \(wait) s" : "retrying"
        let (first, second) = banner.split(rows: 1)
        let what = frame.text(" \(outage.error.what).", in: first, Theme.bad)
        frame.text(" \(age ?? "")", in: first.split(columns: what).rest, Theme.warning)
        frame.text(" \(since), \(next). \(outage.error.hint ?? "")", in: second, Theme.faint)
        // The last results stay visible.
        dashboard.pane.draw(view, in: rest, on: &frame)
    }

    /// The age of the main result.
    private var age: String? {
        guard let query = dashboard.pane.queries(dashboard.options).first, let receivedAt = dashboard.results[query.request].receivedAt else {
            return nil
        }
        let seconds = Int((dashboard.now.milliseconds - receivedAt.milliseconds) / 1_000)
        return "Data is \(Numbers.duration(seconds: seconds < 60 ? seconds : seconds / 60 * 60)) old."
    }

    /// The tabs with their digits: as many as fit around the shown one.
    private func drawTabs(in line: Rect, on frame: inout Frame) {
        let tabs = dashboard.stacks.enumerated().map { index, stack in (digit: index < 10 ? "\((index + 1) % 10)" : "", title: stack.title) }
        let shown = shownTabs(tabs.map { $0.digit.width + $0.title.width + ($0.digit.isEmpty ? 2 : 3) }, in: line.width - 4)
        var rest = line.split(columns: 1).rest
        if shown.lowerBound > 0 { rest = rest.split(columns: frame.text("‹ ", in: rest, Theme.faint)).rest }
        for index in shown {
            let digit = frame.text(tabs[index].digit, in: rest, Theme.key)
            let gap = digit > 0 ? 1 : 0
            let title = rest.split(columns: digit + gap).rest
            let taken = frame.text(tabs[index].title, in: title, index == dashboard.paneIndex ? Theme.shown : Theme.faint)
            frame.link(Rect(rest.x, rest.y, digit + gap + taken, 1), keys(toPane: index))
            rest = title.split(columns: taken + 2).rest
        }
        if shown.upperBound < tabs.count { frame.text("›", in: rest, Theme.faint) }
    }

    /// Panes without a digit are reached by tab.
    private func keys(toPane index: Int) -> [Key] {
        if index < 10 { return [.character(Character("\((index + 1) % 10)"))] }
        let steps = index - dashboard.paneIndex
        return Array(repeating: steps > 0 ? .tab : .backTab, count: abs(steps))
    }

    /// The visible tabs, from the first one on if the shown one fits.
    private func shownTabs(_ widths: [Int], in room: Int) -> Range<Int> {
        var first = 0
        while first < dashboard.paneIndex, widths[first...dashboard.paneIndex].reduce(0, +) > room { first += 1 }
        var (end, used) = (first, 0)
        while end < widths.count, used + widths[end] <= room || end == dashboard.paneIndex { (end, used) = (end + 1, used + widths[end]) }
        return first..<end
    }

    private func drawFooter(in line: Rect, on frame: inout Frame) {
        var rest = line.split(columns: 1).rest
        if let notice = dashboard.notice, !notice.isError {
            rest = rest.split(columns: frame.text("✓ \(notice.text)", in: rest, Theme.good) + 2).rest
        }
        for binding in dashboard.bindings {
            guard let label = binding.label, let key = binding.keys.first else { continue }
            guard key.name.width + 1 + label.width <= rest.width else { break }
            let taken = frame.text(key.name, in: rest, Theme.key)
            let said = frame.text(" \(label)", in: rest.split(columns: taken).rest, Theme.faint)
            frame.link(Rect(rest.x, rest.y, taken + said, 1), [key])
            rest = rest.split(columns: taken + said + 2).rest
        }
        let range = dashboard.options.range.name
        guard dashboard.paneBindings.contains(.range), range.width + 1 < rest.width else { return }
        frame.text("\(range) ", in: rest, Theme.faint, .right)
    }

    private func draw(_ action: PendingAction, in area: Rect, on frame: inout Frame) {
        let width = min(area.width, 60)
        var text = Frame(Size(max(0, width - 4), 8))
        let height = min(area.height, text.paragraph(action.confirmation, in: text.bounds) + 2)
        let room = frame.box("Sure?", in: Rect(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height), Theme.warning)
        frame.put(text, in: room.inset(1))
    }

    /// Draws an error above the footer.
    private func draw(error: String, in area: Rect, on frame: inout Frame) {
        var text = Frame(Size(max(0, area.width - 2), 3))
        let lines = min(area.height, text.paragraph(error, in: text.bounds, Theme.warning))
        let room = area.split(rows: area.height - lines).rest
        frame.clear(room)
        frame.put(text, in: room.inset(1))
    }
}
