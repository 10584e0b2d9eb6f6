// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore
@testable import ingestd

@Suite struct ErasureTests {
    private static let target = "/v1/users/\(PersonWorld.user)"
    private static let kept = ["events", "purchases", "quarantined", "properties", "pairs", "days", "installations"]

    private static func erase(_ world: PersonWorld, _ query: String = "") async throws -> JSON {
        let answer = try await world.live.api.request("DELETE", target + query, key: world.everybody.admin)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(answer)
    }

    private static func set(_ limit: String, to length: Int, _ world: PersonWorld) async throws {
        let body = Array(#"{"\#(limit)": \#(length)}"#.utf8)
        #expect(try await world.live.api.request("PATCH", "/v1/app", key: world.everybody.admin, body: body).status == 200)
    }

    private static func rows(_ world: PersonWorld, _ keys: AppKeys) async throws -> [UInt8] {
        try await world.live.api.get("/v1/export", key: keys.read).body
    }

    @Test func `after an erasure all counts are as if the person had never existed`() async throws {
        try await PersonWorld.run { world in
            _ = try await world.figures(of: world.everybody)
            let counted = try await Self.erase(world, "?dry_run=true")
            let report = try await Self.erase(world)
            #expect(Self.kept.map { report[$0].number } == Self.kept.map { counted[$0].number })
            #expect(Self.kept.map { report[$0].number } == [3 * 75, 3 * 24, 6, 2, 1, 3, 1])
            #expect(!report["dry_run"].bool && !report["blocked"].bool)
            let (figures, expected) = (try await world.figures(of: world.everybody), try await world.figures(of: world.others))
            for (query, answer) in expected { #expect(figures[query] == answer, "\(query)") }
            #expect(try Recount(of: world.live.folder, isAfterErasure: true).problems == [])
            #expect(try await world.live.api.get(Self.target, key: world.everybody.read).status == 404)
            let refused = try JSON(await world.live.api.get("/v1/quarantine", key: world.everybody.read))
            #expect(refused["items"].items.count == 1 && refused["counts"].items.map(\.["kept"].number) == [1])
        }
    }

    @Test func `an erasure removes the person's bytes from files and WALs`() async throws {
        let folder = TemporaryFolder()
        try await PersonWorld.run(in: folder) { world in
            #expect(try world.filesNamingAlice().count >= 4)
            _ = try await Self.erase(world)
            #expect(try world.filesNamingAlice() == [])
        }
        // The start does not restore them.
        try await withStore(in: folder) { store in
            try await store.events.finishDays()
            let main = try Connection(store.paths.main, .read)
            #expect(try main.statement("SELECT count(*) FROM people WHERE id LIKE '%secret%'").first { $0.int(0) } == 0)
        }
    }

    @Test func `an erasure removes replaced property values from the files`() async throws {
        try await PersonWorld.run { world in
            try await Self.set("user_property_value_length", to: 8_192, world)
            for value in [String(repeating: PersonWorld.word, count: 700), "short"] {
                let properties = (1...5).map { #""story_\#($0)": "\#(value)""# }.joined(separator: ", ")
                let entry = #"{"user_id": "\#(PersonWorld.user)", "properties": {\#(properties)}}"#
                #expect(try Taken(await world.live.api.post("/v1/users", key: world.everybody.ingest, #"{"users": [\#(entry)]}"#)).accepted == 1)
                world.clock.advance(by: .seconds(1))
            }
            _ = try await Self.erase(world)
            #expect(try world.filesNamingAlice() == [])
        }
    }

    @Test func `an erasure removes the pages of a replayed event`() async throws {
        try await PersonWorld.run { world in
            let api = world.live.api
            try await Self.set("name_length", to: 5, world)
            let long = String(repeating: PersonWorld.word, count: 5_000)
            let event = #"[{"name": "too_long_name", "user_id": "\#(PersonWorld.user)", "params": {"note": "\#(long)"}}]"#
            #expect(try Taken(await api.post("/v1/events", key: world.everybody.ingest, event)) == Taken(quarantined: 1))
            try await Self.set("name_length", to: 40, world)
            #expect(try Taken(await api.post("/v1/quarantine/replay", key: world.everybody.admin, "")).accepted == 1)
            _ = try await Self.erase(world)
            #expect(try world.filesNamingAlice() == [])
        }
    }

    @Test func `a person erased on the first day does not return at the day switch`() async throws {
        let folder = TemporaryFolder()
        try await PersonWorld.run(in: folder, days: 1) { world in
            _ = try await Self.erase(world)
            world.clock.advance(by: .days(1))
            try await world.postCrowd()
            #expect(try await world.live.api.get(Self.target, key: world.everybody.read).status == 404)
            #expect(try world.filesNamingAlice() == [])
            #expect(try Recount(of: folder.path, isAfterErasure: true).problems == [])
        }
    }

    @Test func `event numbers are not reused after an erasure`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(PersonWorld.start)
        let (last, keys) = try await withDaemon(in: folder, clock: clock.clock) { live -> (Int, AppKeys) in
            let keys = try await live.api.makeApp()
            _ = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}, {"name": "b", "user_id": "\#(PersonWorld.user)"}]"#)
            let last = try JSON(await live.api.get(Self.target, key: keys.read))["items"][0]["seq"].number
            #expect(try await live.api.request("DELETE", Self.target, key: keys.admin).status == 200)
            return (last, keys)
        }
        try await withDaemon(in: folder, clock: clock.clock) { live in
            _ = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "c", "user_id": "\#(PersonWorld.user)"}]"#)
            #expect(try JSON(await live.api.get(Self.target, key: keys.read))["items"][0]["seq"].number > last)
        }
    }

    @Test func `a dry run changes nothing`() async throws {
        try await PersonWorld.run { world in
            let (figures, rows) = (try await world.figures(of: world.everybody), try await Self.rows(world, world.everybody))
            let report = try await Self.erase(world, "?dry_run=true&block=true")
            #expect(report["dry_run"].bool && !report["blocked"].bool)
            #expect(try await Self.rows(world, world.everybody) == rows)
            #expect(try await world.figures(of: world.everybody) == figures)
            #expect(try Recount(of: world.live.folder).problems == [])
            try await world.postAlice()
        }
    }

    @Test func `the same ID in another app is not erased`() async throws {
        try await PersonWorld.run { world in
            try await world.post([#"{"id":"x","name":"a","user_id":"\#(PersonWorld.user)"}"#], to: world.others)
            let rows = try await Self.rows(world, world.others)
            _ = try await Self.erase(world, "?block=true")
            #expect(try await Self.rows(world, world.others) == rows)
            try await world.post([#"{"id":"y","name":"a","user_id":"\#(PersonWorld.user)"}"#], to: world.others)
        }
    }

    @Test func `erasing an installation removes its events and keeps its users`() async throws {
        try await PersonWorld.run { world in
            let answer = try await world.live.api.request("DELETE", "/v1/users/kiosk?by=installation", key: world.everybody.admin)
            #expect(try JSON(answer)["events"].number == 3 * 20)
            let page = try JSON(await world.live.api.get(Self.target + "?limit=1000", key: world.everybody.read))
            #expect(page["items"].items.count(where: \.["seq"].exists) == 3 * 65)
            #expect(try Recount(of: world.live.folder, isAfterErasure: true).problems == [])
        }
    }

    @Test func `an erased event sent again is a duplicate, and later events count`() async throws {
        try await PersonWorld.run { world in
            let event = #"{"id":"again","name":"a","user_id":"\#(PersonWorld.user)","session_id":"s"}"#
            try await world.post([event], to: world.everybody)
            _ = try await Self.erase(world)
            #expect(try Taken(await world.live.api.post("/v1/events", key: world.everybody.ingest, "[\(event)]")) == Taken(duplicates: 1))
            try await world.postAlice()
            let page = try JSON(await world.live.api.get(Self.target + "?limit=1000", key: world.everybody.read))
            #expect(page["items"].items.count { $0["user_id"].text == PersonWorld.user && $0["session_id"].exists } == 55)
            #expect(try Recount(of: world.live.folder, isAfterErasure: true).problems == [])
        }
    }

    @Test func `a blocked person stays blocked across a restart until unblocked`() async throws {
        let folder = TemporaryFolder()
        let keys = try await PersonWorld.run(in: folder) { world -> AppKeys in
            let report = try await Self.erase(world, "?block=true")
            #expect(report["blocked"].bool)
            return world.everybody
        }
        let clock = ManualClock(PersonWorld.start + .days(2))
        try await withDaemon(in: folder, clock: clock.clock) { live in
            let body = #"""
                [{"id": "1", "name": "a", "user_id": "\#(PersonWorld.user)"}, {"id": "2", "name": "a", "installation_id": "\#(PersonWorld.phone)"},
                 {"id": "3", "name": "9bad", "user_id": "\#(PersonWorld.user)"}, {"id": "4", "name": "a", "user_id": "user-3"}]
                """#
            let answer = try await live.api.post("/v1/events", key: keys.ingest, body)
            #expect(try Taken(answer) == Taken(accepted: 1, quarantined: 3))
            #expect(try JSON(answer)["results"].items.map(\.["code"].text) == ["blocked", "blocked", "blocked"])
            let update = #"{"users": [{"user_id": "\#(PersonWorld.user)", "properties": {"a": 1}}, {"user_id": "user-3"}]}"#
            #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, update)) == Taken(accepted: 1, quarantined: 1))
            let refused = try JSON(await live.api.get("/v1/quarantine", key: keys.read))
            #expect(!refused["items"].items.contains { $0["code"].text == "blocked" })
            #expect(refused["counts"].items.first { $0["code"].text == "blocked" }?["only_counted"].number == 4)
            #expect(try await live.api.get(Self.target, key: keys.read).status == 404)

            #expect(try await live.api.request("DELETE", Self.target + "/block", key: keys.admin).status == 204)
            #expect(try await live.api.request("DELETE", Self.target + "/block", key: keys.admin).status == 404)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 2, duplicates: 1, quarantined: 1))
            #expect(try Recount(of: live.folder, isAfterErasure: true).problems == [])
        }
    }

    @Test func `rejected entries of a request with a blocked person are not stored`() async throws {
        try await PersonWorld.run { world in
            _ = try await Self.erase(world, "?block=true")
            let (api, key) = (world.live.api, world.everybody.ingest)
            func refused() async throws -> JSON { try JSON(await api.get("/v1/quarantine", key: world.everybody.read)) }
            let kept = try await refused()["items"].items.count
            for (field, id) in [("user_id", PersonWorld.user), ("installation_id", PersonWorld.phone)] {
                let named = #"{"\#(field)": "\#(id)", "#
                let events = named + #""events": [5, "text", {"name": "9bad", "\#(field)": "another"}]}"#
                #expect(try Taken(await api.post("/v1/events", key: key, events)) == Taken(quarantined: 3))
                let headers = ["Content-Type": "application/x-ndjson"]
                let lines = Array("{\"name\"\n".utf8)
                let answer = try await api.request("POST", "/v1/events?\(field)=\(id)", key: key, headers: headers, body: lines)
                #expect(try Taken(answer) == Taken(quarantined: 1))
                #expect(try Taken(await api.post("/v1/crashes", key: key, named + #""crashes": [5]}"#)).quarantined == 1)
            }
            let after = try await refused()
            #expect(after["items"].items.count == kept)
            #expect(after["counts"].items.first { $0["code"].text == "blocked" }?["only_counted"].number == 10)
            #expect(try world.filesNamingAlice() == [])
        }
    }

    @Test func `events of other persons in a blocked person's request are stored`() async throws {
        try await PersonWorld.run { world in
            _ = try await Self.erase(world, "?block=true")
            let body = #"{"user_id": "\#(PersonWorld.user)", "events": [{"id": "1", "name": "a", "user_id": "user-3"}, {"id": "2", "name": "a"}]}"#
            #expect(try Taken(await world.live.api.post("/v1/events", key: world.everybody.ingest, body)) == Taken(accepted: 1, quarantined: 1))
        }
    }

    /// SDKs without an installation ID send the user ID in its place.
    @Test func `a blocked user ID is also blocked as an installation`() async throws {
        try await PersonWorld.run { world in
            let (api, keys) = (world.live.api, world.everybody)
            _ = try await Self.erase(world, "?block=true")
            func send() async throws {
                let session =
                    "{}\n{\"type\":\"session\"}\n"
                    + #"{"sid":"1","status":"exited","started":"\#(world.clock.now.rfc3339)","did":"\#(PersonWorld.user)"}"#
                let sentry = ["X-Sentry-Auth": "Sentry sentry_version=7,sentry_key=\(keys.ingest)"]
                #expect(try await api.request("POST", "/api/\(keys.app)/envelope/", headers: sentry, body: Array(session.utf8)).status == 200)
                let alias = #"{"userId": "user-3", "previousId": "\#(PersonWorld.user)", "writeKey": "\#(keys.ingest)"}"#
                #expect(try await api.post("/v1/alias", alias).status == 200)
            }
            func status() async throws -> Int { try await api.get(Self.target + "?by=installation", key: keys.read).status }
            try await send()
            #expect(try await status() == 404)
            #expect(try world.filesNamingAlice() == [])
            #expect(try await api.request("DELETE", Self.target + "/block", key: keys.admin).status == 204)
            try await send()
            #expect(try await status() == 200)
        }
    }

    @Test func `an erasure is complete while clients keep sending`() async throws {
        try await PersonWorld.run { world in
            let many = (0..<14).map { request in
                (0..<1_000).map { #"{"id":"m-\#(request)-\#($0)","name":"many","user_id":"\#(PersonWorld.user)","session_id":"\#($0 % 70)"}"# }
            }
            for events in many { try await world.post(events, to: world.everybody) }
            let sent = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    let report = try await Self.erase(world)
                    #expect(report["events"].number >= 14_000 + 225)
                    return 0
                }
                for client in 0..<3 { group.addTask { try await Self.send(as: client, world) } }
                return try await group.reduce(0, +)
            }
            let recount = try Recount(of: world.live.folder, isAfterErasure: true)
            #expect(recount.problems == [])
            #expect(recount.ids.keys.count { $0.contains("/c-") } == sent)
            // Her events that arrived meanwhile keep their IDs.
            let page = try JSON(await world.live.api.get(Self.target + "?limit=1000", key: world.everybody.read))
            #expect(page["items"].items.allSatisfy { $0["installation_id"].text == "kiosk" || $0["user_id"].exists && $0["session_id"].exists })
            _ = try await Self.erase(world)
            #expect(try await world.live.api.get(Self.target, key: world.everybody.read).status == 404)
            #expect(try Recount(of: world.live.folder, isAfterErasure: true).problems == [])
        }
    }

    /// Sends events of others and of the erased person, and returns the number of others' events.
    private static func send(as client: Int, _ world: PersonWorld) async throws -> Int {
        for request in 0..<20 {
            let others = (0..<50).map { #"{"id":"c-\#(client)-\#(request)-\#($0)","name":"during","user_id":"user-\#($0)","session_id":"\#($0)"}"# }
            let hers = (0..<5).map {
                #"{"id":"h-\#(client)-\#(request)-\#($0)","name":"during","user_id":"\#(PersonWorld.user)","session_id":"\#($0)"}"#
            }
            try await world.post(others + hers, to: world.everybody)
        }
        return 1_000
    }

    @Test func `people are recounted although the number of events is unchanged`() async throws {
        let clock = ManualClock(PersonWorld.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            func post(_ user: String) async throws {
                let event = #"[{"name": "a", "user_id": "\#(user)", "timestamp": "\#(PersonWorld.start.rfc3339)"}]"#
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, event)) == Taken(accepted: 1))
            }
            func people() async throws -> Int {
                let query = "/v1/query/series?metric=users&interval=day&from=2026-08-03T00:00:00Z&to=2026-08-04T00:00:00Z"
                return try JSON(await live.api.get(query, key: keys.read))["series"][0]["total"].number
            }
            for user in [PersonWorld.user, "other"] { try await post(user) }
            clock.advance(by: .days(1))
            #expect(try await people() == 2)
            #expect(try await live.api.request("DELETE", Self.target, key: keys.admin).status == 200)
            try await post("other")
            #expect(try await people() == 1)
        }
    }

    @Test func `an erasure keeps the totals of days removed by retention`() async throws {
        try await PersonWorld.run { world in
            let live = world.live
            let range = "from=\((PersonWorld.start - .days(8)).rfc3339)&to=\((PersonWorld.start + .days(8)).rfc3339)"
            func total() async throws -> Int {
                try JSON(await live.api.get("/v1/query/series?metric=events&interval=day&\(range)", key: world.everybody.read))["series"][0]["total"]
                    .number
            }
            let before = try await total()
            for keys in [world.everybody, world.others] {
                #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"retention_days": 1}"#.utf8)).status == 200)
            }
            #expect(try await live.daemon.store.retain().removedDays.count == 1)
            let report = try await Self.erase(world)
            #expect(report["events"].number == 150)
            #expect(try await total() == before - 150)
        }
    }
}
