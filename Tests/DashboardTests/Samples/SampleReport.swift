// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

@testable import Panes
@testable import dashboard_cli

/// Responses for a report of a week, some with hostile names.
enum SampleReport {
    /// Noon of a Saturday.
    static let now = Timestamp(milliseconds: 1_795_262_400_000)
    static let period = ReportPeriod(.usual, until: now, in: .utc)

    private static let range = #""from": "2026-11-15T00:00:00Z", "to": "2026-11-22T00:00:00Z", "tz": "UTC", "complete": false, "source": "raw""#

    private static func days(_ fields: (Int) -> String) -> String {
        "[" + (0..<7).map { "{\"t\": \"2026-11-\(15 + $0)T00:00:00Z\", \(fields($0))}" }.joined(separator: ", ") + "]"
    }

    private static func series(_ values: (Int) -> Int, _ total: Int) -> String {
        #"{\#(range), "series": [{"points": \#(days { "\"value\": \(values($0))" }), "total": \#(total)}]}"#
    }

    private static func top(_ names: [(String, Int)]) -> String {
        let items = names.map { name, value in
            var json = JSONWriter()
            json.beginObject()
            json.field("name", name)
            json.field("value", value)
            json.endObject()
            return String(decoding: json.bytes, as: UTF8.self)
        }
        return #"{\#(range), "items": [\#(items.joined(separator: ", "))]}"#
    }

    private static func sessions(_ count: Int) -> String {
        #""sessions": \#(count), "users": 10, "median_seconds": 90, "p90_seconds": 300, "engaged": \#(count - 2), "engaged_share": 0.8, "per_user": 1.5"#
    }

    private static func crashFree(_ crashed: Int) -> String {
        """
        "sessions": 100, "crashed_sessions": \(crashed), "crash_free_sessions": \(1 - Double(crashed) / 100), "users": 50, "crashed_users": \(crashed), \
        "crash_free_users": \(1 - Double(crashed) / 50)
        """
    }

    private static func revenue(_ gross: Int) -> String {
        let points = days { _ in #""gross": "\#(gross)", "refunds": "2", "net": "\#(gross - 2)""# }
        let sums = #""gross": "\#(gross * 7)", "refunds": "14", "net": "\#(gross * 7 - 14)""#
        let people = #""purchase_count": 9, "refund_count": 2, "buyers": 8, "arpu": "1.5", "arppu": "3""#
        return #"{\#(range), "users": 50, "currencies": [{"currency": "EUR", \#(sums), \#(people), "points": \#(points)}]}"#
    }

    static let attack = "<script>alert(\"x\")</script>"

    private static let shown: [String: String] = [
        "events": series({ 100 + $0 * 10 }, 910), "events_before": series({ _ in 65 }, 455), "people": series({ 40 + $0 }, 50),
        "people_before": series({ _ in 60 }, 60), "crashes": series({ $0 }, 21),
        "top_events": top([("screen_view", 500), ("a&b'c", 300), ("(other)", 110)]), "top_events_before": top([("screen_view", 250)]),
        "top_screens": top([(attack, 90), ("\u{202e}live\u{202c} שלום", 60), ("🚀 Rocket", 30)]), "top_screens_before": top([(attack, 90)]),
        "active_users": #"{\#(range), "points": \#(days { "\"dau\": \(20 + $0), \"wau\": 40, \"mau\": 50, \"stickiness\": 0.5" }), "total": 50}"#,
        "retention": """
        {\(range), "cohorts": [{"t": "2026-11-15T00:00:00Z", "size": 10, "cells": [{"period": 0, "people": 10, "share": 1, "complete": true},
          {"period": 1, "people": 9, "share": 0.9, "complete": true}, {"period": 2, "people": 2, "share": 0.2, "complete": false}]}]}
        """,
        "lifecycle": #"{\#(range), "points": \#(days { _ in #""new": 5, "returning": 20, "resurrecting": 3, "dormant": 4"# })}"#,
        "revenue": revenue(100), "revenue_before": revenue(200),
        "sessions": #"{\#(range), "points": \#(days { _ in sessions(30) }), "total": {\#(sessions(210))}}"#,
        "sessions_before": #"{\#(range), "points": [], "total": {\#(sessions(200))}}"#,
        "crash_free": """
        {\(range), "points": \(days(crashFree)), "total": {\(crashFree(3))}, "releases": [
          {"release": "2.1.0 <b>", "adoption": 1, "user_adoption": 1, "total": {\(crashFree(3))}, "points": []}]}
        """,
        "crash_free_before": #"{\#(range), "points": [], "total": {\#(crashFree(1))}, "releases": []}"#,
        "issues": """
        {"items": [{"id": "iss_1", "title": "Error: </title><img onerror=alert(1)>", "culprit": "Cart", "kind": "fatal", "state": "open",
          "signals": ["fresh"], "count": 12, "users": 7, "first_seen": "2026-11-16T00:00:00Z", "last_seen": "2026-11-20T00:00:00Z",
          "first_release": "2.1.0", "last_release": "2.1.0", "grouped_by": "top frame", "notes_count": 0}]}
        """,
        "messages": """
        {"items": [{"id": "msg_1", "target": {"topic": "news"}, "notification": {"title": "5 < 6 & 7"}, "priority": "normal", "stage": "over",
          "created_at": "2026-11-18T00:00:00Z", "sent_at": "2026-11-18T00:00:00Z", "expires_at": "2026-12-18T00:00:00Z", "audience": 10,
          "counts": {"delivered": 7, "dead": 1, "pending": 2}},
         {"id": "msg_2", "target": {"topic": "$alerts.crashes"}, "priority": "normal", "stage": "over", "created_at": "2026-11-18T00:00:00Z",
          "expires_at": "2026-12-18T00:00:00Z", "audience": 0, "counts": {}}]}
        """,
        "quarantine": #"{"items": [], "counts": [{"code": "bad_event_name", "kept": 5, "only_counted": 2}]}"#,
        "system": """
        {"version": "0.1.0", "ready": true, "reasons": [],
         "events": {"accepted": 9, "duplicates": 0, "quarantined": 7, "last_seq": 9, "per_second": 3.5},
         "usage": {"day": "2026-11-21", "events": 9, "bytes": 2048, "devices": 3, "storage_bytes": 68719476736}, "reads_dwarf": true}
        """,
    ]

    static let empty: [String: String] = [
        "events": series({ _ in 0 }, 0), "people": series({ _ in 0 }, 0), "crashes": series({ _ in 0 }, 0), "top_events": top([]),
        "top_screens": top([]),
        "active_users": #"{\#(range), "points": [], "total": 0}"#, "retention": #"{\#(range), "cohorts": []}"#,
        "lifecycle": #"{\#(range), "points": []}"#, "revenue": #"{\#(range), "users": 0, "currencies": []}"#,
        "sessions": """
        {\(range), "points": [], "total": {"sessions": 0, "users": 0, "median_seconds": 0, "p90_seconds": 0, "engaged": 0, "engaged_share": 0,
         "per_user": 0}}
        """,
        "crash_free": #"{\#(range), "points": [], "total": {"sessions": 0, "crashed_sessions": 0, "users": 0, "crashed_users": 0}, "releases": []}"#,
        "issues": #"{"items": []}"#, "messages": #"{"items": []}"#, "quarantine": #"{"items": [], "counts": []}"#,
    ]

    /// Responses whose running hour had no events: compared is what is shown.
    static let full: [String: String] = ["events", "people", "top_events", "top_screens", "revenue", "sessions", "crash_free"]
        .reduce(into: shown) { bodies, name in bodies["\(name)_over"] = bodies[name] }

    /// A report of these responses; all other queries were rejected.
    static func report(_ bodies: [String: String], of app: String = "shop") throws -> Report {
        var answers = QueryResults()
        for query in ReportQueries(period).all {
            if let body = bodies[query.name] {
                answers[query.request].result = try query.decode(Array(body.utf8))
            } else {
                answers[query.request].error = RequestError(kind: .denied, what: "This needs a key of the role read", hint: "Use another key.")
            }
        }
        return Report(app: app, host: "127.0.0.1:8787", period: period, results: answers)
    }
}
