// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

extension Report {
    /// The whole page: self-contained, without scripts and requests.
    var page: HTML {
        .page(
            [
                .empty("meta", ["charset": "utf-8"]), .empty("meta", ["name": "generator", "content": ReportFile.mark]),
                .empty("meta", ["http-equiv": "Content-Security-Policy", "content": Report.policy]),
                .empty("meta", ["name": "referrer", "content": "no-referrer"]),
                .empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                .element("title", "\(app): \(period.name)"), .style(ReportStyle.sheet),
            ], [head, .element("main", [tiles] + sections.map(\.html)), foot])
    }

    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private var sections: [(id: String, name: String, html: HTML)] {
        [
            ("events", "Events", eventsSection), ("people", "People", peopleSection), ("retention", "Cohort retention", retentionSection),
            ("lifecycle", "Lifecycle", lifecycleSection), ("top-events", "Top events", topEventsSection),
            ("top-screens", "Top screens", topScreensSection), ("revenue", "Revenue", revenueSection), ("sessions", "Sessions", sessionsSection),
            ("crashes", "Crashes", crashesSection), ("messages", "Messages", messagesSection), ("quarantine", "Quarantine", quarantineSection),
            ("daemon", "Daemon", systemSection),
        ]
    }

    private var head: HTML {
        let links = sections.map { HTML.element("li", .element("a", ["href": "#\($0.id)"], .text($0.name))) }
        return .element(
            "header", .element("p", ["class": "over"], "Report of the last \(period.span.name)"), .element("h1", .name(app)),
            .element("p", ["class": "when"], .text(period.name)),
            .element(
                "p",
                "Compared with the previous \(period.span.name), by full hours up to the same time of day. Time zone: \(period.zone.name). Periods in progress are drawn open."
            ),
            .element("nav", ["aria-label": "Sections"], .element("ul", links)))
    }

    private var tiles: HTML {
        guard !headlines.isEmpty else { return .none }
        return .element("div", ["class": "tiles", "role": "group", "aria-label": "Key figures"], headlines.map(\.tile))
    }

    private var foot: HTML {
        .element(
            "footer",
            "Made by Signalbox \(Version.current) on \(period.moment(period.to)) (\(period.zone.name)) with data of \(host). This page is self-contained and has no scripts."
        )
    }
}
