// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
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

@Suite struct RetentionTests {
    private static let start = Day(year: 2026, month: 8, day: 1).start + .hours(9)

    /// Two apps with events over some days; the second has a retention of three days.
    private static func fill(_ live: LiveDaemon, _ clock: ManualClock) async throws -> (long: AppKeys, short: AppKeys) {
        let long = try await live.api.makeApp("long")
        let short = try await live.api.makeApp("short")
        var sent = SentEvents(seed: 3)
        for _ in 0..<4 {
            for keys in [long, short] {
                try await sent.post(200, to: live, key: keys.ingest, daysBack: 3, now: clock.now)
                for person in ["a", "b"] {
                    _ = try await live.api.post("/v1/events?installation_id=\(person)", key: keys.ingest, #"[{"name": "here"}]"#)
                }
            }
            clock.advance(by: .days(1))
        }
        #expect(try await live.api.request("PATCH", "/v1/app", key: short.admin, body: Array(#"{"retention_days": 3}"#.utf8)).status == 200)
        return (long, short)
    }

    private static func series(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [Series] {
        var all: [Series] = []
        for query in [
            "interval=day", "interval=hour", "interval=day&tz=Asia/Kathmandu", "interval=hour&event=event_2", "interval=month&tz=America/St_Johns",
        ] {
            let range = "&from=\((start - .days(5)).rfc3339)&to=\((start + .days(5)).rfc3339)"
            all.append(try Series(await live.api.get("/v1/query/series?" + query + range, key: keys.read)))
        }
        #expect(all[0].total > 0)
        return all
    }

    /// The daily, weekly and monthly users as text.
    private static func people(_ live: LiveDaemon, _ keys: AppKeys) async throws -> String {
        let range = "from=\((start - .days(5)).rfc3339)&to=\((start + .days(5)).rfc3339)"
        let answer = try await live.api.get("/v1/query/active-users?" + range, key: keys.read)
        let text = String(decoding: answer.body, as: UTF8.self)
        return String(try #require(text.firstRange(of: "\"points\"").map { text[$0.lowerBound...] }).prefix { $0 != "]" })
    }

    private static func body(_ target: String, _ live: LiveDaemon, _ keys: AppKeys) async throws -> String {
        String(decoding: try await live.api.get(target, key: keys.read).body, as: UTF8.self)
    }

    private static func rows(_ live: LiveDaemon, _ keys: AppKeys) async throws -> Int {
        try await live.api.get("/v1/export", key: keys.read).body.count { $0 == 0x0a }
    }

    @Test func `days beyond every app's retention are removed and their totals stay`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            for key in [keys.long.ingest, keys.short.ingest] {
                let coffee = #"[{"name": "purchase", "params": {"value": 3, "currency": "EUR"}}]"#
                #expect(try await live.api.post("/v1/events?installation_id=a", key: key, coffee).status == 200)
            }
            let before = [try await Self.series(live, keys.long), try await Self.series(live, keys.short)]
            // Both apps have the same daily users; only the first is queried before its events are removed.
            let people = try await Self.people(live, keys.long)
            #expect(people.contains(#""dau":2,"wau":2"#))
            let month = "from=2026-08-01T00:00:00Z&to=2026-09-01T00:00:00Z"
            let monthly = try await Self.body("/v1/query/series?metric=users&interval=month&" + month, live, keys.long)
            let whole = #""points":[{"t":"2026-08-01T00:00:00.000Z","value":2}],"total":2"#
            #expect(monthly.contains(whole))
            #expect(try await Self.body("/v1/query/revenue?from=-1d", live, keys.long).contains(#""buyers":1"#))
            let spent = "/v1/query/revenue?from=2026-08-05T00:00:00Z&to=2026-08-06T00:00:00Z"
            clock.advance(by: .days(87))
            let report = try await live.daemon.store.retain()
            #expect(report.removedDays.map(\.text) == ["2026-08-01"])
            clock.advance(by: .days(5))
            // The last day is removed although nothing arrived after it.
            #expect(try await live.daemon.store.retain().removedDays.map(\.text) == ["2026-08-02", "2026-08-03", "2026-08-04", "2026-08-05"])
            _ = try await live.api.post("/v1/events", key: keys.long.ingest, #"[{"name": "today"}]"#)
            #expect(try await live.daemon.store.retain().removedDays.isEmpty)
            #expect(try Folder.names(in: live.daemon.store.paths.events).allSatisfy { $0.hasPrefix("2026-10-31") || $0.hasPrefix("2026-11-05") })
            #expect([try await Self.series(live, keys.long), try await Self.series(live, keys.short)] == before)
            #expect([try await Self.people(live, keys.long), try await Self.people(live, keys.short)] == [people, people])
            #expect(try await Self.rows(live, keys.long) == 1)
            #expect(try await Self.body("/v1/query/series?metric=users&interval=month&" + month, live, keys.short).contains(whole))
            let revenue = try await Self.body(spent, live, keys.long)
            #expect(revenue.contains(#""gross":"3""#) && !["users", "buyers", "arpu", "arppu"].contains { revenue.contains("\"\($0)\"") })
        }
    }

    @Test func `a clock leap removes nothing until it has lasted an hour`() async throws {
        let (clock, steady) = (ManualClock(Self.start), ManualClock(Self.start))
        try await withDaemon(clock: WallClock(now: { clock.now }, steady: { steady.now - Timestamp(milliseconds: 0) })) { live in
            let (keys, _) = try await Self.fill(live, clock)
            let rows = try await Self.rows(live, keys)
            #expect(try await live.daemon.store.retain().removedDays.isEmpty)
            let (files, truth) = (try live.dayFiles, clock.now)
            clock.set(truth + .days(3_650))
            #expect(try await live.daemon.store.retain().distrustsClock)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "here"}]"#)) == Taken(accepted: 1))
            clock.set(truth)
            let report = try await live.daemon.store.retain()
            #expect(!report.distrustsClock && report.removedDays.isEmpty)
            // Events that arrived meanwhile are in the current day's file.
            #expect(try live.dayFiles == files)
            #expect(try await Self.rows(live, keys) == rows + 1)
            clock.set(truth + .days(100))
            #expect(try await live.daemon.store.retain().distrustsClock)
            steady.advance(by: .hours(1))
            #expect(try await live.daemon.store.retain().removedDays.count == files.count)
        }
    }

    @Test func `minute queries of removed days are rejected with the first available time`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            func post(_ time: Timestamp) async throws {
                let body = #"[{"name": "a", "user_id": "u", "timestamp": "\#(time.rfc3339)"}]"#
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1))
            }
            func ask(_ question: String, from: Timestamp, to: Timestamp) async throws -> Reply {
                try await live.api.get("/v1/query/\(question)&from=\(from.rfc3339)&to=\(to.rfc3339)", key: keys.read)
            }
            let (gone, kept) = (Self.start + .minutes(7), Self.start + .days(1) + .minutes(7))
            try await post(gone)
            clock.advance(by: .days(1))
            try await post(kept)
            clock.advance(by: .days(90))
            #expect(try await live.daemon.store.retain().removedDays.count == 1)

            for question in [
                "series?interval=minute", "series?interval=minute&metric=users", "series?interval=minute&metric=revenue", "revenue?interval=minute",
            ] {
                let refused = try await ask(question, from: gone - .minutes(20), to: gone + .minutes(20))
                #expect(refused.status == 422, "\(question)")
                // The quarter-hour of the last removed event ends at 09:15.
                #expect(try JSON(refused)["hint"].text.contains("2026-08-01T09:15:00.000Z"), "\(question)")
                #expect(try JSON(refused)["errors"][0]["field"].text == "interval")
            }
            for interval in ["hour", "day"] {
                #expect(try Series(await ask("series?interval=\(interval)", from: gone - .hours(1), to: gone + .hours(1))).total == 1)
            }
            let minutes = try Series(await ask("series?interval=minute", from: Self.start + .minutes(15), to: Self.start + .minutes(90)))
            #expect(minutes.total == 0)
            let later = try Series(await ask("series?interval=minute", from: kept - .minutes(5), to: kept + .minutes(5)))
            #expect(later.total == 1 && later.points[kept] == 1)
        }
    }

    @Test func `amounts saturate and do not stop retention`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            // Two in a quarter-hour of one day's file and one in the next day's file.
            for (day, minute) in [(0, 1), (0, 2), (1, 3)] as [(Int64, Int64)] {
                if day == 1 { clock.advance(by: .days(1)) }
                let time = (Self.start + .minutes(minute)).rfc3339
                let sale = #"[{"name": "purchase", "timestamp": "\#(time)", "params": {"value": 9000000000000, "currency": "USD"}}]"#
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, sale)) == Taken(accepted: 1))
            }
            func revenue() async throws -> String {
                let range = "from=\(Self.start.rfc3339)&to=\((Self.start + .days(1)).rfc3339)"
                return try await live.api.get("/v1/query/revenue?interval=day&\(range)", key: keys.read).text
            }
            let before = try await revenue()
            #expect(before.contains("9223372036854.775807"))
            clock.advance(by: .days(100))
            let report = try await live.daemon.store.retain()
            #expect(report.removedDays.count == 2 && report.failures.isEmpty)
            #expect(try JSON(Array(try await revenue().utf8))["currencies"][0]["gross"].text == "9223372036854.775807")
        }
    }

    @Test func `an app's shorter retention removes its events from shared days`() async throws {
        let clock = ManualClock(Self.start)
        let folder = TemporaryFolder()
        try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            let before = [try await Self.series(live, keys.long), try await Self.series(live, keys.short)]
            clock.advance(by: .days(1))
            let report = try await live.daemon.store.retain()
            #expect(report.removedDays.isEmpty)
            #expect(report.removedEvents == 404)
            #expect(try await Self.rows(live, keys.short) == 404)
            #expect(try await Self.rows(live, keys.long) == 808)
            #expect([try await Self.series(live, keys.long), try await Self.series(live, keys.short)] == before)
            #expect(try await live.daemon.store.retain().removedEvents == 0)
            #expect([try await Self.series(live, keys.long), try await Self.series(live, keys.short)] == before)
        }
    }

    @Test func `a kill between storing totals and removing the file counts nothing twice`() async throws {
        let clock = ManualClock(Self.start)
        let folder = TemporaryFolder()
        try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            let before = try await Self.series(live, keys.long)
            clock.advance(by: .days(87))
            // The state after such a kill: the totals are stored and the file still exists.
            let file = live.daemon.store.paths.file(of: Day(of: Self.start))
            let kept = try File(file, .read).read(at: 0, count: Int(Folder.size(of: file)))
            #expect(try await live.daemon.store.retain().removedDays.count == 1)
            try File(file, .create).write(kept)
            #expect(try await Self.series(live, keys.long) == before)
            #expect(try await live.daemon.store.retain().removedDays.count == 1)
            #expect(try await Self.series(live, keys.long) == before)
        }
    }

    @Test func `quarantined events follow their app's retention, also on days without its events`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp("short")
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"retention_days": 3}"#.utf8)).status == 200)
            _ = try await live.api.makeApp("long")
            _ = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "not a name"}]"#)
            for kept in [1, 1, 1, 1, 0] {
                _ = try await live.daemon.store.retain()
                let list = try JSON(await live.api.get("/v1/quarantine", key: keys.read))
                #expect(list["items"].items.count == kept && list["counts"].items.count == kept)
                clock.advance(by: .days(1))
            }
        }
    }

    @Test func `a deleted app's events are removed by the next retention run`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.short.app)").status == 204)
            #expect(try await live.api.get("/v1/export", key: keys.short.read).status == 401)
            #expect(try await live.daemon.store.retain().removedEvents == 808)
            // A new app with the same name is another app.
            let again = try await live.api.makeApp("short")
            #expect(again.app != keys.short.app)
            #expect(try await Self.rows(live, again) == 0)
            #expect(try await Self.rows(live, keys.long) == 808)
        }
    }

    @Test func `after the next retention run no day file or WAL contains a deleted app's data`() async throws {
        try await PersonWorld.run(days: 2) { world in
            let live = world.live
            let figures = try await world.figures(of: world.others)
            #expect(try world.filesNamingAlice().count { $0.contains("/events/") } >= 2)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(world.everybody.app)").status == 204)
            #expect(try await live.daemon.store.retain().removedEvents == 2 * 475)
            #expect(try world.filesNamingAlice().filter { $0.contains("/events/") } == [])
            #expect(try Recount(of: live.folder, isAfterErasure: true).problems == [])
            #expect(try await world.figures(of: world.others) == figures)
        }
    }
}
