// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The share of sessions of the largest releases over time, a line with a letter each.
struct AdoptionChart: Sendable {
    private let lined: [CrashFreeResult.Release]
    private let total: [CrashFreeResult.Point]
    private static let mostLines = 5

    init(_ result: CrashFreeResult) {
        lined = Array(result.releases.filter { $0.release != nil }.prefix(AdoptionChart.mostLines))
        total = result.points
    }

    private func place(of release: CrashFreeResult.Release) -> Int? { lined.firstIndex { $0.release == release.release } }

    /// The letter of the release's line; empty without a line.
    func mark(of release: CrashFreeResult.Release) -> String { place(of: release).map { String(LineChart.letters[$0]) } ?? "" }

    func style(of release: CrashFreeResult.Release) -> Style {
        place(of: release).map { Theme.lines[$0] } ?? (release.release == nil ? Theme.faint : .plain)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        frame.rule("Share of sessions \(view.aBucket), in %", in: head, Theme.faint, title: Theme.title)
        guard let first = total.first, !lined.isEmpty else { return Block.say("No session has a release.", in: body, on: &frame) }
        let lines = lined.map { release in
            zip(release.points, total).map { part, whole -> Double? in
                whole.figures.sessions > 0 ? Double(part.figures.sessions) / Double(whole.figures.sessions) * 100 : nil
            }
        }
        LineChart(
            lines, from: view.bucket(first.t.time), to: "now", names: LineChart.letters.prefix(lines.count).map(String.init),
            marks: LineChart.letters
        ).draw(in: body, on: &frame, Theme.lines, axis: Theme.faint)
    }
}

/// Key figures of a release or of all sessions, in two lines, or three with the changes.
struct CrashFreeFigures {
    private let figures: CrashFreeResult.Figures
    private let queries: ReleaseQueries
    private let release: String??

    /// `release` is nil for the figures of all sessions.
    init(_ figures: CrashFreeResult.Figures, _ queries: ReleaseQueries, of release: String??) {
        (self.figures, self.queries, self.release) = (figures, queries, release)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let shown = [
            Captions.Figure(
                "crash-free users", CrashFreeText.share(figures.crashFreeUsers), queries.change(\.crashFreeUsers, of: release, view)),
            Captions.Figure("people", CrashFreeText.people(figures.users, figures)),
            Captions.Figure("crashed", CrashFreeText.people(figures.crashedUsers, figures)),
            Captions.Figure(
                "crash-free sessions", CrashFreeText.share(figures.crashFreeSessions), queries.change(\.crashFreeSessions, of: release, view)),
            Captions.Figure("sessions", Numbers.short(figures.sessions)), Captions.Figure("crashed", Numbers.short(figures.crashedSessions)),
        ]
        for (figure, place) in zip(shown, area.columns([19, 9, 8, 21, 9, 8], gap: 1)) {
            let lines = (0..<3).map { Rect(place.x, place.y + $0, place.width, $0 < area.height ? 1 : 0) }
            frame.text(figure.name, in: lines[0], Theme.faint)
            frame.text(figure.value, in: lines[1], .bold)
            if let change = figure.change { frame.text(change.text, in: lines[2], change.style) }
        }
    }
}
