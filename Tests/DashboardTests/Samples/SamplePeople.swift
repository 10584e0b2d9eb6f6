// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about users, funnels and revenue at `SampleResponses.now`, some with hostile texts.
enum SamplePeople {
    static func all() -> [String: String] {
        SampleResponses.all().merging([
            "active_users_before": activeBefore, "lifecycle": lifecycle, "retention": retention, "person": person, "person_more": person,
            "funnel": funnel, "users": users, "event_names": names, "revenue": revenue, "revenue_before": revenueBefore, "revenue_parts": parts,
        ]) { $1 }
    }

    static var empty: [String: String] {
        all().merging([
            "active_users": #"{\#(about), "total": 0, "points": [{"t": "2026-11-21T00:00:00Z", "dau": 0, "wau": 0, "mau": 0, "stickiness": 0}]}"#,
            "lifecycle":
                #"{\#(about), "points": [{"t": "2026-11-21T00:00:00Z", "new": 0, "returning": 0, "resurrecting": 0, "dormant": 0}]}"#,
            "retention": #"{\#(about), "cohorts": [{"t": "2026-11-21T00:00:00Z", "size": 0, "cells": []}]}"#,
            "person": #"{"user_id": "ann", "properties": {}, "installations": [], "items": []}"#,
            "funnel": #"{\#(about), "steps": [\#(step("session_start", 0, 0, 0)), \#(step("screen_view", 0, 0, 0)), \#(step("purchase", 0, 0, 0))]}"#,
            "users": #"{"items": []}"#, "event_names": #"{\#(about), "items": []}"#, "revenue": #"{\#(about), "users": 0, "currencies": []}"#,
            "revenue_parts": #"{\#(about), "items": []}"#,
        ]) { $1 }
    }

    private static let about =
        #""from": "2026-11-14T23:00:00Z", "to": "2026-11-21T23:00:00Z", "tz": "Europe/Berlin", "complete": false, "source": "rollup""#

    /// The start of a day in Berlin, counted back from today.
    private static func day(_ daysAgo: Int) -> String {
        Timestamp(milliseconds: 1_795_215_600_000 - Int64(daysAgo) * 86_400_000).rfc3339
    }

    private static let users = #"""
        {"items": [
          {"user_id": "ann", "first_seen": "2026-08-03T09:00:00Z", "last_seen": "2026-11-21T11:45:00Z",
           "properties": {"tier": {"value": "gold", "timestamp": "2026-11-01T10:00:00Z"}, "age": {"value": 31, "timestamp": "2026-11-01T10:00:00Z"}}},
          {"user_id": "bob\u0007\u202eevil", "first_seen": "2026-11-20T08:15:00Z", "last_seen": "2026-11-21T10:30:00Z", "properties": {}},
          {"user_id": "\#(String(repeating: "long-", count: 20))", "last_seen": "2026-11-19T23:00:00Z",
           "properties": {"note": {"value": "\#(String(repeating: "\u{754c}", count: 60))", "timestamp": "2026-11-01T10:00:00Z"}}}],
         "next": "1795000000000.7"}
        """#

    // MARK: People

    private static let activeBefore: String = {
        let rows = [160, 171, 158, 180, 190, 201, 170].enumerated().map {
            #"{"t": "\#(day(13 - $0))", "dau": \#($1), "wau": 300, "mau": 380, "stickiness": 0.4}"#
        }
        return #"{\#(about), "total": 380, "points": [\#(rows.joined(separator: ","))]}"#
    }()

    private static let lifecycle: String = {
        let points = [
            (38, 140, 4, 21), (41, 144, 5, 31), (18, 145, 13, 41), (37, 146, 18, 30), (44, 150, 28, 20), (22, 168, 23, 25), (9, 112, 23, 101),
        ]
        let rows = points.enumerated().map {
            #"{"t": "\#(day(6 - $0))", "new": \#($1.0), "returning": \#($1.1), "resurrecting": \#($1.2), "dormant": \#($1.3)}"#
        }
        return #"{\#(about), "points": [\#(rows.joined(separator: ","))]}"#
    }()

    private static let retention: String = {
        let shares = [1, 0.5263, 0.4474, 0.421, 0.4, 0.3947, 0.0526]
        let rows = [38, 41, 18, 0, 44, 22, 9].enumerated().map { age, size in
            let cells = shares.prefix(7 - age).enumerated().map { period, share in
                let people = Int((share * Double(size)).rounded())
                return #"{"period": \#(period), "people": \#(people), "share": \#(size == 0 ? 0 : share), "complete": \#(period < 6 - age)}"#
            }
            return #"{"t": "\#(day(6 - age))", "size": \#(size), "cells": [\#(cells.joined(separator: ","))]}"#
        }
        return #"{\#(about), "cohorts": [\#(rows.joined(separator: ","))]}"#
    }()

    // MARK: One person

    static let person: String = {
        let event = { (seq: Int, name: String, time: String, more: String) in
            """
            {"seq": \(seq), "id": "e-\(seq)", "name": "\(name)", "timestamp": "\(time)", "received_at": "\(time)", "user_id": "ann",
             "installation_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "session_id": "s-2026-11-21-0003",
             "context": {"platform": "ios", "app_version": "2.1.0", "os_version": "18.1", "device_model": "iPhone17,2", "locale": "de_DE"}\(more)}
            """
        }
        let items = [
            event(4_711, "purchase", "2026-11-21T11:27:58Z", #", "params": {"currency": "EUR", "transaction_id": "A-17", "value": 19.99}"#),
            """
            {"id": "c-9", "issue": "iss_7Qk2", "kind": "fatal", "timestamp": "2026-11-21T11:20:00Z", "received_at": "2026-11-21T11:27:00Z",
             "release": "2.1.0", "platform": "ios", "os_version": "18.1", "variant": "2", "late": true, "kept": true, "symbols": "complete"}
            """,
            """
            {"id": "msg_2fZq_17", "message": "msg_2fZq", "timestamp": "2026-11-21T11:22:00Z", "token": "ph…c2", "topic": "offers", "label": "autumn",
             "notification": {"title": "Half the price\\u001b[2J", "body": "Today only"}, "state": "delivered", "changed_at": "2026-11-21T11:22:01Z"}
            """,
            event(4_702, "screen_view", "2026-11-21T11:19:40Z", #", "params": {"screen_name": "Größe wählen 日本語\u001b[2J"}"#),
            event(4_701, "session_start", "2026-11-21T11:19:33Z", ""),
            event(
                3_300, "search", "2026-11-19T18:02:11Z", #", "params": {"term": "mug, blue", "filters": {"n": [1, 2]}}, "flags": ["late", "clock"]"#),
        ]
        return """
            {"user_id": "ann", "first_seen": "2026-11-02T08:30:00.000Z", "last_seen": "2026-11-21T11:15:00.000Z",
             "properties": {"tier": {"value": "gold", "timestamp": "2026-11-20T09:00:00Z"},
               "Email": {"value": "ann@example.org\\u001b]0;x", "timestamp": "2026-11-02T08:31:00Z"}, "age": {"value": 41, "timestamp": "2026-11-02T08:31:00Z"}},
             "installations": [
               {"installation_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "first_seen": "2026-11-02T08:30:00Z", "last_seen": "2026-11-21T11:15:00Z", "alias": false},
               {"installation_id": "kitchen tablet", "alias": true}],
             "items": [\(items.joined(separator: ","))], "next": "3300.7.17"}
            """
    }()

    // MARK: Funnels

    private static func step(_ event: String, _ people: Int, _ share: Double, _ stepShare: Double, _ seconds: Double? = nil) -> String {
        let median = seconds.map { #", "median_seconds": \#($0)"# } ?? ""
        return #"{"event": "\#(event)", "people": \#(people), "share": \#(share), "step_share": \#(stepShare)\#(median)}"#
    }

    static let funnel: String = {
        let steps = [
            step("session_start", 1_980, 1, 1), step("screen_view", 1_642, 0.8293, 0.8293, 33.5), step("purchase", 103, 0.052, 0.0627, 30_180),
        ]
        let parts = ["ios", "日本語", "(none)", "(other)"].enumerated().map { place, name in
            let few = [step("session_start", 900 / (place + 1), 1, 1), step("screen_view", 700, 0.7, 0.7, 30), step("purchase", 90, 0.1, 0.13, 600)]
            return #"{"name": "\#(name)", "steps": [\#(few.joined(separator: ","))], "median_seconds": 630}"#
        }.joined(separator: ",")
        return #"{\#(about), "steps": [\#(steps.joined(separator: ","))], "median_seconds": 30412, "breakdown": [\#(parts)]}"#
    }()

    private static let names: String = {
        let items = ["screen_view", "session_start", "add_to_cart", "purchase", "odd;name", "日本語イベント", "(other)"].enumerated()
        return #"{\#(about), "items": [\#(items.map { #"{"name": "\#($1)", "value": \#(1_000 - $0)}"# }.joined(separator: ","))]}"#
    }()

    // MARK: Money

    private static func currency(_ name: String, _ days: [(gross: String, refunds: String, net: String)], _ sums: (String, String, String)) -> String
    {
        let points = days.enumerated().map {
            #"{"t": "\#(day(days.count - 1 - $0))", "gross": "\#($1.gross)", "refunds": "\#($1.refunds)", "net": "\#($1.net)"}"#
        }
        return """
            {"currency": "\(name)", "gross": "\(sums.0)", "refunds": "\(sums.1)", "net": "\(sums.2)", "purchase_count": 307, "refund_count": 23,
             "buyers": 79, "arpu": "2.274611", "arppu": "12.669", "points": [\(points.joined(separator: ","))]}
            """
    }

    private static let euros = [
        ("120.5", "0", "120.5"), ("310.1", "9.99", "300.11"), ("0", "0", "0"), ("95.2", "201.3", "-106.1"), ("402", "0", "402"),
        ("350.75", "20.011", "330.739"), ("12.34", "58.745", "-46.405"),
    ]

    private static let revenue: String = {
        let yen = (0..<7).map { (String($0 * 1_000), "0", String($0 * 1_000)) }
        let all = [currency("EUR", euros, ("1290.89", "290.046", "1000.844")), currency("JPY", yen, ("21000", "0", "21000"))]
        return #"{\#(about), "users": 440, "currencies": [\#(all.joined(separator: ","))]}"#
    }()

    private static let revenueBefore = #"{\#(about), "users": 390, "currencies": [\#(currency("EUR", euros, ("1000", "109.5", "890.5")))]}"#

    private static let parts: String = {
        let items = [
            ("DE", "EUR", "700.839"), ("FR", "EUR", "310.005"), ("Côte d’Ivoire\\u0007", "EUR", "12"), ("(none)", "EUR", "-22"),
            ("JP", "JPY", "21000"),
        ]
        let rows = items.map { #"{"name": "\#($0.0)", "currency": "\#($0.1)", "value": "\#($0.2)"}"# }
        return #"{\#(about), "items": [\#(rows.joined(separator: ","))]}"#
    }()
}
