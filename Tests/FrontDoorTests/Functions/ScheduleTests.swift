// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

@Suite struct ScheduleTests {
    private static let start = Timestamp(milliseconds: 1_795_000_000_000)

    private static func definition(_ sink: WebhookSink, _ fields: String) -> [UInt8] {
        Array(#"{"url": "\#(sink.url("/f"))", "triggers": [{"on": "schedule", "cron": "0 * * * *", "tz": "Europe/Berlin"\#(fields)}]}"#.utf8)
    }

    private static func run(
        in folder: TemporaryFolder, _ clock: ManualClock, _ body: @Sendable (LiveDaemon) async throws -> Void
    ) async throws {
        try await withDaemon(in: folder, clock: clock.clock, configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }) {
            live async throws in
            try await body(live)
        }
    }

    // Runs may overlap, as the first one may still be unsettled when the daemon stops.
    @Test(arguments: [(#", "overlap": true"#, 1), (#", "overlap": true, "missed": "skip""#, 0)])
    func `hours that passed while the daemon was stopped make one run or none`(fields: String, missed: Int) async throws {
        let (folder, clock, sink) = (TemporaryFolder(), ManualClock(Self.start), try WebhookSink())
        try await Self.run(in: folder, clock) { live in
            let keys = try await live.api.makeApp()
            let made = try await live.api.request("PUT", "/v1/functions/f", key: keys.admin, body: Self.definition(sink, fields))
            #expect(made.status == 201, "\(made.text)")
            #expect(sink.hooks.isEmpty)
            // The next full hour, as it comes.
            let hour = Timestamp(milliseconds: (Self.start.milliseconds / 3_600_000 + 1) * 3_600_000)
            clock.set(hour + .seconds(1))
            let first = try await eventually { sink.hooks.count == 1 }
            #expect(first)
            let data = try JSON(try #require(sink.hooks.first).body)["data"]
            #expect(data["time"].text == hour.rfc3339 && data["tz"].text == "Europe/Berlin")
        }
        clock.advance(by: .minutes(310))
        try await Self.run(in: folder, clock) { live in
            let next = try #require(try await live.daemon.store.functions.runDueSchedules())
            #expect(next > clock.now)
            let done = try await eventually { sink.hooks.count == 1 + missed }
            #expect(done)
            clock.set(next + .seconds(1))
            let isNext = try await eventually { sink.hooks.count == 2 + missed }
            #expect(isNext)
        }
        #expect(Set(sink.hooks.map(\.id)).count == 2 + missed)
    }

    @Test func `in Firebase's form a time has the headers of Cloud Scheduler`() async throws {
        let (folder, clock, sink) = (TemporaryFolder(), ManualClock(Self.start), try WebhookSink())
        try await Self.run(in: folder, clock) { live in
            let keys = try await live.api.makeApp()
            let trigger = #"{"on": "schedule", "cron": "0 * * * *", "tz": "UTC"}"#
            let body = Array(#"{"url": "\#(sink.url("/f"))", "format": "firebase", "triggers": [\#(trigger)]}"#.utf8)
            let made = try await live.api.request("PUT", "/v1/functions/f", key: keys.admin, body: body)
            #expect(made.status == 201, "\(made.text)")
            clock.advance(by: .minutes(54))
            let isSent = try await eventually { sink.hooks.count == 1 }
            #expect(isSent)
            let headers = try #require(sink.hooks.first).headers
            #expect(headers["x-cloudscheduler"] == "true" && headers["x-cloudscheduler-jobname"] == "f")
            #expect(headers["x-cloudscheduler-scheduletime"] == "2026-11-18T12:00:00Z")
            #expect(headers["ce-type"] == "google.cloud.scheduler.job.v1.executed")
        }
    }

    @Test(arguments: [
        ("once", ["on_time": 0, "late": 1, "skipped": 1, "waited": 1]), ("skip", ["on_time": 0, "late": 0, "skipped": 2, "waited": 1]),
    ])
    func `a time for which there are too many unfinished runs waits, and is late or skipped`(missed: String, counts: [String: Int]) async throws {
        let clock = ManualClock(Self.start)
        try await FunctionWorld.use(clock: clock.clock, configure: { $0.store.functions.waitingRuns = 1 }) { world async throws in
            try await world.put("f", #""triggers": [{"on": "schedule", "cron": "0 * * * *", "missed": "\#(missed)"}]"#)
            // It takes the only place until it is cancelled.
            try await world.put("g")
            try await world.task("g", #"{"id": "t-1", "at": "\#((clock.now + .hours(20)).rfc3339)"}"#)
            clock.advance(by: .hours(2))
            #expect(try #require(try await world.live.daemon.store.functions.runDueSchedules()) < clock.now)
            #expect(try #require(try await world.live.daemon.store.functions.runDueSchedules()) < clock.now)
            #expect(try await world.runs("f").isEmpty)
            let logged = try await world.api.get("/v1/functions/f/logs", key: world.keys.read).text
            #expect(logged.ranges(of: "waits, because the app has too many unfinished runs (functions.waiting_runs)").count == 1, "\(logged)")
            #expect(try await world.api.request("DELETE", "/v1/functions/g/tasks/t-1", key: world.keys.send).status == 204)
            let isCounted = try await eventually {
                let metrics = try await world.api.get("/metrics").text
                return counts.allSatisfy { metrics.contains("signalbox_function_schedules_total{outcome=\"\($0.key)\"} \($0.value)\n") }
            }
            #expect(isCounted)
            if missed == "once" { #expect(try await world.settled("f", 1)) } else { #expect(try await world.runs("f").isEmpty) }
            let lines = try await world.api.get("/v1/functions/f/logs", key: world.keys.read).text
            #expect(lines.contains("\(missed == "once" ? "one" : "no") run for the 2 times from "), "\(lines)")
        }
    }

    @Test func `schedules that are due together make no more runs than there are places`() async throws {
        let clock = ManualClock(Self.start)
        let isUp = Atomic(false)
        try await FunctionWorld.use(
            clock: clock.clock, retries: [.hours(20)], configure: { $0.store.functions.waitingRuns = 2 },
            answer: { _ in .status(isUp.load(ordering: .relaxed) ? 200 : 503) }
        ) { world async throws in
            let zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Europe/London"]
            let triggers = zones.map { #"{"on": "schedule", "cron": "0 * * * *", "tz": "\#($0)", "overlap": true}"# }.joined(separator: ", ")
            try await world.put("f", #""triggers": [\#(triggers)]"#)
            clock.set(Timestamp(milliseconds: (Self.start.milliseconds / 3_600_000 + 1) * 3_600_000) + .seconds(1))
            _ = try await world.live.daemon.store.functions.runDueSchedules()
            #expect(try await world.settled("f", 2, in: "retrying"))
            #expect(try await world.runs("f").count == 2)
            isUp.store(true, ordering: .relaxed)
            for run in try await world.runs("f") {
                #expect(try await world.api.post("/v1/runs/\(run["id"].text)/retry", key: world.keys.send, "").status == 200)
            }
            #expect(try await world.settled("f", 5))
        }
    }

    @Test func `runs of a schedule have the key of their function's order`() async throws {
        let clock = ManualClock(Self.start)
        try await FunctionWorld.use(clock: clock.clock) { world async throws in
            try await world.put("f", #""order": "{tz}", "triggers": [{"on": "schedule", "cron": "0 * * * *", "tz": "Europe/Berlin"}]"#)
            clock.advance(by: .hours(1))
            #expect(try await world.settled("f", 1))
            #expect(try await world.runs("f").map(\.["key"].text) == ["Europe/Berlin"])
        }
    }

    @Test func `a time makes no run while an earlier one is unfinished, unless they may overlap`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(Self.start))
        let sink = try WebhookSink { _ in .status(503) }
        try await Self.run(in: folder, clock) { live in
            let keys = try await live.api.makeApp()
            for (name, fields) in [("f", ""), ("g", #", "overlap": true"#)] {
                let body = Self.definition(sink, fields)
                #expect(try await live.api.request("PUT", "/v1/functions/\(name)", key: keys.admin, body: body).status == 201)
            }
            for hour in 1...3 {
                clock.advance(by: .hours(1))
                let made = try await eventually {
                    try JSON(await live.api.get("/v1/functions/g/runs", key: keys.read))["items"].items.count == hour
                }
                #expect(made)
            }
            #expect(try JSON(await live.api.get("/v1/functions/f/runs", key: keys.read))["items"].items.count == 1)
            let log = try await live.api.get("/v1/functions/f/logs", key: keys.read).text
            #expect(log.ranges(of: "because an earlier run is unfinished").count == 2)
        }
    }
}
