// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

private let decoder = PostHogEvents(parser: Given.parser)

private func captured(_ body: String, sent: Timestamp? = nil) throws -> PostHogEvents.Captured {
    try decoder.decode(Array(body.utf8), sent: sent, received: Given.received)
}

private func batch(_ events: String) throws -> IntegrationBatch {
    try captured(#"{"api_key": "k", "batch": [\#(events)]}"#).batch
}

/// Events as posthog-python and the app and browser SDKs write them.
private let sample = #"""
    {"event": "plain", "distinct_id": "ann", "uuid": "62cc7c59-edc4-4641-9758-7ef2b78cf555", "timestamp": "2025-10-09T08:53:20.674072+00:00",
     "properties": {"a": 1, "nested": {"b": [2]}, "$set": {"tier": "gold"}, "$os": "Linux", "$os_version": "12", "$lib": "posthog-python", "$is_server": true}},
    {"event": "personless", "distinct_id": "f4d3f81b-36b5-4f05-bfed-bbe861d2a2cf", "properties": {"$process_person_profile": false}},
    {"event": "$set_once", "distinct_id": "ann", "$set_once": {"first": "a"}, "properties": {}},
    {"event": "$create_alias", "distinct_id": "anon-1", "properties": {"distinct_id": "anon-1", "alias": "ann"}},
    {"event": "$groupidentify", "distinct_id": "070e73e2-9548-4382-8364-cb2b86b0dc94", "properties": {"$group_type": "company", "$group_set": {"size": 3}}},
    {"event": "$screen", "distinct_id": "device", "properties": {"$screen_name": "Home", "$is_identified": false, "$os_name": "iPadOS", "$app_build": 57}},
    {"event": "$pageview", "distinct_id": "ann", "properties": {"$device_id": "page", "$pathname": "/prices", "$lib": "web", "$os": "Mac OS X"}, "offset": 5000},
    {"event": "$identify", "distinct_id": "ann", "properties": {"$anon_distinct_id": "device"}, "$set": {"plan": "pro"}, "$set_once": {"from": "ad"}},
    {"event": "$exception", "distinct_id": "ann", "uuid": "aecdcc24-3d23-4268-a9d3-382948190455", "properties": {"$exception_level": "error", "$exception_list": [
      {"type": "ValueError", "value": "outer", "mechanism": {"type": "generic", "handled": true},
       "stacktrace": {"type": "raw", "frames": [{"function": "main", "lineno": 1, "in_app": true}, {"function": "boom", "lineno": 2, "in_app": true}]}},
      {"type": "KeyError", "value": "'k'", "mechanism": {"type": "chained"}}]}},
    {"event": "$unset", "distinct_id": "ann", "properties": {"$unset": ["tier"]}}
    """#

struct PostHogEventsTests {
    @Test func `each event is translated`() throws {
        let batch = try batch(sample)
        let events = try Decoded.events(batch)
        #expect(events.told.isEmpty)
        #expect(events.names == ["plain", "personless", "$create_alias", "$groupidentify", "screen_view", "page_view", "$identify"])
        #expect(events.people == ["ann/", "/", "ann/anon-1", "/", "/device", "ann/page", "ann/device"])
        #expect(events.text(events.records[0].params) == #"{"a": 1, "nested": {"b": [2]},"$lib": "posthog-python"}"#)
        #expect(events.contexts.map { events.text($0.values[0]) }.filter { !$0.isEmpty } == ["linux", "ios", "web"])
        #expect(events.records[5].time == Given.received - .seconds(5))
        #expect(events.records[0].uuid != events.records[1].uuid)
    }

    @Test func `user properties are set, set once, unset, and users linked`() throws {
        let users = try Decoded.users(try batch(sample))
        #expect(users.quarantined.isEmpty)
        #expect(users.updates.map { $0.properties.map(\.name) } == [["tier"], ["first"], [], ["from"], ["plan"], ["tier"]])
        #expect(users.updates.map(\.once) == [false, true, false, true, false, false])
        #expect(users.updates.map(\.alias) == [false, false, true, true, true, false])
        #expect(users.updates.last?.properties == [UserProperty(name: "tier", value: nil)])
    }

    @Test func `an exception becomes a crash, outermost last, oldest frame first`() throws {
        let crashes = try Decoded.crashes(try batch(sample))
        let report = try #require(crashes.crashes.first?.report)
        #expect(crashes.quarantined.isEmpty && report.exceptions.map(\.type) == ["KeyError", "ValueError"])
        #expect(report.exceptions.last?.frames.map(\.function) == ["main", "boom"] && report.kind == .nonfatal)
    }

    @Test(arguments: ["null", "0", "anonymous", "UNDEFINED", "[object Object]", "00000000-0000-0000-0000-000000000000"])
    func `placeholder IDs have no user`(id: String) throws {
        let batch = try batch(
            #"{"event": "a", "distinct_id": "\#(id)"}, {"event": "$create_alias", "properties": {"distinct_id": "\#(id)", "alias": "ann"}}"#)
        #expect(try Decoded.events(batch).people == ["/"])
        #expect(try Decoded.users(batch).quarantined.count == 1)
    }

    @Test func `the time of sending corrects clocks`() throws {
        let event = #"{"event": "a", "timestamp": "2025-10-09T10:53:20Z"}"#
        let ahead = Given.received + .hours(2)
        for body in [
            #"{"sent_at": "2025-10-09T10:53:20.000000+00:00", "batch": [\#(event)]}"#,
            #"{"created_at": "2025-10-01T00:00:00Z", "batch": [\#(event)]}"#,
        ] {
            let sent = body.contains("created_at") ? ahead : nil
            #expect(try Decoded.events(try captured(body, sent: sent).batch).records[0].time == Given.received + .seconds(150))
        }
        #expect(
            try Decoded.events(try captured(#"[{"event": "a", "offset": 1000}]"#, sent: ahead).batch).records[0].time == Given.received
                + .seconds(149))
    }

    @Test func `the key is found in each of its places`() throws {
        for body in [
            #"{"api_key": "k", "batch": []}"#, #"{"token": "k", "event": "a"}"#, #"[{"event": "a", "properties": {"token": "k"}}]"#,
            #"{"event": "a", "properties": {"token": "k"}}"#, #"[{"event": "a"}, {"event": "b", "api_key": "k"}]"#,
        ] { #expect(PostHogKey.find(in: Array(body.utf8)) == "k", "\(body)") }
        #expect(PostHogKey.find(in: Array(#"{"api_key": 7, "event": "a"}"#.utf8)) == nil)
    }

    @Test func `values outside JSON do not reject the other events`() throws {
        let events = try Decoded.events(try batch(#"{"event": "a"}, {"event": "b", "properties": {"x": NaN, "y": [-Infinity]}}, {"event": 7}, 8"#))
        #expect(events.names == ["a", "b"] && events.told == ["2 bad_event_name name", "3 missing_name name"])
    }

    @Test func `truncated input is rejected`() {
        let body = Array(#"{"batch": [\#(sample)], "api_key": "k"}"#.utf8)
        for end in 0..<body.count { #expect(throws: Refusal.self) { try captured(String(decoding: body.prefix(end), as: UTF8.self)) } }
    }

    @Test func `hostile values never trap and no entry is lost`() throws {
        let places = [
            #""ann""#, #""plain""#, #""62cc7c59-edc4-4641-9758-7ef2b78cf555""#, #""2025-10-09T08:53:20.674072+00:00""#, #"{"tier": "gold"}"#,
            #"{"first": "a"}"#,
            #""anon-1""#, #""Home""#, "false", #""iPadOS""#, "5000", #""device""#, #"["tier"]"#, #"{"b": [2]}"#, #""error""#,
            #"{"type": "generic", "handled": true}"#,
            #"{"$process_person_profile": false}"#, #""ValueError""#, #"{"function": "main", "lineno": 1, "in_app": true}"#,
        ]
        for place in places {
            for value in Decoded.hostile {
                let batch = try batch(sample.replacing(place, with: value))
                let (events, users, crashes) = (try Decoded.events(batch), try Decoded.users(batch), try Decoded.crashes(batch))
                let kept = (events.records.map { Int($0.index) } + events.quarantined.map(\.verdict.index)).map { batch.events.origins[$0] }
                let known = (users.updates.map(\.index) + users.quarantined.map(\.verdict.index)).map { batch.users.origins[$0] }
                let crashed = (crashes.crashes.map(\.index) + crashes.quarantined.map(\.verdict.index)).map { batch.crashes.origins[$0] }
                #expect(Set(kept + known + crashed) == Set(0..<10), "\(place) \(value)")
            }
        }
    }

    @Test func `entries are split into bodies within the limit`() throws {
        let many = (0..<250).map { #"{"event": "$set", "distinct_id": "u\#($0)", "$set": {"n": 1}, "$set_once": {"m": 1}}"# }.joined(separator: ",")
        let bodies = try batch(many).users.bodies(sentAt: nil, entries: 200)
        #expect(bodies.map(\.origins.count) == [200, 200, 100] && bodies[2].origins.first == 200)
        let users = try NativeUsers(parser: Given.parser).decode(bodies[2].body, app: Given.app(), received: Given.received, hash: Given.hash)
        #expect(users.updates.first?.user == "u200" && users.updates.count == 100)
    }
}
