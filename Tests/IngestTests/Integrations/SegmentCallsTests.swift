// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

private let decoder = SegmentCalls(parser: Given.parser)

private func batch(_ calls: String, _ more: String = "") throws -> IntegrationBatch {
    try decoder.decode(Array(#"{"batch": [\#(calls)]\#(more)}"#.utf8), nil)
}

/// One call of each type, as segment-analytics-python writes it.
private let sample = """
    {"type": "identify", "messageId": "1", "timestamp": "2025-10-09T08:53:20.000+00:00", "userId": "ann", "anonymousId": "phone", "traits": {"tier": "gold"},
     "context": {"library": {"name": "analytics-python"}}, "integrations": {}},
    {"type": "track", "messageId": "2", "timestamp": "2025-10-09T08:53:20.000+00:00", "userId": "ann", "anonymousId": null, "event": "Song Played",
     "properties": {"name": "x", "list": [1, {"a": 2}]}, "context": {"os": {"name": "iOS", "version": "18.1"}, "app": {"version": "2.1", "build": 57},
     "device": {"model": "iPhone17,1"}, "locale": "de-DE", "location": {"country": "DE"}, "sessionId": 1760000000}},
    {"type": "screen", "messageId": "3", "anonymousId": "phone", "name": "Home", "category": "Main", "properties": {"depth": 1}},
    {"type": "page", "messageId": "4", "anonymousId": 77, "name": "Prices", "properties": {"url": "/"}, "context": {"page": {"url": "/"}}},
    {"type": "group", "messageId": "5", "userId": "ann", "groupId": 9, "traits": {"size": 3}},
    {"type": "alias", "messageId": "6", "userId": "ann", "previousId": "tablet"},
    {"type": "track", "messageId": "7", "userId": 42, "event": "Order Completed", "properties": {"order_id": 1001, "total": "27.50", "currency": "USD",
     "products": [{"product_id": "p1", "name": "Mug", "price": 9, "quantity": 2}]}}
    """

struct SegmentCallsTests {
    @Test func `each call is translated`() throws {
        let batch = try batch(sample)
        let events = try Decoded.events(batch)
        #expect(events.told.isEmpty)
        #expect(events.names == ["identify", "Song Played", "screen_view", "page_view", "alias", "purchase"])
        #expect(events.people == ["ann/phone", "ann/", "/phone", "/77", "ann/tablet", "42/"])
        #expect(
            events.text(events.records[1].params) == #"{"name": "x", "list": [1, {"a": 2}]}"#
                && events.text(events.records[1].session) == "1760000000")
        #expect(events.contexts.contains { $0.values.map { events.text($0) } == ["ios", "2.1", "57", "18.1", "iPhone17,1", "de-DE", "DE", ""] })
        #expect(events.contexts.contains { events.text($0.values[0]) == "web" })
        #expect(events.text(events.records[2].params) == #"{"screen_name":"Home","screen_class":"Main","depth": 1}"#)
        #expect(batch.events.origins == [0, 1, 2, 3, 5, 6])
    }

    @Test func `an order is revenue once`() throws {
        let events = try Decoded.events(try batch(sample))
        let order = try #require(events.records.last)
        #expect(order.amount == 27_500_000 && events.text(order.subject) == "1001")
        #expect(events.text(order.params).contains(#""items":[{"item_id":"p1","item_name":"Mug","price":9,"quantity":2}]"#))
    }

    @Test func `traits become properties, and two IDs in one call are linked`() throws {
        let users = try Decoded.users(try batch(sample))
        #expect(users.quarantined.isEmpty && users.updates.map(\.alias) == [true, false, true])
        #expect(users.updates.map { $0.properties.map(\.name) } == [["tier"], ["group", "group_size"], []])
        #expect(users.updates[2].installation == "tablet" && users.updates[2].user == "ann")
    }

    @Test func `shared fields cannot multiply the size of calls`() throws {
        let calls = Array(repeating: #"{"type": "track", "event": "a"}"#, count: 500).joined(separator: ",")
        func context(_ length: Int) -> String { #", "context": {"os": {"version": "\#(String(repeating: "1", count: length))"}}"# }
        #expect(try batch(calls, context(1_000)).events.origins.count == 500)
        #expect(throws: Refusal.self) { try batch(calls, context(100_000)) }
        let persons = Array(repeating: #"{"type": "identify", "userId": "ann"}"#, count: 500).joined(separator: ",")
        #expect(throws: Refusal.self) {
            try batch(persons, #", "context": {"traits": {"about": "\#(String(repeating: "a", count: 100_000))"}}"#)
        }
    }

    @Test func `RudderStack's traits in the context are read`() throws {
        let users = try Decoded.users(try batch(#"{"type": "identify", "userId": "ann", "context": {"traits": {"tier": "gold"}}}"#))
        #expect(users.updates.map { $0.properties.map(\.name) } == [["tier"]])
    }

    @Test func `sentAt corrects the sender's clock`() throws {
        let call = #"{"type": "track", "event": "a", "timestamp": "2025-10-09T10:53:20Z"}"#
        let events = try Decoded.events(try batch(call, #", "sentAt": "2025-10-09T10:53:20.000000+00:00""#))
        #expect(events.records[0].time == Given.received + .seconds(150))
    }

    @Test func `a single call has its type in the path`() throws {
        let body = Array(#"{"writeKey": "k", "event": "a", "userId": "ann", "context": {"os": {"name": "Mac OS X"}}}"#.utf8)
        let events = try Decoded.events(try decoder.decode(body, .track))
        #expect(SegmentKey.find(in: body) == "k" && events.names == ["a"] && events.contexts.contains { events.text($0.values[0]) == "macos" })
    }

    @Test func `an unknown call is quarantined and the rest is stored`() throws {
        let batch = try batch(
            #"{"type": "track", "event": "a"}, {"type": "dance"}, 7, {}, {"type": 3}, {"type": "track"}, {"type": "group", "groupId": "g"}"#)
        #expect(batch.rejected.map(\.verdict.index) == [1, 2, 3, 4] && batch.rejected.allSatisfy { $0.verdict.reason == .missingType })
        #expect(try Decoded.events(batch).told == ["1 missing_name name"])
        #expect(try Decoded.users(batch).quarantined.count == 1)
    }

    @Test func `values outside JSON do not reject the batch`() throws {
        let deep = String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40)
        for value in ["NaN", "-Infinity", "[1, Infinity]", deep, #"{"text": "NaN \" [", "n": NaN}"#] {
            let events = try Decoded.events(
                try batch(#"{"type": "track", "event": "a"}, {"type": "track", "event": "b", "properties": {"x": \#(value)}}"#))
            #expect(events.names == ["a", "b"], "\(value)")
            #expect(events.told == (value == deep ? ["1 bad_value params.x"] : []), "\(value)")
        }
    }

    @Test func `a value beyond the parser's depth is dropped`() throws {
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        let events = try Decoded.events(try batch(#"{"type": "track", "event": "a", "properties": {"x": \#(deep), "y": 1}}"#))
        #expect(events.told == ["0 bad_value params.x"] && events.params == #"{"y":1}"#)
    }

    @Test func `truncated input is rejected`() {
        let body = Array(#"{"batch": [\#(sample)], "sentAt": "2025-10-09T08:53:20Z", "writeKey": "k"}"#.utf8)
        for end in 0..<body.count { #expect(throws: Refusal.self) { try decoder.decode(Array(body.prefix(end)), nil) } }
    }

    @Test func `hostile values never trap and no entry is lost`() throws {
        let places = [
            #""ann""#, #""phone""#, #""1""#, #""identify""#, #""Song Played""#, #"{"tier": "gold"}"#, #"{"depth": 1}"#, #"{"url": "/"}"#, "1001",
            #""27.50""#,
            #""2025-10-09T08:53:20.000+00:00""#, #"{"product_id": "p1", "name": "Mug", "price": 9, "quantity": 2}"#,
            #"{"name": "iOS", "version": "18.1"}"#,
            #""USD""#, "42", "9,", #""Home""#,
        ]
        for place in places {
            for value in Decoded.hostile {
                let batch = try batch(sample.replacing(place, with: place == "9," ? value + "," : value))
                let (events, users) = (try Decoded.events(batch), try Decoded.users(batch))
                let kept =
                    events.records.map { batch.events.origins[Int($0.index)] } + events.quarantined.map { batch.events.origins[$0.verdict.index] }
                let known = users.updates.map { batch.users.origins[$0.index] } + users.quarantined.map { batch.users.origins[$0.verdict.index] }
                #expect(Set(kept + known + batch.rejected.map(\.verdict.index)) == Set(0..<7), "\(place) \(value)")
            }
        }
    }

    @Test func `more than 2,000 calls, and invalid requests, are rejected`() {
        let many = Array(repeating: #"{"type": "track", "event": "a"}"#, count: 2_001).joined(separator: ",")
        for body in [#"{"batch": [\#(many)]}"#, "[]", "7", "{}", #"{"batch": {}}"#] {
            #expect(throws: Refusal.self) { try decoder.decode(Array(body.utf8), nil) }
        }
    }
}
