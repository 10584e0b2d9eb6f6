// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform
import Testing

private let decoder = GoogleMeasurements(parser: Given.parser)
private let instance = "0123456789abcdef0123456789ABCDEF"
private let stream = [(name: "firebase_app_id", value: "1:1234:ios:abcd")]

private func validated(_ body: String, _ query: [(name: String, value: String)] = stream) throws -> (Measurement, EventSubmission, UserSubmission) {
    let measurement = try decoder.decode(Array(body.utf8), query: query)
    let batch = measurement.batch
    let rules = EventSubmission.Source.server.rules(Given.app().settings)
    let users = try NativeUsers(parser: Given.parser).decode(
        batch.users.body(sentAt: nil), app: Given.app(), rules: rules, received: Given.received, hash: Given.hash)
    return (measurement, try events(batch), users)
}

private func events(_ batch: IntegrationBatch) throws -> EventSubmission {
    try Given.decoder.decode(
        batch.events.tape(), sentAt: nil, app: Given.app(), source: .server, received: Given.received, hash: Given.hash)
}

private func messages(_ body: String, _ query: [(name: String, value: String)] = stream) throws -> [String] {
    let (measurement, events, users) = try validated(body, query)
    return measurement.messages(events, users).map { "\($0.path) \($0.code.rawValue)" }
}

/// A request of one event.
private func one(_ event: String, _ more: String = "") -> String {
    #"{"app_instance_id": "\#(instance)", \#(more)"events": [\#(event)]}"#
}

struct GoogleMeasurementsTests {
    @Test func `an ID copied to each property cannot multiply the request's size`() throws {
        func request(_ length: Int) -> String {
            let properties = (0..<500).map { #""p\#($0)": {"value": 1, "timestamp_micros": 1759999990000000}"# }.joined(separator: ",")
            let instance = String(repeating: "a", count: length)
            return #"{"app_instance_id": "\#(instance)", "user_properties": {\#(properties)}, "events": []}"#
        }
        #expect(try decoder.decode(Array(request(1_000).utf8), query: stream).batch.users.origins.count == 500)
        #expect(throws: Refusal.self) { try decoder.decode(Array(request(60_000).utf8), query: stream) }
    }

    @Test func `user, session, time and context are read from all their places`() throws {
        let (_, taken, users) = try validated(
            """
            {"app_instance_id": "\(instance)", "user_id": "ann", "timestamp_micros": "1759999990000000",
             "device": {"operating_system_version": "18.1", "model": "iPhone17,1", "language": "de"}, "user_location": {"country_id": "DE"},
             "user_properties": {"plan": {"value": "gold"}, "tier": {"value": "a", "timestamp_micros": 1759999980000000}},
             "events": [{"name": "a", "params": {"session_id": 77, "engagement_time_msec": 1, "timestamp_micros": 1759999991000000}},
                        {"name": "b", "timestamp_micros": 1759999992000000, "params": {"session_id": "s"}},
                        {"name": "in_app_purchase", "items": [{"item_id": "x"}], "params": {"value": 1.5, "currency": "EUR"}}]}
            """)
        #expect(taken.told.isEmpty && taken.records.map { taken.text($0.name) } == ["a", "b", "in_app_purchase"])
        #expect(taken.records.map(\.time.milliseconds) == [1_759_999_991_000, 1_759_999_992_000, 1_759_999_990_000])
        #expect(taken.records.map { taken.text($0.session) } == ["77", "s", ""])
        #expect(taken.records.allSatisfy { taken.text($0.user) == "ann" && taken.text($0.installation) == instance })
        #expect(taken.params == #"{"engagement_time_msec": 1}"# && taken.text(taken.records[2].params).contains(#""items":[{"#))
        #expect(taken.contexts.contains { $0.values.map { taken.text($0) } == ["ios", "", "", "18.1", "iPhone17,1", "de", "DE", ""] })
        #expect(users.updates.count == 2 && users.updates.map(\.time.milliseconds) == [1_759_999_990_000, 1_759_999_980_000])
    }

    @Test(arguments: [
        (one(#"{"name": "_bad"}"#), ["events[0].name NAME_INVALID"]), (one(#"{"name": "session_start"}"#), ["events[0].name NAME_RESERVED"]),
        (one(#"{}"#), ["events[0].name VALUE_REQUIRED"]), (one(#"{"name": 7}"#), ["events[0].name NAME_INVALID"]),
        (one(#"{"name": "a", "params": {"1x": 1}}"#), ["events[0].params.1x NAME_INVALID"]),
        (one(#"{"name": "a", "params": {"x": 1, "x": 2}}"#), ["events[0].params.x NAME_DUPLICATED"]),
        (one(#"{"name": "a", "params": {"x": [1]}}"#), []), (one(#"{"name": "purchase"}"#), []), (one(#"{"name": "a"}"#), []),
        (one(#"{"name": "a"}"#, #""user_properties": {"user_id": {"value": 1}}, "#), ["user_properties.properties.user_id NAME_RESERVED"]),
        (#"{"events": [{"name": "a"}]}"#, ["app_instance_id VALUE_REQUIRED"]),
        (#"{"app_instance_id": "short", "events": []}"#, ["app_instance_id VALUE_INVALID", "events VALUE_REQUIRED"]),
    ])
    func `the messages of Google's validation server`(body: String, found: [String]) throws {
        #expect(try messages(body) == found, "\(body)")
    }

    @Test(arguments: [
        (#"{"name": "a", "params": {"x": [1]}}"#, "events[0].params.x VALUE_INVALID"),
        (#"{"name": "a", "params": {"x": "\#(String(repeating: "é", count: 101))"}}"#, "events[0].params.x VALUE_OUT_OF_BOUNDS"),
        (#"{"name": "search"}"#, "events[0].params.search_term VALUE_REQUIRED"),
        (#"{"name": "a", "params": {"value": 1}}"#, "events[0].params.currency VALUE_REQUIRED"),
        (#"{"name": "a", "params": {"items": [{"item_id": "x"}, {}]}}"#, "events[0].params.items[1] VALUE_REQUIRED"),
        (#"{"name": "a", "timestamp_micros": 1759700000000000}"#, "events[0].timestamp_micros VALUE_OUT_OF_BOUNDS"),
    ])
    func `recommendations are checked if enforced, in both spellings`(event: String, found: String) throws {
        #expect(try messages(one(event)).isEmpty)
        for spelling in ["validation_behavior", "validationBehavior"] {
            let body = one(event, #""\#(spelling)": "ENFORCE_RECOMMENDATIONS", "#)
            #expect(try messages(body) == [found])
            let (measurement, validated, _) = try validated(body)
            let batch = measurement.batch.rejecting(measurement.rejected(validated))
            #expect(batch.events.isEmpty && batch.rejected.count == 1)
            let kept = try #require(batch.quarantine(of: Given.app().id, received: Given.received, source: .server))
            #expect(String(decoding: kept.bytes(kept.quarantined[0].raw), as: UTF8.self).hasPrefix(#"{"name":"#))
        }
    }

    @Test func `more than 25 parameters or user properties are reported`() throws {
        func fields(_ count: Int, _ value: String) -> String { (0..<count).map { #""n\#($0)": \#(value)"# }.joined(separator: ",") }
        for (count, found) in [(25, []), (26, ["EXCEEDED_MAX_ENTITIES"])] {
            let events = try messages(one(#"{"name": "a", "params": {\#(fields(count, "1"))}}"#))
            #expect(events.map { String($0.split(separator: " ")[1]) } == found, "\(events)")
            let users = try messages(one(#"{"name": "a"}"#, #""user_properties": {\#(fields(count, #"{"value": 1}"#))}, "#))
            #expect(users.map { String($0.split(separator: " ")[1]) } == found, "\(users)")
        }
    }

    @Test(arguments: [
        "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_background", "app_clear_data", "app_exception",
        "app_install", "app_remove", "app_store_refund", "app_store_subscription_cancel", "app_store_subscription_convert",
        "app_store_subscription_renew", "app_update", "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open",
        "error", "firebase_campaign", "first_open", "first_visit", "notification_dismiss", "notification_foreground", "notification_open",
        "notification_receive", "notification_send", "os_update", "session_start", "user_engagement", "ga_x", "google_x", "_x",
    ])
    func `a server cannot send events that only a device observes`(_ name: String) throws {
        let found = try messages(one(#"{"name": "\#(name)"}"#))
        #expect(found == ["events[0].name NAME_\(name == "_x" ? "INVALID" : "RESERVED")"])
    }

    @Test(arguments: ["ad_impression", "in_app_purchase", "screen_view", "level_up"])
    func `a server may report the other events`(_ name: String) throws {
        #expect(try messages(one(#"{"name": "\#(name)"}"#)).isEmpty)
    }

    @Test func `a missing stream is reported`() throws {
        #expect(try messages(one(#"{"name": "a"}"#), []) == ["firebase_app_id VALUE_REQUIRED"])
    }

    @Test func `more than 25 events, and invalid requests, are rejected`() throws {
        let events = Array(repeating: #"{"name": "a"}"#, count: 26).joined(separator: ",")
        for body in [one(events), "[]", "7", #"{"events": {}}"#, "{", ""] {
            #expect(throws: Refusal.self) { try decoder.decode(Array(body.utf8), query: stream) }
        }
    }

    @Test func `truncated input is rejected, and hostile values never trap`() throws {
        let body = one(
            #"{"name": "purchase", "timestamp_micros": "1759999990000000", "params": {"session_id": "77", "value": 1, "items": [{"item_id": "é\ud83d"}]}}"#,
            #""user_properties": {"plan": {"value": "gold"}}, "device": {"model": "x"}, "#)
        for end in 0..<body.utf8.count {
            #expect(throws: Refusal.self) { try decoder.decode(Array(body.utf8.prefix(end)), query: stream) }
        }
        let values = ["null", "true", "-1", "1e999", "18446744073709551616", #""""#, #""\ud800""#, "[]", "[[]]", "{}", #"{"a":{"a":1}}"#]
        let places = [
            "\"\(instance)\"", "\"purchase\"", "\"1759999990000000\"", "\"77\"", "[{\"item_id\": \"é\\ud83d\"}]", "{\"value\": \"gold\"}",
            "{\"model\": \"x\"}",
        ]
        for place in places {
            for value in values { _ = try messages(body.replacing(place, with: value)) }
        }
    }
}
