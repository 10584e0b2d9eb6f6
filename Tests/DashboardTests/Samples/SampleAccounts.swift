// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about accounts at `SampleResponses.now`, some with hostile texts.
enum SampleAccounts {
    static func all() -> [String: String] {
        SampleResponses.all().merging([
            "app": #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "admin", "settings": {"tz": "Europe/Berlin"}}"#,
            "accounts": accounts, "account_figures": figures, "account": account, "account_events": events,
            "person": #"{"user_id": "kd93u5c1pz7w", "properties": {}, "installations": [], "items": []}"#,
        ]) { $1 }
    }

    static var empty: [String: String] {
        all().merging([
            "accounts": #"{"items": []}"#,
            "account_figures": #"{"accounts": 0, "verified": 0, "anonymous": 0, "disabled": 0, "second_factor": 0, "days": []}"#,
            "account_events": #"{"items": []}"#,
        ]) { $1 }
    }

    private static func item(
        _ id: String, _ email: String?, _ more: String, providers: String = #"["password"]"#, disabled: Bool = false, verified: Bool = false,
        anonymous: Bool = false
    ) -> String {
        let email = email.map { #""email": "\#($0)", "# } ?? ""
        return
            #"{"id": "\#(id)", \#(email)"email_verified": \#(verified), "anonymous": \#(anonymous), "disabled": \#(disabled), "claims": {}, "#
            + #""providers": \#(providers), "created_at": "2026-08-03T09:00:00Z", "valid_since": "2026-08-03T09:00:00Z"\#(more)}"#
    }

    private static let accounts = """
        {"items": [
          \(item("kd93u5c1pz7w", "ana@example.org", #", "name": "Ana", "last_sign_in_at": "2026-11-21T11:20:00Z""#, verified: true)),
          \(item("m1x8s2b7qe4t", "jürg@example.org", #", "last_sign_in_at": "2026-11-18T19:04:00Z""#, disabled: true)),
          \(item("p7c2n5v9ya3k", nil, #", "last_sign_in_at": "2026-11-21T08:00:00Z""#, providers: "[]", anonymous: true)),
          \(item("server-side-identifier-of-a-user-that-is-very-long", nil, "", providers: "[]")),
          \(item("z4h6\\u202euid", "a.very.long.local.part.of.an.address@a-domain-with-a-long-name.example.org", ""))
        ], "next": "5"}
        """

    private static func activity(_ day: String, _ method: String, _ counts: (Int, Int, Int)) -> String {
        #"{"day": "2026-11-\#(day)", "method": "\#(method)", "sign_ups": \#(counts.0), "sign_ins": \#(counts.1), "failures": \#(counts.2)}"#
    }

    private static let figures = """
        {"accounts": 18204, "verified": 9117, "anonymous": 6033, "disabled": 12, "second_factor": 840, "days": [
          \(activity("21", "anonymous", (12, 12, 0))), \(activity("21", "password", (31, 402, 18))),
          \(activity("20", "anonymous", (20, 20, 0))), \(activity("20", "custom_token", (0, 7, 0))), \(activity("20", "password", (40, 611, 1290))),
          \(activity("19", "password", (38, 590, 22))), \(activity("18", "password", (29, 571, 9)))
        ]}
        """

    private static let account = #"""
        {"id": "kd93u5c1pz7w", "email": "ana@example.org", "email_verified": true, "name": "Ana \u001b[2J", "anonymous": false, "disabled": false,
         "claims": {"admin": true, "tier": "gold", "limit": 12, "nested": {"a": 1}}, "providers": ["password"],
         "created_at": "2026-08-03T09:00:00Z", "last_sign_in_at": "2026-11-21T11:20:00Z", "valid_since": "2026-08-03T09:00:00Z",
         "identities": [{"provider": "google.com", "subject": "107853", "email": "ana@example.org", "linked_at": "2026-08-03T09:00:00Z"}],
         "factors": [{"id": "factor_1", "kind": "totp", "name": "Phone", "created_at": "2026-09-01T09:00:00Z", "confirmed_at": "2026-09-01T09:01:00Z"}],
         "recovery_codes": 9,
         "sessions": [
           {"id": "s-1", "created_at": "2026-11-21T11:20:00Z", "last_used_at": "2026-11-21T11:20:00Z", "method": "password",
            "client": "shop/2.1 iOS", "place": "203.0.113.0/24"},
           {"id": "s-2", "created_at": "2026-10-02T07:00:00Z", "last_used_at": "2026-11-20T21:00:00Z", "method": "password", "place": "2001:db8::/56", "second_factor": "totp"}
         ]}
        """#

    private static func event(_ id: Int, _ at: String, _ event: String, _ method: String, _ count: Int = 1) -> String {
        let place = #""place": "203.0.113.0/24", "#
        return
            #"{"id": \#(id), "at": "\#(at)", "user": "kd93u5c1pz7w", "event": "\#(event)", "method": "\#(method)", \#(place)"count": \#(count)}"#
    }

    private static let events = """
        {"items": [
          \(event(99, "2026-11-21T11:20:00Z", "signed_in", "password")), \(event(97, "2026-11-21T11:19:30Z", "sign_in_failed", "password", 3)),
          \(event(80, "2026-11-20T10:00:00Z", "refresh_reused", "refresh")), \(event(12, "2026-10-02T07:00:00Z", "signed_in", "password")),
          \(event(3, "2026-08-03T09:00:00Z", "created", "password"))
        ]}
        """
}
