// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Data that fills every store of a folder: events of six days in two apps, users, quarantined events, crashes, devices and messages.
///
/// The same seed sends the same requests, so each release can create a folder that later releases must answer in the same way.
struct ReleaseContents {
    /// The first moment of the manual clock; the folder is closed six days later.
    static let start = Day(year: 2026, month: 11, day: 16).start + .hours(9)
    static let end = start + .days(5) + .hours(4)

    let live: LiveDaemon
    let clock: ManualClock
    private var random = SeededGenerator(11)

    init(live: LiveDaemon, clock: ManualClock) {
        self.live = live
        self.clock = clock
    }

    /// Fills the folder and returns the keys of its two apps.
    mutating func fill() async throws -> [AppKeys] {
        let apps = [try await live.api.makeApp("shop"), try await live.api.makeApp("blog")]
        for day in 0..<6 {
            if day > 0 { clock.set(Self.start + .days(Int64(day))) }
            for (number, keys) in apps.enumerated() {
                try await postEvents(number == 0 ? 120 : 15, keys, day)
                try await postUsers(keys, day)
                try await postCrashes(keys, day)
            }
        }
        clock.set(Self.end)
        try await messages(apps[0])
        return apps
    }

    private mutating func postEvents(_ count: Int, _ keys: AppKeys, _ day: Int) async throws {
        let events = (0..<count).map { event(number: day * 1_000 + $0) }
        let refused = #"{"name": "9 is no name", "user_id": "person_1"}"#
        let reply = try await live.api.post(
            "/v1/events?context.platform=ios&context.app_version=1.\(day)", key: keys.ingest, "[\((events + [refused]).joined(separator: ","))]")
        #expect(reply.status == 200, "\(reply.text)")
    }

    private mutating func event(number: Int) -> String {
        let person = Int.random(in: 0..<12, using: &random)
        let age = Int64.random(in: 0..<Timestamp.Span.hours(8).milliseconds, using: &random)
        let who =
            person % 4 == 0 ? #""installation_id": "phone_\#(person)""# : #""user_id": "person_\#(person)", "installation_id": "phone_\#(person)""#
        let what =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: #""name": "purchase", "params": {"value": \#(number % 90).5, "currency": "EUR", "transaction_id": "t\#(number)"}"#
            case 1, 2: #""name": "screen_view", "params": {"screen_name": "Screen \#(number % 5)"}"#
            case 3: #""name": "sign_up", "params": {"method": "mail", "step": \#(number % 7)}"#
            default: #""name": "tap", "params": {"button": "b\#(number % 9)", "ok": true, "ratio": 0.25}"#
            }
        return
            #"{"id": "e\#(number)", "timestamp": "\#((clock.now - .init(milliseconds: age)).rfc3339)", "session_id": "s\#(person)", \#(who), \#(what)}"#
    }

    private func postUsers(_ keys: AppKeys, _ day: Int) async throws {
        let reply = try await live.api.post(
            "/v1/users", key: keys.ingest,
            #"{"users": [{"user_id": "person_1", "properties": {"plan": "p\#(day)", "visits": \#(day)}}, {"user_id": "person_\#(day + 2)", "properties": {"city": "Zürich"}}]}"#
        )
        #expect(reply.status == 200, "\(reply.text)")
    }

    private func postCrashes(_ keys: AppKeys, _ day: Int) async throws {
        let crashes = ["Cart.pay()", "Feed.load()", "Cart.pay()"].enumerated().map { number, function in
            SentCrash("c\(day)\(number)", in: function).from("person_\(number + day)").with("release", "1.\(day)")
                .with("timestamp", (clock.now - .hours(1)).rfc3339).json
        }
        let reply = try await live.api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(crashes.joined(separator: ","))]}"#)
        #expect(reply.status == 200, "\(reply.text)")
    }

    private func messages(_ keys: AppKeys) async throws {
        var tokens: [String] = []
        for platform in ["ios", "android", "web"] {
            let made = try await live.api.post(
                "/v1/devices", key: keys.send, #"{"platform": "\#(platform)", "endpoint": {"type": "stream"}, "user_id": "person_2"}"#)
            tokens.append(try JSON(made)["token"].text)
            let joined = try await live.api.request("PUT", "/v1/topics/news/subscribers/\(tokens.last ?? "")", key: keys.send)
            #expect((200..<300).contains(joined.status), "\(joined.text)")
        }
        for body in [#"{"topic": "news", "data": {"title": "All"}}"#, #"{"token": "\#(tokens[0])", "data": {"title": "One"}}"#] {
            let id = try JSON(await live.api.post("/v1/messages", key: keys.send, body))["id"].text
            _ = try await MessagingWorld.deliveries(live.api, keys, of: id)
        }
    }
}
