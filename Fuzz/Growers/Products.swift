// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Bodies in which two parts grow together, which reveals decoders that search one for each element of the other.
    static let products = shared + nested + lookups + largeAndSmall

    // MARK: A shared part and the entries

    private static let shared = sharedPlaces.flatMap { place in
        sharedParts.flatMap { part in
            [grower(place, part), grower(place, part, membersPerEntry: 32), grower(place, part, membersPerEntry: 512)]
        }
    }

    /// Some targets allow few entries, so there are growers with many members in each.
    private static func grower(_ place: Place, _ part: (name: String, unit: String), membersPerEntry: Int = 1) -> Grower {
        let number = membersPerEntry == 1 ? "" : ", \(membersPerEntry) for each"
        return Grower(place.target, "\(place.name), \(part.name)\(number)", isAccepted: place.takesUnknownMembers && membersPerEntry == 1) { n in
            filled(place.template, repeated(membersPerEntry * n, part.unit), repeated(n, place.entry))
        }
    }

    /// Lists of members.
    private static let sharedParts = [
        (name: "members", unit: #""k§":0"#),
        (name: "escaped names", unit: #""\u006b§":0"#),
        (name: "objects", unit: #""k§":{"a":[1]}"#),
        (name: "the same member", unit: #""k":0"#),
    ]

    private struct Place {
        let target: String
        let name: String
        /// The first `#` stands for members, the second for entries.
        let template: String
        let entry: String
        let takesUnknownMembers: Bool

        init(_ target: String, _ name: String, _ template: String, _ entry: String, takesUnknownMembers: Bool = true) {
            (self.target, self.name, self.template, self.entry) = (target, name, template, entry)
            self.takesUnknownMembers = takesUnknownMembers
        }
    }

    private static let sharedPlaces: [Place] = [
        Place("events", "root × events", #"{#,"events":[#]}"#, #"{"name":"a"}"#),
        Place("events", "context × events", #"{"context":{#},"events":[#]}"#, #"{"name":"a"}"#),
        Place("events", "context × events with a context", #"{"context":{#},"events":[#]}"#, #"{"name":"a","context":{"platform":"ios"}}"#),
        Place("events", "context × other contexts", #"{"context":{#},"events":[#]}"#, #"{"name":"a","context":{"platform":"p§"}}"#),
        Place("events", "params × events", #"[{"name":"b","params":{#}},#]"#, #"{"name":"a","params":{"x":1}}"#),
        Place("events", "params × items", #"[{"name":"purchase","params":{#,"items":[#]}}]"#, #"{"item_id":"§","price":1}"#),
        Place("users", "root × users", #"{#,"users":[#]}"#, #"{"user_id":"u§"}"#),
        Place("users", "root × users with properties", #"{#,"users":[#]}"#, #"{"user_id":"u§","properties":{"a":1}}"#),
        Place("crashes", "root × crashes", #"{#,"crashes":[#]}"#, #"{"type":"T"}"#),
        Place("crashes", "context × crashes", #"{"context":{#},"crashes":[#]}"#, #"{"type":"T"}"#),
        Place("crashes", "crash × frames", #"[{"type":"T",#,"frames":[#]}]"#, #"{"function":"f§"}"#),
        Place("crashes", "crash × threads", #"[{"type":"T",#,"threads":[#]}]"#, #"{"id":§,"frames":[{"function":"f"}]}"#),
        Place("crashes", "crash × exceptions", #"[{#,"exceptions":[#]}]"#, #"{"type":"T§"}"#),
        Place("segment", "root × calls", #"F{#,"batch":[#]}"#, #"{"type":"track","userId":"u","event":"e"}"#),
        Place("segment", "root × identify calls", #"F{#,"batch":[#]}"#, #"{"type":"identify","userId":"u","traits":{"a":1}}"#),
        Place("segment", "root × alias calls", #"F{#,"batch":[#]}"#, #"{"type":"alias","userId":"u","previousId":"p§"}"#),
        Place("segment", "root × page calls", #"F{#,"batch":[#]}"#, #"{"type":"page","userId":"u","name":"n§"}"#),
        Place("segment", "root × group calls", #"F{#,"batch":[#]}"#, #"{"type":"group","userId":"u","groupId":"g"}"#),
        Place("segment", "root × calls without a type", #"F{#,"batch":[#]}"#, "{}"),
        Place(
            "segment", "root × calls with a context", #"F{#,"batch":[#]}"#,
            #"{"type":"track","userId":"u","event":"e","context":{"os":{"name":"iOS"}}}"#),
        Place("segment", "shared context × calls", #"F{"context":{#},"batch":[#]}"#, #"{"type":"track","userId":"u","event":"e"}"#),
        Place("segment", "shared context × identify calls", #"F{"context":{#},"batch":[#]}"#, #"{"type":"identify","userId":"u","traits":{"a":1}}"#),
        Place(
            "segment", "shared context × calls with a context", #"F{"context":{#},"batch":[#]}"#,
            #"{"type":"track","userId":"u","event":"e","context":{"os":{"name":"iOS§"}}}"#),
        Place(
            "segment", "properties × products",
            #"F{"batch":[{"type":"track","userId":"u","event":"Order Completed","properties":{"order_id":1,#,"products":[#]}}]}"#,
            #"{"product_id":"p§","price":1}"#),
        Place(
            "segment", "traits × calls", #"F{"batch":[{"type":"identify","userId":"u","traits":{#}},#]}"#,
            #"{"type":"track","userId":"u","event":"e"}"#),
        Place("posthog", "root × events", #"{#,"batch":[#]}"#, #"{"event":"e","distinct_id":"u"}"#),
        Place("posthog", "root × events with properties", #"{#,"batch":[#]}"#, #"{"event":"e","distinct_id":"u","properties":{"a":1}}"#),
        Place("posthog", "root × $set events", #"{#,"batch":[#]}"#, #"{"event":"$set","distinct_id":"u","$set":{"a":1}}"#),
        Place(
            "posthog", "root × $exception events", #"{#,"batch":[#]}"#,
            #"{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[{"type":"T"}]}}"#),
        Place("posthog", "root × events without a person", #"{#,"batch":[#]}"#, #"{"event":"e"}"#),
        Place(
            "posthog", "properties × exceptions", #"[{"event":"$exception","distinct_id":"u","properties":{#,"$exception_list":[#]}}]"#,
            #"{"type":"T§","value":"v"}"#),
        Place(
            "posthog", "properties × frames",
            #"[{"event":"$exception","distinct_id":"u","properties":{#,"$exception_list":[{"type":"T","stacktrace":{"frames":[#]}}]}}]"#,
            #"{"function":"f§"}"#),
        Place("sentry", "root × frames", #"{#,"exception":{"values":[{"type":"T","stacktrace":{"frames":[#]}}]}}"#, #"{"function":"f§"}"#),
        Place("sentry", "root × exceptions", #"{#,"exception":{"values":[#]}}"#, #"{"type":"T§"}"#),
        Place("sentry", "root × threads", #"{#,"threads":{"values":[#]}}"#, #"{"id":§}"#),
        Place("sentry", "root × breadcrumbs", #"{#,"breadcrumbs":{"values":[#]}}"#, #"{"message":"m§"}"#),
        Place("sentry", "root × tags", #"{#,"tags":[#]}"#, #"["t§","v"]"#),
        Place("sentry", "tags × contexts", #"{"tags":{#},"contexts":{#}}"#, #""c§":{"type":"x","a":1}"#),
        Place("sentry", "extra × tags", #"{"extra":{#},"tags":{#}}"#, #""t§":"v""#),
        Place("measurements", "root × events", googleHead + #"#,"events":[#]}"#, #"{"name":"e§"}"#),
        Place("measurements", "user properties × events", googleHead + #""user_properties":{#},"events":[#]}"#, #"{"name":"e§"}"#),
        Place("measurements", "root × user properties", googleHead + #"#,"user_properties":{#},"events":[{"name":"e"}]}"#, #""p§":{"value":"v"}"#),
        Place("messages", "root × tokens", #"{#,"data":{"a":"b"},"tokens":[#]}"#, #""token-§""#, takesUnknownMembers: false),
        Place("firebase", "root × tokens", #"{#,"to":"/topics/news","registration_tokens":[#]}"#, #""token-000§""#),
        Place("applereports", "root × threads", ipsHead + #"{#,"threads":[#]}"#, #"{"id":§,"frames":[]}"#),
        Place(
            "applereports", "root × images", ipsHead + #"{#,"threads":[{"id":0,"frames":[]}],"usedImages":[#]}"#,
            #"{"base":§,"size":16,"uuid":"2d903291-397d-3d14-bfca-52c7fb8c5e00"}"#),
    ]

    // MARK: As many entries as each has parts

    private static let nested: [Grower] = [
        nest("events", "events × params", "[#]", #"{"name":"a","params":{#}}"#, #""p§":1"#),
        nest("events", "events × escaped params", "[#]", #"{"name":"a","params":{#}}"#, #""\u0070§":1"#),
        nest("events", "events × members", "[#]", #"{"name":"a",#}"#, #""p§":1"#),
        nest("events", "events × items", "[#]", #"{"name":"purchase","params":{"items":[#]}}"#, #"{"item_id":"§"}"#),
        nest("events", "items × their members", #"[{"name":"purchase","params":{"items":[#]}}]"#, "{#}", #""p§":1"#),
        nest("users", "users × properties", #"{"users":[#]}"#, #"{"user_id":"u","properties":{#}}"#, #""p§":1"#),
        nest("users", "users × members", #"{"users":[#]}"#, #"{"user_id":"u",#}"#, #""p§":1"#),
        nest("crashes", "crashes × frames", "[#]", #"{"type":"T","frames":[#]}"#, #"{"function":"f§"}"#),
        nest("crashes", "crashes × members", "[#]", #"{"type":"T",#}"#, #""k§":0"#),
        nest("crashes", "crashes × custom keys", "[#]", #"{"type":"T","custom_keys":{#}}"#, #""k§":"v""#),
        nest("crashes", "threads × frames", #"[{"type":"T","threads":[#]}]"#, #"{"frames":[#]}"#, #"{"function":"f§"}"#),
        nest("crashes", "exceptions × frames", #"[{"exceptions":[#]}]"#, #"{"type":"T","frames":[#]}"#, #"{"function":"f§"}"#),
        nest("crashes", "frames × members", #"[{"type":"T","frames":[#]}]"#, #"{"function":"f",#}"#, #""k§":0"#),
        nest("segment", "calls × members", #"F{"batch":[#]}"#, #"{"type":"track","userId":"u","event":"e",#}"#, #""k§":0"#),
        nest("segment", "calls × properties", #"F{"batch":[#]}"#, #"{"type":"track","userId":"u","event":"e","properties":{#}}"#, #""k§":0"#),
        nest("segment", "calls × traits", #"F{"batch":[#]}"#, #"{"type":"identify","userId":"u","traits":{#}}"#, #""k§":0"#),
        nest("segment", "calls × context", #"F{"batch":[#]}"#, #"{"type":"track","userId":"u","event":"e","context":{#}}"#, #""k§":0"#),
        nest(
            "segment", "calls × products", #"F{"batch":[#]}"#,
            #"{"type":"track","userId":"u","event":"Order Completed","properties":{"products":[#]}}"#, #"{"product_id":"§"}"#),
        nest(
            "segment", "products × members", #"F{"batch":[{"type":"track","userId":"u","event":"Order Completed","properties":{"products":[#]}}]}"#,
            "{#}", #""k§":0"#),
        nest("posthog", "events × properties", #"{"batch":[#]}"#, #"{"event":"e","distinct_id":"u","properties":{#}}"#, #""k§":0"#),
        nest("posthog", "events × members", #"{"batch":[#]}"#, #"{"event":"e","distinct_id":"u",#}"#, #""k§":0"#),
        nest("posthog", "events × $set", #"{"batch":[#]}"#, #"{"event":"$set","distinct_id":"u","$set":{#}}"#, #""k§":0"#),
        nest(
            "posthog", "exceptions × frames", #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[#]}}]"#,
            #"{"type":"T","stacktrace":{"frames":[#]}}"#, #"{"function":"f§"}"#),
        nest("sentry", "exceptions × frames", #"{"exception":{"values":[#]}}"#, #"{"type":"T","stacktrace":{"frames":[#]}}"#, #"{"function":"f§"}"#),
        nest("sentry", "threads × frames", #"{"threads":{"values":[#]}}"#, #"{"id":1,"stacktrace":{"frames":[#]}}"#, #"{"function":"f§"}"#),
        nest(
            "sentry", "frames × vars", #"{"exception":{"values":[{"type":"T","stacktrace":{"frames":[#]}}]}}"#, #"{"function":"f","vars":{#}}"#,
            #""k§":"v""#),
        nest("sentry", "contexts × members", #"{"contexts":{"a":[#]}}"#, "{#}", #""k§":0"#),
        nest("sentry", "event items × members", "{}\n#", "{\"type\":\"event\"}\n{\"message\":\"m\",#}", #""k§":0"#, separator: "\n"),
        nest("sentry", "event items × tags", "{}\n#", "{\"type\":\"event\"}\n{\"message\":\"m\",\"tags\":{#}}", #""k§":"v""#, separator: "\n"),
        nest("sentry", "items × members of their headers", "{}\n#", "{\"type\":\"x\",#}\n{}", #""k§":0"#, separator: "\n"),
        nest("measurements", "events × params", googleHead + #""events":[#]}"#, #"{"name":"e","params":{#}}"#, #""k§":0"#),
        nest("firebase", "parts × members", #"{"message":{"topic":"news","apns":{"payload":{"a":[#]}}}}"#, "{#}", #""k§":0"#),
        nest("applereports", "threads × frames", ipsHead + #"{"threads":[#]}"#, #"{"frames":[#]}"#, #"{"imageOffset":§,"imageIndex":0}"#),
    ]

    private static func nest(_ target: String, _ name: String, _ template: String, _ entry: String, _ part: String, separator: String = ",") -> Grower
    {
        Grower(target, name) { n in
            let side = root(of: n)
            let one = String(decoding: filled(entry, repeated(side, part)), as: UTF8.self)
            return filled(template, repeated(side, one, separator: separator))
        }
    }

    // MARK: Lookups in a part that grows as well

    private static let lookups: [Grower] = [
        pair("crashes", "images × frames", #"[{"type":"T","images":[#],"frames":[#]}]"#, image, address),
        pair("crashes", "images × frames of a thread", #"[{"type":"T","images":[#],"threads":[{"frames":[#]}]}]"#, image, address),
        pair("crashes", "images at one address × frames", #"[{"type":"T","images":[#],"frames":[#]}]"#, sameImage, address),
        pair("crashes", "custom keys × breadcrumbs", #"[{"type":"T","custom_keys":{#},"breadcrumbs":[#]}]"#, #""k§":"v""#, #"{"message":"m"}"#),
        pair(
            "sentry", "images × frames", #"{"debug_meta":{"images":[#]},"exception":{"values":[{"type":"T","stacktrace":{"frames":[#]}}]}}"#, image,
            address),
        pair(
            "sentry", "threads × exceptions", #"{"threads":{"values":[#]},"exception":{"values":[#]}}"#, #"{"id":§}"#, #"{"type":"T","thread_id":§}"#),
        pair("sentry", "parameters × formats", ##"{"logentry":{"params":[#],"message":"#"}}"##, #""p""#, "%s,"),
        pair(
            "posthog", "exceptions × properties", #"[{"event":"$exception","distinct_id":"u","properties":{"$exception_list":[#],#}}]"#,
            #"{"type":"T§"}"#, #""k§":0"#),
        pair(
            "applereports", "images × frames",
            ipsHead + #"{"exception":{"type":"T"},"usedImages":[#],"faultingThread":0,"threads":[{"triggered":true,"frames":[#]}]}"#,
            #"{"base":§,"size":16,"uuid":"2d903291-397d-3d14-bfca-52c7fb8c5e00","name":"n§"}"#, #"{"imageOffset":1,"imageIndex":§}"#),
        pair("events", "deep params × events", #"[{"name":"a","params":{"p":#}},#]"#, "[0]", #"{"name":"a"}"#),
        pair(
            "segment", "products × calls", #"F{"batch":[{"type":"track","userId":"u","event":"Order Completed","properties":{"products":[#]}},#]}"#,
            #"{"product_id":"§"}"#,
            #"{"type":"track","userId":"u","event":"e"}"#),
        pair(
            "segment", "broken words × arrays past the limit of depth",
            #"F{"batch":[{"type":"track","userId":"u","event":"e","properties":{"a":[#],"b":[#]}}]}"#, "NaN", "[[]]"),
        pair("posthog", "broken words × events", #"{"a":[#],"batch":[#]}"#, "NaN", #"{"event":"e","distinct_id":"u"}"#),
    ]

    private static let largeAndSmall: [Grower] = [
        large("events", "large line × small lines", "{\"name\":\"a\",\"params\":{#}}\n#", #""k§":0"#, "{\"name\":\"b\"}"),
        large("events", "large broken line × small lines", "{\"name\":\"a\",\"params\":{#}\n#", #""k§":0"#, "{\"name\":\"b\"}"),
        large("events", "large line × broken lines", "{\"name\":\"a\",\"params\":{#}}\n#", #""k§":0"#, "{\"name\":"),
        large("sentry", "large item × small items", "{}\n{\"type\":\"event\"}\n{\"tags\":{#}}\n#", #""k§":"v""#, "{\"type\":\"event\"}\n{}"),
        large(
            "sentry", "large item × broken items", "{}\n{\"type\":\"event\"}\n{\"tags\":{#}}\n#", #""k§":"v""#, "{\"type\":\"event\"}\n{\"a\":NaN}"),
        large("sentry", "large header × items", "{#}\n#", #""k§":0"#, "{\"type\":\"event\"}\n{}"),
        large("sentry", "large trace × items", "{\"trace\":{#}}\n#", #""k§":0"#, "{\"type\":\"event\"}\n{}"),
    ]

    private static func large(_ target: String, _ name: String, _ template: String, _ part: String, _ line: String) -> Grower {
        Grower(target, name) { filled(template, repeated($0, part), repeated($0, line, separator: "\n")) }
    }

    private static let image =
        #"{"type":"elf","debug_id":"2d903291-397d-3d14-bfca-52c7fb8c5e00","image_addr":"0x1§","image_size":1,"code_file":"/a§"}"#
    private static let sameImage =
        #"{"type":"elf","debug_id":"2d903291-397d-3d14-bfca-52c7fb8c5e00","image_addr":"0x10","image_size":9223372036854775807}"#
    private static let address = #"{"instruction_addr":"0x2§"}"#

    private static func pair(_ target: String, _ name: String, _ template: String, _ one: String, _ other: String) -> Grower {
        Grower(target, name) { filled(template, repeated($0, one), repeated($0, other)) }
    }
}
