// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Platform
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

struct ReportTests {
    private static let sections = [
        "events", "people", "retention", "lifecycle", "top-events", "top-screens", "revenue", "sessions", "crashes", "messages", "quarantine",
        "daemon",
    ]

    /// A report's page, after checks for every page: well-formed, complete, without external resources and scripts.
    private func page(_ bodies: [String: String], of app: String = "shop") throws -> String {
        let page = try SampleReport.report(bodies, of: app).page.source
        let parser = XMLParser(data: Data(page.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber), column \(parser.columnNumber)")
        for section in Self.sections { #expect(page.contains("<h2 id=\"\(section)\">"), "\(section)") }
        for part in ["http:", "https:", "<script", "<img", "<link", "<iframe", " src=", "url(", "@import", "javascript:", "nan", "inf\""] {
            #expect(!page.contains(part), "\(part)")
        }
        #expect(page.contains("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"))
        return page
    }

    @Test func `a page shows its figures with the previous period`() throws {
        let page = try page(SampleReport.full)
        for part in [
            "Sun 15 November to Sat 21 November 2026", "100 % from 455", "17 % from 60", "Revenue in EUR", "51 % from 1,386", "97.00 %",
            "2.00 points from 99.00 %", "all stored", "Lowest 100 (Sun 15 Nov), highest 150 (Fri 20 Nov), last 160 so far.",
            "Sat 21 Nov, in progress: 160", "1 day (DAU)", "9 of 10 in day 1", "20\u{202f}%*", "110 others.", "Cart", "7 delivered",
            "1 alert.",
            "bad_event_name", "2.0 KiB", "64 GiB",
        ] { #expect(page.contains(part), "\(part)") }
        #expect(page.contains("change good\"><span aria-label=\"up\"") && page.contains("change bad\"><span aria-label=\"down\""))
    }

    @Test func `every picture has a label and every table a caption`() throws {
        let page = try page(SampleReport.full)
        let pictures = page.components(separatedBy: "<svg ").dropFirst()
        #expect(pictures.count > 15)
        for picture in pictures {
            let tag = picture.prefix { $0 != ">" }
            #expect(tag.contains("aria-hidden=\"true\"") || tag.contains("role=\"img\" aria-label=\""), "\(tag)")
        }
        #expect(page.components(separatedBy: "<table").count == page.components(separatedBy: "<caption>").count)
    }

    @Test func `foreign names are escaped text`() throws {
        let page = try page(SampleReport.full, of: "\"><script>1</script>\u{202e}\u{7}")
        for part in [
            "<bdi>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</bdi>", "<bdi>a&amp;b&#39;c</bdi>", "<bdi>live שלום</bdi>", "🚀 Rocket",
            "&lt;/title&gt;&lt;img", "2.1.0 &lt;b&gt;", "5 &lt; 6 &amp; 7",
            "<title>&quot;&gt;&lt;script&gt;1&lt;/script&gt;?: Sun",
        ] { #expect(page.contains(part), "\(part)") }
        #expect(!page.unicodeScalars.contains { $0.value == 0x202e || $0.value == 0x202c || $0.value == 7 })
    }

    @Test(arguments: ["<script>", "</title>", "&lt;", "\"", "'", "<!--", "]]>", "\u{ffff}"])
    func `no scalar beside a token lets it through as HTML`(token: String) {
        for text in HostileText.around(token) {
            for part in [HTML.text(text), .name(text), .element("p", ["class": text], .none)] {
                let isRead = XMLParser(data: Data("<div>\(part.source)</div>".utf8)).parse()
                #expect(isRead, "\(text.debugDescription)")
            }
            let shown = HTML.text(text).source.unicodeScalars
            #expect(shown.allSatisfy { !"<>\"'".unicodeScalars.contains($0) && !$0.isBidirectionalControl }, "\(text.debugDescription)")
        }
    }

    @Test func `empty and denied parts say so`() throws {
        let empty = try page(SampleReport.empty)
        for part in [
            "No events.", "No identified people.", "No purchases.", "No sessions", "No messages.", "No quarantined events.",
        ] {
            #expect(empty.contains(part), "\(part)")
        }
        #expect(empty.contains("class=\"trouble\">This needs a key of the role read. Use another key."))
        let refused = try page([:])
        #expect(refused.components(separatedBy: "class=\"trouble\"").count == Self.sections.count + 1)
        #expect(!refused.contains("class=\"tile\""))
    }

    @Test func `a change has a text and a direction that is good or bad`() {
        let plain: (Double) -> String = { "\(Int($0))" }
        #expect(ReportChange(110, before: 100, .more, plain).words == "10 % from 100")
        #expect(ReportChange(101, before: 100, .more, plain).words == "1.0 % from 100")
        #expect(ReportChange(5_000, before: 100, .more, plain).words == "49 times more than 100")
        #expect(ReportChange(5, before: 0, .more, plain).words == "none in previous period")
        #expect(ReportChange(5, before: 5, .more, plain).direction == .even)
        #expect(ReportChange(-5, before: -10, .more, plain).direction == .up)
        #expect(ReportChange(90, before: 100, .less, plain).html.source.contains("change good"))
        #expect(ReportChange(share: 0.9999, before: 1, .more).html.source.contains("change bad"))
        #expect(ReportPercent.exact(0.999999) == "99.99 %" && ReportPercent.exact(1) == "100 %")
    }

    @Test func `a week begins at the app's midnight, and the previous week ends at the same time of day`() throws {
        // The clocks went back on 25 October 2026.
        let berlin = try #require(ZoneOffsets("Europe/Berlin"))
        let noon = Timestamp(rfc3339: Array("2026-10-28T10:00:00Z".utf8).span)
        let now = try #require(noon)
        let period = ReportPeriod(.usual, until: now, in: berlin)
        #expect(period.from.rfc3339 == "2026-10-21T22:00:00.000Z" && period.to == now)
        #expect(period.before.from.rfc3339 == "2026-10-14T22:00:00.000Z" && period.before.to.rfc3339 == "2026-10-21T09:00:00.000Z")
        #expect(period.closed == now)
        let hours = ReportPeriod(try #require(ReportSpan("24h")), until: now, in: berlin)
        #expect(hours.from.rfc3339 == "2026-10-27T11:00:00.000Z" && hours.before.to.rfc3339 == "2026-10-27T10:00:00.000Z")
    }

    @Test func `the running hour is compared on neither side`() throws {
        // Full hours in Kathmandu begin at a quarter past.
        let zone = try #require(ZoneOffsets("Asia/Kathmandu"))
        let read = Timestamp(rfc3339: Array("2026-10-28T10:20:30Z".utf8).span)
        let now = try #require(read)
        for text in ["24h", "7d", "20w"] {
            let period = ReportPeriod(try #require(ReportSpan(text)), until: now, in: zone)
            #expect(period.to == now && period.closed.rfc3339 == "2026-10-28T10:15:00.000Z")
            #expect((period.closed - period.from) == (period.before.to - period.before.from), "\(text)")
            #expect(period.before.to == period.closed - period.span.length)
        }
    }

    @Test func `changes use the compared totals, not the shown ones`() throws {
        var bodies = SampleReport.full
        bodies["events_over"] = bodies["events_before"]
        bodies["top_events_over"] = bodies["top_events_before"]
        let page = try page(bodies)
        #expect(page.contains("no change") && !page.contains("100 % from 455") && !page.contains("100 % from 250"))
        bodies["events_over"] = nil
        #expect(try !self.page(bodies).contains("from 455"))
    }

    @Test func `a year consists of weeks that begin on Mondays`() throws {
        let year = ReportPeriod(try #require(ReportSpan("365d")), until: SampleReport.now, in: .utc)
        #expect(year.from.rfc3339 == "2025-11-24T00:00:00.000Z" && year.before.from.rfc3339 == "2024-11-25T00:00:00.000Z")
        #expect(year.span.name == "52 weeks" && year.name == "Mon 24 November 2025 to Sat 21 November 2026")
    }

    @Test(arguments: ["", "7", "d", "0d", "-1d", "1h", "366d", "49h", "9999999999999999999w", "7m"]) func `an invalid span is rejected`(text: String)
    {
        #expect(ReportSpan(text) == nil)
    }

    @Test func `charts without buckets, with one and with missing values are drawn`() {
        let bucket = Chart.Bucket(label: "a", name: "a", isOpen: true)
        for kind in [Chart.Kind.lines, .columns] {
            for values: [Double?] in [[], [5], [0], [nil], [-3]] {
                let chart = Chart(
                    title: "t", kind: kind, buckets: values.map { _ in bucket }, series: [.init(name: "s", values: values)], format: { "\($0)" })
                let source = chart.figure.source
                #expect(XMLParser(data: Data(source.utf8)).parse() && !source.contains("nan") && !source.contains("inf"), "\(source)")
            }
        }
    }
}
