// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import EventStore
@testable import ingestd

/// Order numbers of clients and of servers, over HTTP.
@Suite struct TrustedPurchaseTests {
    private static let evening = Day(year: 2026, month: 11, day: 21).start - .seconds(1)

    private static let range = "from=2026-11-19T00:00:00Z&to=2026-11-24T00:00:00Z"

    private static func purchase(_ id: String, by person: String, _ transaction: String = "T", value: String, name: String = "purchase") -> String {
        #"[{"id": "\#(id)", "name": "\#(name)", \#(person), "params": {"transaction_id": "\#(transaction)", "value": \#(value), "currency": "EUR"}}]"#
    }

    private static let (ann, bob, phone) = (#""user_id": "ann""#, #""user_id": "bob""#, #""installation_id": "phone""#)

    private static func result(_ live: LiveDaemon, _ key: String, _ body: String) async throws -> String {
        let answer = try await live.api.post("/v1/events", key: key, body)
        let taken = try Taken(answer)
        return taken.accepted > 0 ? "accepted" : try JSON(answer)["results"][0]["code"].text
    }

    private static func gross(_ live: LiveDaemon, _ keys: AppKeys, _ filter: String = "") async throws -> String {
        let answer = try await live.api.get("/v1/query/revenue?\(range)\(filter)", key: keys.read)
        return try JSON(answer)["currencies"].items.map(\.["gross"].text).joined(separator: " ")
    }

    /// The exported events as "ID flags".
    private static func exported(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [String] {
        let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n")
        return try lines.map { line in
            let event = try JSON(Array(line.utf8))
            return ([event["id"].text] + event["flags"].items.map(\.text)).joined(separator: " ")
        }
    }

    @Test func `an order number counts once per user for ingest keys`() async throws {
        try await withDaemon(clock: ManualClock(Self.evening).clock) { live in
            let keys = try await live.api.makeApp()
            var results: [String] = []
            for (place, person) in [Self.ann, Self.bob, Self.ann, Self.phone, Self.phone, #""user_id": "ann", "installation_id": "phone""#]
                .enumerated()
            {
                results.append(try await Self.result(live, keys.ingest, Self.purchase("\(place)", by: person, value: "0")))
            }
            #expect(results == ["accepted", "accepted", "transaction_duplicate", "accepted", "transaction_duplicate", "transaction_duplicate"])
        }
    }

    @Test func `a server's purchase replaces those of a day whose keys could not be written when it ended`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(Self.evening))
        try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try await Self.result(live, keys.ingest, Self.purchase("a", by: Self.ann, value: "5")) == "accepted")
            // Folders have the names of the file with the transactions.
            let paths = live.daemon.store.paths
            let runs = (1...4).map { paths.run(of: Day(of: Self.evening), .transactions, rows: 1...$0) }
            for run in runs { try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: false) }
            clock.advance(by: .seconds(60))
            let rejected = try await live.api.post("/v1/events", key: keys.admin, Self.purchase("b", by: Self.ann, value: "9"))
            #expect(rejected.status == 503, "\(rejected.text)")
            for run in runs { try FileManager.default.removeItem(atPath: run) }
            #expect(try await Self.result(live, keys.admin, Self.purchase("b", by: Self.ann, value: "9")) == "accepted")
            #expect(try await Self.gross(live, keys) == "9")
        }
    }

    @Test func `a server's purchase replaces those of clients, across midnight and a restart`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(Self.evening))
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try await Self.result(live, keys.ingest, Self.purchase("a", by: Self.ann, value: "5")) == "accepted")
            #expect(try await Self.result(live, keys.ingest, Self.purchase("b", by: Self.bob, value: "0", name: "in_app_purchase")) == "accepted")
            #expect(try await Self.gross(live, keys) == "5")
            clock.advance(by: .hours(1))
            return keys
        }
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            #expect(try await Self.result(live, keys.ingest, Self.purchase("c", by: Self.phone, value: "1")) == "accepted")
            #expect(try await Self.gross(live, keys) == "6")
            #expect(try await Self.result(live, keys.send, Self.purchase("s", by: Self.ann, value: "9")) == "accepted")
            #expect(try await Self.result(live, keys.admin, Self.purchase("t", by: Self.bob, value: "9")) == "transaction_duplicate")
            #expect(try await Self.result(live, keys.ingest, Self.purchase("d", by: #""user_id": "cyd""#, value: "1")) == "transaction_duplicate")
            #expect(try await Self.result(live, keys.send, Self.purchase("r", by: Self.ann, value: "2", name: "refund")) == "accepted")
            try await Self.expectReplaced(live, keys)
        }
        try await withDaemon(in: folder, clock: clock.clock) { live in try await Self.expectReplaced(live, keys) }
    }

    private static func expectReplaced(_ live: LiveDaemon, _ keys: AppKeys) async throws {
        for filter in ["", "&filter=name!=a"] { #expect(try await gross(live, keys, filter) == "9") }
        #expect(try await exported(live, keys) == ["a withdrawn", "b withdrawn", "c withdrawn", "s trusted", "r trusted"])
        let csv = try await live.api.get("/v1/export?format=csv", key: keys.read).text.split(separator: "\r\n")
        #expect(
            csv.map { String($0.split(separator: ",", omittingEmptySubsequences: false).last ?? "") } == [
                "flags", "withdrawn", "withdrawn", "withdrawn", "trusted", "trusted",
            ])
        let timeline = try JSON(await live.api.get("/v1/users/bob", key: keys.read))["items"].items
        #expect(timeline.map { $0["flags"].items.map(\.text) } == [["withdrawn"]])
        let top = try JSON(await live.api.get("/v1/query/top?field=name&\(range)", key: keys.read))["items"].items
        #expect(top.map(\.["name"].text) == ["purchase", "refund"])
        let users = try JSON(await live.api.get("/v1/query/series?metric=users&\(range)", key: keys.read))["series"][0]
        #expect(users["total"].number == 3)
        let metrics = try await live.api.get("/metrics").text
        #expect(metrics.contains("signalbox_events_accepted_total"))
    }

    @Test func `purchases of one request withdraw each other in its order`() async throws {
        try await withDaemon(clock: ManualClock(Self.evening).clock) { live in
            let keys = try await live.api.makeApp()
            async let client = Self.result(live, keys.ingest, Self.purchase("a", by: Self.ann, value: "5"))
            #expect(try await client == "accepted")
            let two = Self.purchase("s", by: Self.ann, value: "9").dropLast() + "," + Self.purchase("t", by: Self.bob, value: "7").dropFirst()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.send, String(two))) == Taken(accepted: 1, duplicates: 1))
            #expect(try await Self.gross(live, keys) == "9")
            #expect(try await live.api.get("/metrics").text.contains("signalbox_purchases_withdrawn_total 1"))
        }
    }

    @Test func `a send key may report purchases and refunds only`() async throws {
        try await withDaemon(clock: ManualClock(Self.evening).clock) { live in
            let keys = try await live.api.makeApp()
            let body =
                #"[{"name": "login"}, {"name": "refund", "params": {"value": 1, "currency": "EUR"}}, {"name": "app_error"}, {"name": "bad name"}]"#
            let answer = try await live.api.post("/v1/events", key: keys.send, body)
            #expect(try Taken(answer) == Taken(accepted: 1, quarantined: 3))
            #expect(try JSON(answer)["results"].items.map(\.["code"].text) == ["forbidden_event", "forbidden_event", "bad_event_name"])
            // A replay by an admin does not lift the rule.
            let replay = try JSON(await live.api.post("/v1/quarantine/replay", key: keys.admin, ""))
            #expect(replay["accepted"].number == 0 && replay["quarantined"].number == 3)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.admin, #"[{"name": "login"}]"#)) == Taken(accepted: 1))
            // Other intake routes stay closed, and so do the query and pages of other origins.
            for target in ["/v1/debug/events", "/v1/users", "/v1/crashes"] {
                #expect(try await live.api.post(target, key: keys.send, "[]").status == 403)
            }
            #expect(try await live.api.post("/v1/events", key: keys.read, body).status == 403)
            #expect(try await live.api.post("/v1/events?key=\(keys.send)", body).status == 403)
            #expect(try await live.api.post("/v1/events", key: keys.send, headers: ["Origin": "https://shop.example"], body).status == 403)
        }
    }

    @Test func `a quarantined purchase of a client stays one of a client when it is replayed`() async throws {
        try await withDaemon(clock: ManualClock(Self.evening).clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"event_names": 1}"#.utf8)).status == 200)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "first"}]"#)) == Taken(accepted: 1))
            #expect(try await Self.result(live, keys.ingest, Self.purchase("a", by: Self.ann, "A", value: "5")) == "too_many_event_names")
            #expect(try await Self.result(live, keys.send, Self.purchase("s", by: Self.ann, "S", value: "9")) == "too_many_event_names")
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"event_names": 500}"#.utf8)).status == 200)
            let replay = try JSON(await live.api.post("/v1/quarantine/replay", key: keys.admin, ""))
            #expect(replay["accepted"].number == 2)
            #expect(Set(try await Self.exported(live, keys)).isSuperset(of: ["a", "s trusted"]))
        }
    }
}
