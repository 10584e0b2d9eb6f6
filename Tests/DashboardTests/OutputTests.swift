// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct OutputTests {
    private func answer(_ json: String) throws -> JSONValue { try JSONValue(Array(json.utf8)) }

    private static let series = """
        {"from": "2026-11-20T00:00:00Z", "tz": "UTC", "series": [
          {"name": "ios", "points": [{"t": "2026-11-20T00:00:00Z", "value": 3}, {"t": "2026-11-21T00:00:00Z", "value": 4}], "total": 7},
          {"name": "=cmd|x", "points": [{"t": "2026-11-20T00:00:00Z", "value": 0}, {"t": "2026-11-21T00:00:00Z", "value": 1}], "total": 1}]}
        """

    @Test func `series are columns of one table`() throws {
        let parts = ResultTables(try answer(OutputTests.series))
        #expect(parts.facts.map(\.name) == ["from", "tz"])
        #expect(
            parts.tables == [
                ResultTable(
                    name: "series", headings: ["t", "ios", "=cmd|x"],
                    rows: [["2026-11-20T00:00:00Z", "3", "0"], ["2026-11-21T00:00:00Z", "4", "1"], ["total", "7", "1"]], kind: .series)
            ])
    }

    @Test func `values with commas, quotes and formulas are escaped in CSV`() throws {
        #expect(Sheet(try answer(OutputTests.series)).csv.hasPrefix("t,ios,'=cmd|x\r\n2026-11-20T00:00:00Z,3,0\r\n"))
        let items = #"{"items": [{"name": "a,\"b\"", "value": -3}, {"name": "-x"}]}"#
        #expect(Sheet(try answer(items)).csv == "name,value\r\n\"a,\"\"b\"\"\",-3\r\n'-x,\r\n")
        #expect(Sheet(try answer(#"{"a": 1, "b": {"c": "2"}}"#)).csv == "a,b.c\r\n1,2\r\n")
    }

    @Test func `combining characters next to a quote or formula do not break CSV`() throws {
        let items = #"{"items": [{"name": "=\u0301cmd", "value": "a\"\u0301,b"}, {"name": "\u0600=1", "value": "\r\n=1"}]}"#
        let csv = Sheet(try answer(items)).csv
        #expect(csv.utf8.elementsEqual("name,value\r\n'=\u{301}cmd,\"a\"\"\u{301},b\"\r\n'\u{600}=1,\"'\r\n=1\"\r\n".utf8), "\(csv.debugDescription)")
    }

    @Test func `nested lists become tables of their own`() throws {
        let text = #"{"users": 2, "currencies": [{"currency": "EUR", "net": "5.5", "points": [{"t": "T", "gross": "1", "net": "1"}]}], "none": []}"#
        let parts = ResultTables(try answer(text))
        #expect(parts.tables.map(\.name) == ["currencies", "currencies EUR points", "none"])
        #expect(parts.tables[0].headings == ["currency", "net"] && parts.tables[1].rows == [["T", "1", "1"]] && parts.tables[2].rows.isEmpty)
    }

    @Test func `an incomplete cohort is marked`() throws {
        let cells = #"[{"period": 0, "people": 4, "share": 1, "complete": true}, {"period": 1, "people": 2, "share": 0.5, "complete": false}]"#
        let parts = ResultTables(
            try answer(#"{"cohorts": [{"t": "A", "size": 4, "cells": \#(cells)}, {"t": "B", "size": 0, "cells": []}]}"#))
        #expect(parts.tables[0].headings == ["t", "size", "share 0", "share 1"])
        #expect(parts.tables[0].rows == [["A", "4", "1", "0.5*"], ["B", "0", "", ""]])
    }

    @Test func `each query's result matches its golden frame`() throws {
        let all = [
            ("query-series", OutputTests.drawnSeries), ("query-retention", OutputTests.retention), ("query-funnel", OutputTests.funnel),
            ("query-revenue", OutputTests.revenue), ("query-sql", OutputTests.rows), ("query-empty", OutputTests.nothing),
        ]
        for (name, text) in all {
            try GoldenFrame.check(
                ResultFrame(try answer(text), hint: "Send an event of the name purchase, or choose a longer range with --from -30d.", depth: .none)
                    .frame(
                        width: 70), name)
        }
    }

    /// A day that begins at 23:00 UTC in its time zone.
    private static let berlin = #""from": "2026-11-20T23:00:00Z", "to": "2026-11-21T23:00:00Z", "tz": "Europe/Berlin", "complete": false"#

    private static let funnel = """
        {\(berlin), "steps": [{"event": "session_start", "people": 4875, "share": 1, "step_share": 1},
         {"event": "add_to_cart", "people": 1514, "share": 0.3106, "step_share": 0.3106, "median_seconds": 250},
         {"event": "purchase", "people": 62, "share": 0.0127, "step_share": 0.041, "median_seconds": null}], "median_seconds": 59400}
        """

    private static var revenue: String {
        let points = (0..<4).map {
            #"{"t": "2026-11-2\#($0 < 1 ? "0" : "1")T\#(["23", "04", "05", "06"][$0]):00:00Z", "gross": "\#($0 * 1200)", "refunds": "0.5", "net": "\#($0 * 3).25"}"#
        }
        let money = #""currency": "EUR", "gross": "1234567", "refunds": "0.5", "net": "1234566.5", "purchase_count": 4, "refund_count": 1"#
        return #"{\#(berlin), "users": 299, "currencies": [{\#(money), "buyers": 3, "arpu": "4.1", "points": [\#(points.joined(separator: ","))]}]}"#
    }

    private static let rows =
        #"{"columns": ["id", "t", "share"], "rows": [[1234567, "2026-11-21T00:00:00Z", 0.5], [8, null, "x"]], "truncated": true}"#
    private static let nothing = #"{\#(berlin), "total": 0, "points": [{"t": "2026-11-20T23:00:00Z", "dau": 0, "stickiness": 0}], "items": []}"#

    private static var drawnSeries: String {
        let points = { (scale: Int) in
            (1...9).map { #"{"t": "2026-11-0\#($0)T00:00:00Z", "value": \#($0 * $0 % 13 * scale)}"# }.joined(separator: ",")
        }
        let about = #""from": "2026-11-01T00:00:00Z", "to": "2026-11-10T00:00:00Z", "tz": "UTC", "complete": false"#
        return
            #"{\#(about), "series": [{"name": "ios", "points": [\#(points(40))], "total": 1}, {"name": "web", "points": [\#(points(25))], "total": 12345}]}"#
    }

    private static var retention: String {
        let cohorts = (0..<4).map { row in
            let cells = (0..<4 - row).map {
                #"{"period": \#($0), "people": 1, "share": \#($0 == 0 ? "1" : "0.\($0 + 2)1"), "complete": \#($0 < 3 - row)}"#
            }
            return #"{"t": "2026-11-0\#(row + 1)T00:00:00Z", "size": 1\#(row)0, "cells": [\#(cells.joined(separator: ","))]}"#
        }
        return
            #"{"from": "2026-11-01T00:00:00Z", "to": "2026-11-05T00:00:00Z", "tz": "UTC", "complete": false, "cohorts": [\#(cohorts.joined(separator: ","))]}"#
    }

    private static let about = #""seq":1,"id":"e","timestamp":"2026-11-21T10:00:00.5Z","received_at":"2026-11-21T10:00:01Z""#

    private static let crash = #"""
        {"id":"c","issue":"iss_1","kind":"anr","title":"Hang","culprit":"Cart.sum","timestamp":"2026-11-21T10:00:00.5Z","release":"2.1","user_id":"ann"}
        """#

    @Test(arguments: [
        (
            "event",
            #"{\#(about),"name":"purchase","user_id":"ann","params":{"value":9.90,"currency":"EUR"},"context":{"platform":"ios","app_version":"2.1"}}"#,
            "11:00:00.500 purchase             ann               value=9.90 currency=EUR · ios 2.1"
        ),
        (
            "event", #"{\#(about),"name":"a\u001b[31mname_that_is_longer_than_its_column","installation_id":"i"}"#,
            "11:00:00.500 a?[31mname_that_is_longer_than_its_column i"
        ),
        (
            "quarantine",
            #"{"seq":4,"received_at":"2026-11-21T10:00:00.5Z","reason":"bad_event_name","field":"name","message":"must begin with a letter"}"#,
            "11:00:00.500 bad_event_name                         name: must begin with a letter"
        ),
        (
            "crash", crash, "11:00:00.500 anr crash            ann               Hang · Cart.sum · 2.1"
        ),
        ("gap", #"{"missed":3}"#, "… 3 missed"), ("gap", #"{"missed_crashes":3}"#, "… 3 crashes missed"),
        // Of a newer daemon.
        ("crash", crash.replacing("anr", with: "hang"), "11:00:00.500 hang crash           ann               Hang · Cart.sum · 2.1"),
        ("deploy", #"{"version":"2.2"}"#, #"             deploy                                 {"version":"2.2"}"#),
        ("event", #"{"seq":"1-1"}"#, #"             event                                  {"seq":"1-1"}"#),
    ])
    func `each kind of tail record is printed as a line`(kind: String, data: String, line: String) throws {
        let lines = TailLinePrinter(.init("Europe/Berlin"), isPlain: true, environment: ["LANG": "C.UTF-8"])
        let written = String(decoding: lines.line(.init(id: "1", name: kind, data: data)), as: UTF8.self)
        #expect(written.split(separator: "\n").map { $0.trimmingSuffix(" ") } == [line])
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
