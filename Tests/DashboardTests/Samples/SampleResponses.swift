// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses of a daemon at one moment.
enum SampleResponses {
    /// 2026-11-21T11:28:20Z
    static let now = Timestamp(milliseconds: 1_795_260_500_000)

    static let app = #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "read", "settings": {"tz": "Europe/Berlin"}}"#
    static let system = """
        {"version": "0.1.0", "ready": true, "reasons": [],
         "events": {"accepted": 48208, "duplicates": 2, "quarantined": 144, "last_seq": 48352, "per_second": 18.25},
         "usage": {"day": "2026-11-21", "events": 31210, "bytes": 9182044, "devices": 412, "storage_bytes": 2147483648}, "reads_dwarf": true}
        """

    static func all(_ range: ViewRange = .hour) -> [String: String] {
        [
            "app": app, "system": system, "events": series((0..<60).map { 20 + $0 * 7 % 23 + ($0 == 40 ? 30 : 0) }, every: 60_000),
            "days": series([7_036, 6_808, 6_574, 6_816, 9_762, 7_407, 3_027], every: 86_400_000), "active_users": people,
            "realtime": realtime, "top_events": top(["screen_view": 1_204, "session_start": 251, "add_to_cart": 97, "purchase": 31, "日本語イベント": 9]),
            "top_screens": top(["Home": 402, "Product": 377, "Größen und sehr lange Namen von Seiten": 120, "(other)": 8]), "revenue_today": revenue,
            "quarantine":
                #"{"items": [], "counts": [{"code": "bad_event_name", "kept": 102, "only_counted": 0}, {"code": "missing_name", "kept": 40, "only_counted": 2}]}"#,
        ]
    }

    /// The responses of a daemon without events.
    static var empty: [String: String] {
        all().merging([
            "events": series((0..<60).map { _ in 0 }, every: 60_000), "days": series([0, 0, 0, 0, 0, 0, 0], every: 86_400_000),
            "active_users": #"{\#(about), "total": 0, "points": [{"t": "2026-11-21T00:00:00Z", "dau": 0, "wau": 0, "mau": 0, "stickiness": 0}]}"#,
            "top_events": top([:]), "top_screens": top([:]), "revenue_today": #"{\#(about), "users": 0, "currencies": []}"#,
            "quarantine": #"{"items": [], "counts": []}"#,
        ]) { $1 }
    }

    private static let about =
        #""from": "2026-11-21T10:29:00Z", "to": "2026-11-21T11:29:00Z", "tz": "Europe/Berlin", "complete": false, "source": "rollup""#

    private static func series(_ values: [Int], every milliseconds: Int64) -> String {
        let last = now.milliseconds / milliseconds * milliseconds
        let points = values.enumerated().map { index, value in
            let time = Timestamp(milliseconds: last - Int64(values.count - 1 - index) * milliseconds)
            return #"{"t": "\#(time.rfc3339)", "value": \#(value)}"#
        }
        return #"{\#(about), "series": [{"points": [\#(points.joined(separator: ","))], "total": \#(values.reduce(0, +))}]}"#
    }

    private static let people: String = {
        let points = [(182, 320, 390), (190, 333, 391), (176, 340, 395), (201, 355, 401), (222, 371, 410), (213, 380, 420), (144, 388, 425)]
        let rows = points.enumerated().map {
            #"{"t": "2026-11-\#(15 + $0)T00:00:00Z", "dau": \#($1.0), "wau": \#($1.1), "mau": \#($1.2), "stickiness": 0.4}"#
        }
        return #"{\#(about), "total": 440, "points": [\#(rows.joined(separator: ","))]}"#
    }()

    private static let realtime = """
        {\(about), "events": 812, "users": 34, "users_since": "2026-11-21T10:45:00Z", "points": [], "top_events": [], "top_screens": []}
        """

    private static func top(_ items: KeyValuePairs<String, Int>) -> String {
        #"{\#(about), "items": [\#(items.map { #"{"name": "\#($0.key)", "value": \#($0.value)}"# }.joined(separator: ","))]}"#
    }

    private static let revenue: String = {
        let money = { (currency: String, gross: String, refunds: String, net: String, sold: Int, back: Int) in
            """
            {"currency": "\(currency)", "gross": "\(gross)", "refunds": "\(refunds)", "net": "\(net)", "purchase_count": \(sold), "refund_count": \(back),
             "buyers": 19, "arpu": "1.1", "arppu": "2.2", "points": []}
            """
        }
        return
            #"{\#(about), "users": 144, "currencies": [\#(money("EUR", "1120.83", "120", "1000.83", 21, 4)), \#(money("USD", "1635.71", "0", "1635.71", 30, 0))]}"#
    }()
}

extension Dashboard {
    /// A dashboard that has received these responses.
    static func sample(_ size: Size, answers: [String: String] = SampleResponses.all(), now: Timestamp = SampleResponses.now) throws -> Dashboard {
        var dashboard = Dashboard(host: "127.0.0.1:8787", size: size, now: now)
        try dashboard.answer(dashboard.handle(.started(now)), answers, at: now)
        // Queries that depend on results.
        try dashboard.answer(dashboard.handle(.tick(now)), answers, at: now)
        return dashboard
    }

    /// A dashboard at a place given as for `:`, after these keys, with these responses to all its queries.
    static func sample(at place: String, _ keys: [Key] = [], _ size: Size = Size(80, 24), answers: [String: String]) throws -> Dashboard {
        try sample(pressing: [.character(":")] + Key.typing(place) + [.enter] + keys, size, answers: answers)
    }

    /// Gives all queries of the pane the error of a key without the role.
    mutating func refuseAll(role: Role = .read) {
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role \(role.rawValue).")
        for query in pane.queries(options) { _ = handle(.received(query.request, .failure(error), SampleResponses.now)) }
    }

    /// A dashboard after these keys, with these answers to all its queries.
    static func sample(pressing keys: [Key], _ size: Size = Size(80, 24), answers: [String: String]) throws -> Dashboard {
        var dashboard = try Dashboard.sample(size, answers: answers)
        for key in keys { try dashboard.press(key, answers) }
        return dashboard
    }

    mutating func press(_ key: Key, _ answers: [String: String]) throws {
        try answer(handle(.screen(.key(key))), answers, at: now)
    }

    mutating func answer(_ actions: [DashboardAction], _ answers: [String: String], at time: Timestamp) throws {
        for case .send(let query) in actions {
            guard let text = answers[query.name] else { continue }
            _ = handle(.received(query.request, .success(try query.decode(Array(text.utf8))), time))
        }
    }
}

extension Key {
    static func typing(_ text: String) -> [Key] { text.map { .character($0) } }
}
