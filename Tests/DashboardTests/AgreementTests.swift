// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

/// The totals of a range are the same on the screen, in JSON and in CSV.
struct AgreementTests {
    /// Events of the last minutes, and many just before the range of a quarter of an hour.
    private static func sample(_ now: Timestamp) -> String {
        var events: [String] = []
        func add(_ count: Int, _ name: String, _ params: String = "{}", minutesAgo: Int64 = 2) {
            let time = (now - .minutes(minutesAgo)).rfc3339
            events += Array(
                repeating: #"{"name": "\#(name)", "timestamp": "\#(time)", "installation_id": "i", "params": \#(params)}"#, count: count)
        }
        for minute in Int64(16)...45 {
            add(3, "cart", minutesAgo: minute)
            add(2, "screen_view", #"{"screen_name": "Home"}"#, minutesAgo: minute)
            add(1, "purchase", #"{"value": 100, "currency": "EUR"}"#, minutesAgo: minute)
        }
        add(6, "cart")
        add(4, "login")
        add(3, "screen_view", #"{"screen_name": "Home"}"#)
        add(2, "screen_view", #"{"screen_name": "x|y\\z"}"#, minutesAgo: 1)
        add(2, "purchase", #"{"value": 10.25, "currency": "EUR"}"#)
        return "[\(events.joined(separator: ","))]"
    }

    private static func running() async throws -> DevelopmentDaemon {
        let running = try await DevelopmentDaemon()
        try await running.take(sample(WallClock.system.now()))
        return running
    }

    private static func json(_ running: DevelopmentDaemon, _ pane: String) async throws -> JSONValue {
        try JSONValue(Array(try await running.run([pane, "--json", "--since", "15m"]).output.utf8))
    }

    private static func csv(_ running: DevelopmentDaemon, _ pane: String) async throws -> [String] {
        try await running.run([pane, "--csv", "--since", "15m"]).output.split(separator: "\r\n").map(String.init)
    }

    private static func plain(_ running: DevelopmentDaemon, _ pane: [String]) async throws -> String {
        try await running.run(pane + ["--plain", "--since", "15m"]).output
    }

    private static func items(_ result: JSONValue?) -> [String: String] {
        let items = result?["items"]?.elements ?? []
        return Dictionary(items.map { ($0.text("name"), $0.text("value")) }, uniquingKeysWith: { $1 })
    }

    @Test func `totals of events agree`() async throws {
        let running = try await Self.running()
        let json = try await Self.json(running, "events")
        let series = try #require(json["event_series"]?["series"]?.elements.first)
        let points = series["points"]?.elements.compactMap { Int($0.text("value")) } ?? []
        #expect(series.text("total") == "17" && points.reduce(0, +) == 17)
        #expect(Self.items(json["event_names"]) == ["cart": "6", "screen_view": "5", "login": "4", "purchase": "2"])
        let csv = try await Self.csv(running, "events")
        #expect(csv.last == "total,17" && csv.dropFirst().dropLast().compactMap { Int($0.split(separator: ",")[1]) }.reduce(0, +) == 17, "\(csv)")
        let plain = try await Self.plain(running, ["events"])
        #expect(plain.contains("total 17") && plain.contains("login"), "\(plain)")
    }

    @Test func `totals of screens agree, also of names with a bar or a backslash`() async throws {
        let running = try await Self.running()
        let json = try await Self.json(running, "screens")
        #expect(Self.items(json["screens"]) == ["Home": "3", "x|y\\z": "2"])
        let series = json["screen_series"]?["series"]?.elements ?? []
        #expect(series.map { $0.text("name") + " " + $0.text("total") } == ["Home 3", "x|y\\z 2"])
        #expect(try await Self.csv(running, "screens") == ["screen,views,people", "Home,3,1", "x|y\\z,2,1"])
        let plain = try await Self.plain(running, ["screens"])
        #expect(plain.contains("total 3"), "\(plain)")
    }

    @Test func `totals of revenue agree`() async throws {
        let running = try await Self.running()
        let json = try await Self.json(running, "revenue")
        let euro = try #require(json["revenue"]?["currencies"]?.elements.first)
        #expect(euro.text("net") == "20.5" && euro.text("purchase_count") == "2")
        let parts = json["revenue_parts"]?["items"]?.elements ?? []
        #expect(parts.map { $0.text("value") } == ["20.5"] && parts.map { $0.text("currency") } == ["EUR"], "\(parts)")
        let csv = try await Self.csv(running, "revenue")
        #expect(csv.count == 2 && csv[1].contains(",20.5,"), "\(csv)")
        #expect(try await Self.plain(running, ["revenue"]).contains("20.5"))
    }
}
