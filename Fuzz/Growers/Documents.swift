// SPDX-License-Identifier: Apache-2.0

/// A place of a JSON body: `#` stands for a value.
private struct Slot {
    let target: String
    let name: String
    let template: String
    /// False if the decoder rejects the whole request unless the value is of one kind.
    var takesAnything = true

    init(_ target: String, _ name: String, _ template: String, takesAnything: Bool = true) {
        (self.target, self.name, self.template, self.takesAnything) = (target, name, template, takesAnything)
    }
}

extension Grower {
    /// Every JSON shape in every kind of place.
    package static let documents: [Grower] = slots.flatMap { slot in
        JSONShape.all.map { shape in
            Grower(slot.target, "\(slot.name): \(shape.name)", isAccepted: slot.takesAnything && shape.isValid) {
                filled(slot.template, shape.value($0))
            }
        }
    }

    private static let slots: [Slot] = ownSlots + firestoreSlots + segmentSlots + postHogSlots + sentrySlots + otherSlots

    private static let ownSlots =
        [
            Slot("json", "document", "#"),
            Slot("json", "member", #"{"a":#,"b":1}"#),
            Slot("json", "line", "{}\n#\n{}", takesAnything: false),
            Slot("events", "root", #"{"x":#,"events":[{"name":"a"}]}"#),
            Slot("events", "event", #"[{"id":"1","name":"a","x":#}]"#),
            Slot("events", "name", #"[{"id":"1","name":#}]"#),
            Slot("events", "id", #"[{"id":#,"name":"a"}]"#),
            Slot("events", "user_id", #"[{"name":"a","user_id":#}]"#),
            Slot("events", "context", #"{"context":#,"events":[{"name":"a"},{"name":"b"}]}"#),
            Slot("events", "context of an event", #"[{"name":"a","context":#}]"#),
            Slot("events", "params", #"[{"id":"1","name":"a","params":#}]"#),
            Slot("events", "param", #"[{"id":"1","name":"a","params":{"p":#}}]"#),
            Slot("events", "items", #"[{"id":"1","name":"purchase","params":{"items":#}}]"#),
            Slot("events", "item", #"[{"id":"1","name":"purchase","params":{"items":[#]}}]"#),
            Slot("events", "timestamp", #"[{"name":"a","timestamp":#}]"#),
            Slot("events", "line", "{\"name\":\"a\"}\n{\"name\":\"a\",\"params\":#}\n{\"name\":\"b\"}"),
            Slot("users", "root", #"{"x":#,"users":[{"user_id":"u"}]}"#),
            Slot("users", "user", #"{"users":[{"user_id":"u","x":#}]}"#),
            Slot("users", "user_id", #"{"users":[{"user_id":#}]}"#),
            Slot("users", "properties", #"{"users":[{"user_id":"u","properties":#}]}"#),
            Slot("users", "property", #"{"users":[{"user_id":"u","properties":{"a":#}}]}"#),
            Slot("crashes", "root", #"{"x":#,"crashes":[{"type":"T"}]}"#),
            Slot("crashes", "crash", #"[{"type":"T","x":#}]"#),
        ] + crashSlots

    private static let crashSlots =
        [
            "type", "reason", "context", "exceptions", "threads", "frames", "images", "custom_keys", "logs", "breadcrumbs", "fingerprint", "user",
            "exception",
        ].map { Slot("crashes", $0, #"[{"type":"T","\#($0)":#}]"#) } + [
            Slot("crashes", "frame", #"[{"type":"T","frames":[#]}]"#),
            Slot("crashes", "function", #"[{"type":"T","frames":[{"function":#}]}]"#),
            Slot("crashes", "filename", #"[{"type":"T","frames":[{"filename":#}]}]"#),
            Slot("crashes", "mechanism", #"[{"type":"T","exceptions":[{"type":"E","mechanism":#}]}]"#),
            Slot("crashes", "meta", #"[{"type":"T","exceptions":[{"type":"E","mechanism":{"type":"m","meta":#}}]}]"#),
            Slot("crashes", "breadcrumb", #"[{"type":"T","breadcrumbs":[{"message":"m","data":#}]}]"#),
            Slot("crashes", "custom key", #"[{"type":"T","custom_keys":{"k":#}}]"#),
        ]

    private static let firestoreSlots = [
        #"{"writes":#}"#, #"{"writes":[{"update":{"name":"N/c/d","fields":#}}]}"#, #"{"writes":[{"update":{"name":"N/c/d","fields":{"a":#}}}]}"#,
        #"{"writes":[{"update":{"name":"N/c/d","fields":{"a":{"arrayValue":{"values":#}}}}}]}"#,
        #"{"writes":[{"update":{"name":"N/c/d","fields":{"a":{"stringValue":#}}}}]}"#,
        #"{"writes":[{"update":{"name":"N/c/d","fields":{"a":{"bytesValue":#}}}}]}"#, #"{"writes":[{"delete":#}]}"#, #"{"documents":#}"#,
        #"{"writes":[{"update":{"name":"N/c/d"},"updateMask":{"fieldPaths":#}}]}"#, #"{"structuredQuery":{"where":#}}"#,
        #"{"structuredQuery":{"where":{"compositeFilter":{"op":"AND","filters":#}}}}"#, #"{"structuredQuery":{"orderBy":#}}"#,
        #"{"structuredQuery":{"startAt":{"values":#}}}"#, #"{"structuredAggregationQuery":{"structuredQuery":{},"aggregations":#}}"#,
    ].map { Slot("firestore", $0, $0.replacing("N/", with: firestoreRoot), takesAnything: false) }

    static let firestoreRoot = "projects/p/databases/(default)/documents/"

    private static let segmentSlots = [
        Slot("segment", "root", #"F{"x":#,"batch":[{"type":"track","userId":"u","event":"e"}]}"#),
        Slot("segment", "shared context", #"F{"context":#,"batch":[{"type":"track","userId":"u","event":"e"},{"type":"page","userId":"u"}]}"#),
        Slot("segment", "call", #"F{"batch":[{"type":"track","userId":"u","event":"e","x":#}]}"#),
        Slot("segment", "type", #"F{"batch":[{"type":#,"userId":"u","event":"e"}]}"#),
        Slot("segment", "event", #"F{"batch":[{"type":"track","userId":"u","event":#}]}"#),
        Slot("segment", "userId", #"F{"batch":[{"type":"track","userId":#,"event":"e"}]}"#),
        Slot("segment", "context of a call", #"F{"batch":[{"type":"track","userId":"u","event":"e","context":#}]}"#),
        Slot("segment", "properties", #"F{"batch":[{"type":"track","userId":"u","event":"e","properties":#}]}"#),
        Slot("segment", "property", #"F{"batch":[{"type":"track","userId":"u","event":"e","properties":{"p":#}}]}"#),
        Slot(
            "segment", "products",
            #"F{"batch":[{"type":"track","userId":"u","event":"Order Completed","properties":{"order_id":1,"total":"27.50","products":#}}]}"#),
        Slot(
            "segment", "product", #"F{"batch":[{"type":"track","userId":"u","event":"Order Completed","properties":{"order_id":1,"products":[#]}}]}"#),
        Slot("segment", "traits", #"F{"batch":[{"type":"identify","userId":"u","traits":#}]}"#),
        Slot("segment", "trait", #"F{"batch":[{"type":"identify","userId":"u","traits":{"t":#}}]}"#),
        Slot("segment", "body of track", #"G{"userId":"u","event":"e","x":#}"#),
        Slot("segment", "sentAt", #"F{"sentAt":#,"batch":[{"type":"track","userId":"u","event":"e"}]}"#),
    ]

    private static let postHogSlots = [
        Slot("posthog", "root", #"{"x":#,"batch":[{"event":"e","distinct_id":"u"}]}"#),
        Slot("posthog", "event", #"[{"event":"e","distinct_id":"u","x":#}]"#),
        Slot("posthog", "name", #"[{"event":#,"distinct_id":"u"}]"#),
        Slot("posthog", "distinct_id", #"[{"event":"e","distinct_id":#}]"#),
        Slot("posthog", "properties", #"[{"event":"e","distinct_id":"u","properties":#}]"#),
        Slot("posthog", "property", #"[{"event":"e","distinct_id":"u","properties":{"p":#}}]"#),
        Slot("posthog", "$set", #"[{"event":"$identify","distinct_id":"u","$set":#,"properties":{"$set_once":{"a":1},"$anon_distinct_id":"d"}}]"#),
        Slot("posthog", "$set in properties", #"[{"event":"$set","distinct_id":"u","properties":{"$set":#}}]"#),
        Slot("posthog", "$unset", #"[{"event":"$set","distinct_id":"u","properties":{"$unset":#}}]"#),
        Slot("posthog", "$exception_list", #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":#}}]"#),
        Slot("posthog", "$exception_list's entry", #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[#]}}]"#),
        Slot("posthog", "value", #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[{"type":"T","value":#}]}}]"#),
        Slot(
            "posthog", "frames",
            #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[{"type":"T","stacktrace":{"frames":#}}]}}]"#),
    ]

    private static let sentrySlots =
        [
            Slot("sentry", "header", "{\"event_id\":\"7fd08401fdfb4f35babf279a338aec19\",\"x\":#}\n{\"type\":\"event\"}\n{}"),
            Slot("sentry", "header of an item", "{}\n{\"type\":\"event\",\"x\":#}\n{}"),
            Slot("sentry", "session", "{}\n{\"type\":\"session\"}\n{\"sid\":\"3ed92494-a7b1-4215-9451-74e4b8587c8e\",\"x\":#}"),
            Slot("sentry", "aggregates", "{}\n{\"type\":\"sessions\"}\n{\"attrs\":{\"release\":\"a@1\"},\"aggregates\":#}"),
            Slot("sentry", "discarded_events", "{}\n{\"type\":\"client_report\"}\n{\"discarded_events\":#}"),
        ] + sentryEventSlots

    private static let sentryEventSlots =
        [
            "exception", "threads", "breadcrumbs", "tags", "extra", "contexts", "user", "debug_meta", "logentry", "message", "fingerprint", "modules",
            "request", "x", "release",
        ].flatMap { name in
            [
                Slot("sentry", "\(name) of an event in an envelope", "{}\n{\"type\":\"event\"}\n{\"level\":\"error\",\"\(name)\":#}"),
                Slot("sentry", "\(name) of an event", #"{"level":"error","\#(name)":#}"#),
            ]
        } + [
            Slot("sentry", "formatted", #"{"logentry":{"message":"m","formatted":#}}"#),
            Slot("sentry", "message with parameters", #"{"logentry":{"message":"%s %d","params":#}}"#),
            Slot("sentry", "message of formats", #"{"logentry":{"message":#,"params":["a","b"]}}"#),
            Slot("sentry", "exception's value", #"{"exception":{"values":[{"type":"T","value":#}]}}"#),
            Slot("sentry", "exception's entry", #"{"exception":{"values":[#]}}"#),
            Slot("sentry", "frames", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":#}}]}}"#),
            Slot("sentry", "frame", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":[#]}}]}}"#),
            Slot("sentry", "function", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":[{"function":#}]}}]}}"#),
            Slot("sentry", "vars", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":[{"function":"f","vars":#}]}}]}}"#),
        ]

    private static let otherSlots =
        [
            Slot("measurements", "root", googleHead + #""x":#,"events":[{"name":"e"}]}"#),
            Slot("measurements", "event", googleHead + #""events":[{"name":"e","x":#}]}"#),
            Slot("measurements", "params", googleHead + #""events":[{"name":"e","params":#}]}"#),
            Slot("measurements", "param", googleHead + #""events":[{"name":"e","params":{"p":#}}]}"#),
            Slot("measurements", "items", googleHead + #""events":[{"name":"purchase","params":{"items":#}}]}"#),
            Slot("measurements", "user_properties", googleHead + #""user_properties":#,"events":[{"name":"e"}]}"#),
            Slot("measurements", "device", googleHead + #""device":#,"events":[{"name":"e"}]}"#),
            Slot("messages", "root", #"{"topic":"news","x":#,"notification":{"title":"T"}}"#, takesAnything: false),
            Slot("messages", "data", #"{"topic":"news","data":#}"#, takesAnything: false),
            Slot("messages", "datum", #"{"topic":"news","data":{"a":#}}"#, takesAnything: false),
            Slot("messages", "title", #"{"topic":"news","notification":{"title":#}}"#, takesAnything: false),
            Slot("messages", "condition", #"{"condition":#,"notification":{"title":"T"}}"#, takesAnything: false),
            Slot("messages", "tokens", #"{"tokens":#,"data":{"a":"b"}}"#, takesAnything: false),
            Slot("messages", "topics", #"{"topics":#}"#, takesAnything: false),
            Slot("messages", "subscribe", #"{"subscribe":#}"#, takesAnything: false),
            Slot("messages", "endpoint", #"{"token":"phone-7f3a91c2","kind":"token","platform":"ios","endpoint":#}"#, takesAnything: false),
            Slot("messages", "url", #"{"token":"phone-7f3a91c2","endpoint":{"type":"webhook","url":#}}"#, takesAnything: false),
            Slot("firebase", "root", #"{"x":#,"message":{"topic":"news"}}"#, takesAnything: false),
            Slot("firebase", "data", #"{"message":{"topic":"news","data":#}}"#, takesAnything: false),
            Slot("firebase", "apns", #"{"message":{"topic":"news","apns":#}}"#, takesAnything: false),
            Slot("firebase", "payload", #"{"message":{"topic":"news","apns":{"payload":#}}}"#, takesAnything: false),
            Slot("firebase", "headers", #"{"message":{"topic":"news","apns":{"headers":#}}}"#, takesAnything: false),
            Slot("firebase", "android", #"{"message":{"topic":"news","android":#}}"#, takesAnything: false),
            Slot("firebase", "registration_tokens", #"{"to":"/topics/news","registration_tokens":#}"#, takesAnything: false),
            Slot("applereports", "head", "#\n{}", takesAnything: false),
            Slot(
                "applereports", "member of the head", "{\"bug_type\":\"309\",\"x\":#}\n{\"exception\":{\"type\":\"EXC_CRASH\"}}", takesAnything: false
            ),
        ]
        + ["x", "threads", "usedImages", "asi", "exception", "lastExceptionBacktrace", "termination", "exceptionReason", "osVersion"].map {
            Slot(
                "applereports", $0,
                ipsHead + #"{"captureTime":"2025-10-09 10:49:59.2500 +0200","incident":"5C32DF84-31A0-43E7-87D0-239F7F594940","\#($0)":#}"#,
                takesAnything: false)
        }

    static let googleHead = #"{"app_instance_id":"0123456789abcdef0123456789abcdef","#
    static let ipsHead =
        #"{"app_name":"Shop","timestamp":"2025-10-09 10:50:00.00 +0200","bug_type":"309","os_version":"iPhone OS 18.6.1 (22G90)"}"# + "\n"
}
