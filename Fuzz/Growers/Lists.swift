// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Bodies with `n` entries of one kind, each with most of its possible fields.
    static let lists: [Grower] = [
        list("events", "events", "[#]", #"{"id":"e§","name":"screen_view","user_id":"u§","session_id":"s","params":{"screen_name":"S§"}}"#),
        list("events", "the same event", "[#]", #"{"id":"e","name":"a"}"#),
        list("events", "quarantined events", "[#]", #"{"name":"a b"}"#),
        list("events", "entries that are not objects", "[#]", "7"),
        list("events", "corrected events", "[#]", #"{"name":"purchase","params":{"value":"x","currency":"eur","a b":1,"a b":2}}"#),
        list("events", "events with a context of their own", "[#]", #"{"name":"a","context":{"platform":"ios","app_version":"§"}}"#),
        list("events", "lines", "#", #"{"id":"e§","name":"a","params":{"k":§}}"#, separator: "\n"),
        list("events", "lines that are not JSON", "#", #"{"name":"#, separator: "\n"),
        list("events", "lines that are not UTF-8", "#", "{\"a\":\"\u{7f}§\u{80}\"", separator: "\n"),
        list("events", "blank lines", "{\"name\":\"a\"}\n#", "", separator: "\n"),
        list("events", "lines of spaces", "{\"name\":\"a\"}\n#", "   ", separator: "\r\n"),
        list("events", "one line of spaces", "{\"name\":\"a\"}\n#", " ", separator: ""),
        list("users", "users", #"{"users":[#]}"#, #"{"user_id":"u§","properties":{"a":§}}"#),
        list("users", "users without an ID", #"{"users":[#]}"#, "{}"),
        list("users", "aliases", #"{"users":[#]}"#, #"{"user_id":"u§","installation_id":"i§","alias":true}"#),
        list("crashes", "crashes", "[#]", #"{"id":"c§","type":"T§","reason":"r","frames":[{"function":"f"}]}"#),
        list("crashes", "crashes that are not objects", "[#]", "7"),
        list("segment", "calls", #"F{"batch":[#]}"#, #"{"type":"track","messageId":"m§","userId":"u§","event":"e§","properties":{"a":§}}"#),
        list("segment", "calls of no type", #"F{"batch":[#]}"#, #"{"userId":"u"}"#),
        list("segment", "identify calls", #"F{"batch":[#]}"#, #"{"type":"identify","userId":"u","anonymousId":"a§","traits":{"t§":1}}"#),
        list("segment", "alias calls", #"F{"batch":[#]}"#, #"{"type":"alias","userId":"u","previousId":"p§"}"#),
        list(
            "segment", "calls with a context of their own", #"F{"batch":[#]}"#,
            #"{"type":"track","userId":"u","event":"e","context":{"os":{"name":"iOS§"}}}"#),
        list(
            "segment", "orders", #"F{"batch":[#]}"#,
            #"{"type":"track","userId":"u","event":"Order Completed","properties":{"order_id":"§","total":1}}"#),
        list("posthog", "events", #"{"batch":[#]}"#, #"{"event":"e§","distinct_id":"u","properties":{"a":§}}"#),
        list("posthog", "$set events", #"{"batch":[#]}"#, #"{"event":"$set","distinct_id":"u§","$set":{"a":1},"$set_once":{"b":2}}"#),
        list("posthog", "$identify events", #"{"batch":[#]}"#, #"{"event":"$identify","distinct_id":"u","properties":{"$anon_distinct_id":"d§"}}"#),
        list(
            "posthog", "$exception events", #"{"batch":[#]}"#,
            #"{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[{"type":"T","value":"§"}]}}"#),
        list("posthog", "events without a person", #"{"batch":[#]}"#, #"{"event":"e"}"#),
        list("sentry", "event items", "{}\n#", "{\"type\":\"event\"}\n{\"message\":\"m§\"}", separator: "\n"),
        list("sentry", "items of an unknown type", "{}\n#", "{\"type\":\"x\"}\n{}", separator: "\n"),
        list(
            "sentry", "attachments with names", "{}\n{\"type\":\"event\"}\n{}\n#",
            "{\"type\":\"attachment\",\"length\":2,\"filename\":\"f§\",\"content_type\":\"text/plain\"}\nab", separator: "\n"),
        list("sentry", "items with a length", "{}\n#", "{\"type\":\"attachment\",\"length\":2}\nab", separator: "\n"),
        list(
            "sentry", "session items", "{}\n#",
            "{\"type\":\"session\"}\n{\"sid\":\"3ed92494-a7b1-4215-9451-74e4b8587c8e\",\"init\":true,\"status\":\"ok\",\"attrs\":{\"release\":\"a@1\"}}",
            separator: "\n"),
        list(
            "sentry", "client reports", "{}\n#",
            "{\"type\":\"client_report\"}\n{\"discarded_events\":[{\"reason\":\"r§\",\"category\":\"error\",\"quantity\":1}]}", separator: "\n"),
        list("sentry", "empty lines", "{}\n{\"type\":\"event\"}\n{}\n#", "\n", separator: ""),
        list("sentry", "tags in pairs", #"{"tags":[#]}"#, #"["k§","v"]"#),
        list(
            "sentry", "frames with context", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":[#]}}]}}"#,
            #"{"function":"f§","filename":"a.py","lineno":§,"pre_context":["a"],"context_line":"b","vars":{"x":"1"}}"#),
        list("sentry", "exceptions", #"{"exception":{"values":[#]}}"#, #"{"type":"T§","value":"v","stacktrace":{"frames":[{"function":"f"}]}}"#),
        list("sentry", "threads", #"{"threads":{"values":[#]}}"#, #"{"id":§,"name":"t§","stacktrace":{"frames":[{"function":"f"}]}}"#),
        list("sentry", "breadcrumbs", #"{"breadcrumbs":{"values":[#]}}"#, #"{"message":"m§","category":"c","timestamp":1760000000,"data":{"a":1}}"#),
        list("measurements", "events", googleHead + #""events":[#]}"#, #"{"name":"e§","params":{"a":§}}"#),
        list("measurements", "user properties", googleHead + #""user_properties":{#},"events":[{"name":"e"}]}"#, #""p§":{"value":"v"}"#),
        list("messages", "tokens", #"{"tokens":[#],"data":{"a":"b"}}"#, #""registration-token-§""#),
        list("messages", "topics", #"{"subscribe":[#]}"#, #""topic-§""#),
        list("messages", "data", #"{"topic":"news","data":{#}}"#, #""k§":"v""#),
        list("firebase", "tokens", #"{"to":"/topics/news","registration_tokens":[#]}"#, #""token-000§""#),
        list("firebase", "data", #"{"message":{"topic":"news","data":{#}}}"#, #""k§":"v""#),
        list("firebase", "APNs headers", #"{"message":{"topic":"news","apns":{"headers":{#}}}}"#, #""apns-§":"v""#),
        list("applereports", "threads", ipsHead + #"{"threads":[#]}"#, #"{"id":§,"frames":[{"imageOffset":1,"imageIndex":0}]}"#),
        list(
            "applereports", "images", ipsHead + #"{"threads":[{"id":0,"frames":[]}],"usedImages":[#]}"#,
            #"{"base":§,"size":16,"uuid":"2d903291-397d-3d14-bfca-52c7fb8c5e00","name":"n§"}"#),
    ]

    private static func list(_ target: String, _ name: String, _ template: String, _ entry: String, separator: String = ",") -> Grower {
        Grower(target, name) { filled(template, repeated($0, entry, separator: separator)) }
    }
}
