// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about messages at `SampleResponses.now`, some with hostile texts.
enum SampleMessages {
    static let id = "msg_3fGq9VxJ2LkPzR7cTn5YdW"

    static func all(role: String = "send") -> [String: String] {
        SampleResponses.all().merging([
            "app": #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "\#(role)", "settings": {"tz": "Europe/Berlin"}}"#,
            "topics": topics, "subscribers": subscribers, "messages": messages, "message": message, "deliveries": deliveries, "delivery": delivery,
        ]) { $1 }
    }

    static var empty: [String: String] {
        let nothing = #"{"items": []}"#
        return all().merging(["topics": nothing, "subscribers": nothing, "messages": nothing, "deliveries": nothing]) { $1 }
    }

    private static let topics = """
        {"items": [
          {"topic": "$alerts.delivery", "subscribers": 2, "created_at": "2026-11-02T09:00:00Z"},
          {"topic": "news", "subscribers": 120481, "created_at": "2026-10-30T06:12:09.5Z"},
          {"topic": "offers.autumn.2026.everything-that-is-left-in-the-warehouse-and-more", "subscribers": 8402, "created_at": "2026-11-19T16:30:00Z"},
          {"topic": "sport", "subscribers": 40110, "created_at": "2026-11-21T08:33:29Z"},
          {"topic": "weather.berlin", "subscribers": 951, "created_at": "2026-11-20T22:59:00Z"}
        ]}
        """

    private static let subscribers = """
        {"items": [
          {"token": "sbd_4cB0Yt7RlHa1Q", "kind": "own", "user_id": "ann", "platform": "ios", "endpoint": {"type": "stream"}, "app_version": "2.1.0",
           "state": "active", "stale": false, "created_at": "2026-10-30T06:12:09Z", "seen_at": "2026-11-21T11:20:00Z"},
          {"token": "fcm1…9Zk2", "kind": "token", "platform": "android", "endpoint": {"type": "webhook", "url": "https://push.example.com:443/hook/s3cret"},
           "state": "disabled", "stale": false, "created_at": "2026-10-30T06:12:09Z", "seen_at": "2026-11-18T07:00:00Z"},
          {"token": "sbd_…77ab", "kind": "own", "user_id": "bea\\u001b[2J日本", "platform": "server", "endpoint": {"type": "webhook", "url": "https://example.com:8443/…"},
           "app_version": "2.0.9", "state": "active", "stale": true, "created_at": "2026-09-01T06:12:09Z", "seen_at": "2026-10-01T07:00:00Z"}
        ], "next": "3"}
        """

    private static func message(
        _ id: String, _ target: String, label: String?, stage: String, sent: String, audience: Int, counts: String, more: String = ""
    ) -> String {
        """
        {"id": "\(id)", "target": \(target), \(label.map { #""label": "\#($0)", "# } ?? "")"priority": "normal", "stage": "\(stage)",
         "created_at": "2026-11-21T11:20:00Z", \(sent), "expires_at": "2026-12-19T11:20:00Z", "audience": \(audience), "counts": \(counts)\(more)}
        """
    }

    private static let counts = #"{"pending": 1200, "sending": 40, "sent": 310, "retrying": 88, "delivered": 118700, "dead": 9, "removed": 4}"#

    private static let messages: String = {
        let items = [
            message(
                "msg_9aBcDeFgHiJkLmNoPqRsTu", #"{"topic": "offers.autumn.2026.everything-that-is-left"}"#, label: "autumn", stage: "scheduled",
                sent: #""send_at": "2026-11-22T08:00:00Z""#, audience: 0, counts: "{}"),
            message(
                id, #"{"topic": "news"}"#, label: "breaking", stage: "spreading", sent: #""sent_at": "2026-11-21T11:27:58Z""#, audience: 120_481,
                counts: counts),
            message(
                "msg_1qWeRtZuIoPaSdFgHjKlYx", #"{"condition": "'news' in topics && !('sport' in topics)"}"#, label: nil, stage: "spread",
                sent: #""sent_at": "2026-11-20T19:02:11Z""#, audience: 80_402, counts: #"{"delivered": 80400, "dead": 2}"#),
            message(
                "msg_2yXcVbNmAsDfGhJkLqWeRt", #"{"tokens": 3}"#, label: "\\u001b]0;x\\u0007receipt", stage: "over",
                sent: #""sent_at": "2026-11-01T19:02:11Z""#,
                audience: 3, counts: #"{"delivered": 1, "expired": 1, "cancelled": 1}"#),
        ]
        return #"{"items": [\#(items.joined(separator: ","))]}"#
    }()

    private static let message = message(
        id, #"{"topic": "news"}"#, label: "breaking", stage: "spreading", sent: #""sent_at": "2026-11-21T11:27:58Z""#, audience: 120_481,
        counts: counts,
        more: """
            , "notification": {"title": "Breaking", "body": "It rains \\u001b[31min Berlin, and it will rain tomorrow, and nobody knows when it is going to end"},
            "data": {"article": "17", "section": "weather"}, "collapse_key": "breaking", "received": 40211, "opened": 3120
            """)

    private static let delivery = """
        {"id": "\(id)_17", "message": "\(id)", "token": "sbd_4cB0Yt7RlHa1Q", "url": "https://example.com:8443/hooks/s3cret", "state": "retrying", "tries": 3,
         "due_at": "2026-11-21T11:30:00Z", "changed_at": "2026-11-21T11:28:09Z", "attempts": [
          {"at": "2026-11-21T11:27:58Z", "milliseconds": 429, "status": 503, "response": "\\r\\n  \\nPlease come back later.\\nTraceback:\\n  …"},
          {"at": "2026-11-21T11:28:03Z", "milliseconds": 15000, "error": "timed_out"},
          {"at": "2026-11-21T11:28:09Z", "milliseconds": 12, "status": 500, "response": "<title>\\u001b[2JOops</title>"}]}
        """

    private static let deliveries = """
        {"items": [\(delivery),
          {"id": "\(id)_16", "message": "\(id)", "token": "fcm1…9Zk2", "url": "https://push.example.com:443/…", "state": "dead", "tries": 8,
           "changed_at": "2026-11-21T11:28:05Z", "attempts": [
            {"at": "2026-11-21T11:28:05Z", "milliseconds": 3, "error": "could_not_connect"}]},
          {"id": "\(id)_15", "message": "\(id)", "token": "sbd_…77ab", "state": "sent", "tries": 0, "changed_at": "2026-11-21T11:28:01Z", "attempts": []},
          {"id": "\(id)_14", "message": "\(id)", "state": "removed", "tries": 0, "changed_at": "2026-11-20T11:28:01Z", "attempts": []},
          {"id": "msg_1qWeRtZuIoPaSdFgHjKlYx_3", "message": "msg_1qWeRtZuIoPaSdFgHjKlYx", "token": "sbd_…aaaa", "url": "http://127.0.0.1:9000/…",
           "state": "delivered", "tries": 1, "changed_at": "2026-11-20T19:02:12Z", "attempts": [
            {"at": "2026-11-20T19:02:12Z", "milliseconds": 8, "status": 204}]}
        ], "next": "14"}
        """
}
