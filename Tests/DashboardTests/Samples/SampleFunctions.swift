// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about functions at `SampleResponses.now`, some with hostile texts.
enum SampleFunctions {
    static func all() -> [String: String] {
        SampleResponses.all().merging([
            "function_statistics": statistics, "runs": runs, "function_log": log, "run": run, "run_log": log,
            "app": #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "admin", "settings": {"tz": "Europe/Berlin"}}"#,
        ]) { $1 }
    }

    static var empty: [String: String] {
        all().merging([
            "function_statistics": #"{"items": [], "sources": []}"#, "runs": #"{"items": []}"#, "function_log": #"{"items": []}"#,
            "run_log": #"{"items": []}"#,
        ]) { $1 }
    }

    private static func minutes(_ value: (Int) -> Int) -> String { "[\((0..<60).map { "\(value($0))" }.joined(separator: ","))]" }

    private static let statistics = #"""
        {"items": [
          {"name": "receipt", "target": "https://api.example", "triggers": ["event purchase params.total>=100", "schedule 0 9 * * 1-5 Europe/Berlin"],
           "per_minute": \#(minutes { 20 + $0 * 7 % 23 }), "failures": 12, "median_milliseconds": 41.9, "slow_milliseconds": 812, "calls_under_way": 3,
           "calls_waiting": 0, "runs": {"waiting": 4, "running": 1, "retrying": 2, "done": 120331, "dead": 7}},
          {"name": "thumbnail", "target": "worker", "triggers": ["file users/{uid}/{rest=**} finalized"], "per_minute": \#(minutes { $0 % 3 }),
           "failures": 0, "median_milliseconds": 0.62, "slow_milliseconds": 4.1, "calls_under_way": 0, "calls_waiting": 0, "runs": {"done": 91}},
          {"name": "broken", "target": "http://10.0.0.7:8080", "triggers": [], "per_minute": \#(minutes { _ in 0 }), "failures": 0,
           "calls_under_way": 0, "calls_waiting": 14, "broken_until": "2026-11-21T11:28:50Z", "runs": {}},
          {"name": "evil", "target": "https://evil\u202e\u001b[31m", "triggers": ["event \u001b[2J"], "per_minute": \#(minutes { _ in 0 }), "failures": 0,
           "calls_under_way": 0, "calls_waiting": 0, "runs": {"done": 1}}],
         "sources": [{"source": "event", "lag_seconds": 0}, {"source": "file", "lag_seconds": 42.5}]}
        """#

    private static let runs = #"""
        {"items": [
          {"id": "run_3fGq9VxJ2LkPzR7cTn5YdW", "function": "receipt", "type": "event", "subject": "purchase", "user": "ann", "state": "dead", "tries": 5,
           "depth": 1, "created_at": "2026-11-21T10:00:00Z", "changed_at": "2026-11-21T11:20:00Z"},
          {"id": "run_4fGq9VxJ2LkPzR7cTn5YdW", "function": "receipt", "type": "task", "task": "receipt-o-7\u001b[31m", "state": "retrying", "tries": 2,
           "depth": 2, "due_at": "2026-11-21T11:29:00Z", "created_at": "2026-11-21T10:00:00Z", "changed_at": "2026-11-21T11:28:00Z"},
          {"id": "run_5fGq9VxJ2LkPzR7cTn5YdW", "function": "receipt", "type": "schedule", "subject": "0 9 * * 1-5 Europe/Berlin", "state": "done",
           "tries": 1, "depth": 1, "created_at": "2026-11-20T08:00:00Z", "changed_at": "2026-11-20T08:00:01Z"}], "next": "17"}
        """#

    private static let log = #"""
        {"items": [
          {"at": "2026-11-21T11:19:00Z", "level": "error", "line": "failed, retried at 2026-11-21T11:20:00Z, attempt 4: status 503 after 12 ms",
           "run": "run_3fGq9VxJ2LkPzR7cTn5YdW"},
          {"at": "2026-11-21T11:20:00Z", "level": "error", "line": "dead, attempt 5: status 503 after 14 ms", "run": "run_3fGq9VxJ2LkPzR7cTn5YdW"},
          {"at": "2026-11-21T11:21:00Z", "level": "info", "line": "a line of a worker \u001b[31m", "run": "run_3fGq9VxJ2LkPzR7cTn5YdW"}], "next": "3"}
        """#

    private static let run = #"""
        {"id": "run_3fGq9VxJ2LkPzR7cTn5YdW", "function": "receipt", "type": "event", "subject": "purchase", "user": "ann", "state": "dead", "tries": 5,
         "depth": 1, "created_at": "2026-11-21T10:00:00Z", "changed_at": "2026-11-21T11:20:00Z",
         "data": "{\"name\": \"purchase\", \"params\": {\"total\": 120.5, \"note\": \"\\u001b[31m\"}}",
         "attempts": [{"at": "2026-11-21T11:19:00Z", "milliseconds": 12, "status": 503, "response": "upstream is down"},
           {"at": "2026-11-21T11:20:00Z", "milliseconds": 14, "error": "timed out"}]}
        """#
}
