// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about the daemon and its quarantine at `SampleResponses.now`, some with hostile texts.
enum SampleSystem {
    static func all(role: String = "admin") -> [String: String] {
        SampleResponses.all().merging([
            "app": #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "\#(role)", "settings": {"tz": "Europe/Berlin"}}"#,
            "system": well, "system_history": history, "quarantine": quarantine, "quarantined": quarantine, "refused": refused,
            "missing_symbols": #"{"items": []}"#, "audit": audit,
        ]) { $1 }
    }

    static var empty: [String: String] {
        let nothing = #"{"items": [], "counts": []}"#
        return all().merging([
            "system": SampleResponses.system, "system_history": eventsOfHour { _ in 0 }, "quarantine": nothing, "quarantined": nothing,
            "refused": nothing,
        ]) { $1 }
    }

    static var sick: [String: String] { all().merging(["system": system(isWell: false)]) { $1 } }

    // MARK: The daemon

    private static let history = eventsOfHour { 900 + $0 * 37 % 400 }

    private static func eventsOfHour(_ value: (Int) -> Int) -> String {
        let start: Int64 = 1_795_257_000_000
        let points = (0..<60).map { #"{"t": "\#(Timestamp(milliseconds: start + Int64($0) * 60_000).rfc3339)", "value": \#(value($0))}"# }
        let range = #""from": "2026-11-21T10:30:00Z", "to": "2026-11-21T11:30:00Z", "tz": "Europe/Berlin", "complete": false, "source": "rollup""#
        return #"{\#(range), "series": [{"points": [\#(points.joined(separator: ","))], "total": 60000}]}"#
    }

    private static let well = system(isWell: true)

    private static func system(isWell: Bool) -> String {
        return """
            {"version": "0.1.0", "ready": \(isWell), "reasons": [\(isWell ? "" : #""the disk is full""#)],
             "events": {"accepted": 48208, "duplicates": 2, "quarantined": 144, "last_seq": 48352, "per_second": 18.25},
             "usage": {"day": "2026-11-21", "events": 31210, "bytes": 9182044, "devices": 412, "storage_bytes": 2147483648,
                       "max_events_per_day": \(isWell ? 50000 : 31210), "max_storage_bytes": 5368709120},
             "reads_dwarf": \(isWell)}
            """
    }

    // MARK: The audit log

    private static let audit = """
        {"items": [
          {"id": 9, "at": "2026-11-21T11:20:00Z", "action": "person.erase", "app": 1, "key": 4, "role": "admin", "address": "192.0.2.7",
           "person": "9f86d081884c7d65", "outcome": "unfinished", "count": 1},
          {"id": 8, "at": "2026-11-21T11:00:00Z", "action": "role.denied", "app": 1, "key": 2, "role": "ingest", "address": "2001:db8::17",
           "outcome": "rejected", "status": 403, "count": 12044},
          {"id": 7, "at": "2026-11-21T09:14:00Z", "action": "app.change", "app": 1, "key": 4, "role": "admin", "address": "192.0.2.7",
           "detail": "tz, retention_days", "outcome": "done", "status": 200, "count": 1},
          {"id": 6, "at": "2026-11-20T17:02:11Z", "action": "issue.delete", "app": 1, "key": 4, "role": "admin", "address": "192.0.2.7",
           "detail": "iss_\\u001b[2J 日本", "outcome": "rejected", "status": 404, "count": 1},
          {"id": 5, "at": "2026-11-18T08:00:00Z", "action": "key.create", "app": 1, "role": "operator", "address": "control socket",
           "detail": "key 5, read", "outcome": "done", "status": 201, "count": 1},
          {"id": 4, "at": "2026-11-17T08:00:00Z", "action": "key.painted", "app": 1, "role": "operator", "address": "control socket",
           "outcome": "failed", "status": 503, "count": 1}]}
        """

    // MARK: Quarantine

    private static let counts = """
        "counts": [{"code": "bad_event_name", "kept": 102, "only_counted": 0}, {"code": "blocked", "kept": 0, "only_counted": 31},
                   {"code": "missing_name", "kept": 40, "only_counted": 220}, {"code": "too_old", "kept": 1, "only_counted": 0}]
        """

    private static func item(_ seq: Int, _ code: String, _ field: String, _ message: String, _ time: String, raw: String) -> String {
        """
        {"seq": \(seq), "received_at": "\(time)", "code": "\(code)", "number": 2, "field": "\(field)", "message": "\(message)", "source": "events",
         "envelope": {"installation_id": "my-phone", "context.platform": "ios"}, "raw": "\(raw)"}
        """
    }

    private static let named = item(
        48_333, "bad_event_name", "name",
        "A name has at most 40 characters and must begin with a letter and have only letters, digits and underscores.",
        "2026-11-21T11:28:17Z",
        raw: #"{\"name\":\"9lives\\u001b[2J\",\"params\":{\"text\":\"b\\u00f6se \\u001b[31m  日本\",\"list\":[1,{}],\"none\":[]}}"#)

    private static let quarantine = """
        {"items": [\(named),
          \(item(48_120, "missing_name", "name", "An event needs a name.", "2026-11-21T09:00:00Z", raw: #"{\"params\":{\"x\":1}}"#)),
          \(item(47_000, "too_old", "timestamp", "Is older than this app keeps data.", "2026-11-20T22:59:00Z", raw: #"{\"name\":\"purchase\",\"timestamp\":\"2019-01-01T00:00:00Z\"}"#)),
          \(item(46_999, "invalid_json", "", "The line is not JSON.", "2026-11-02T09:00:00Z", raw: #"{\"name\": oh\u001b]0;no\u0007"#))],
         "next": "46999", \(counts)}
        """

    private static let refused = #"{"items": [\#(named)], "next": "48333", \#(counts)}"#
}
