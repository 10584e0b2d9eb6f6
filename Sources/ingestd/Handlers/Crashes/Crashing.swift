// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import EventStore
import Events
import HTTPServer
import Ingest
import Platform
import AcrossStores

/// Taking crashes in: read, group, hand over, answer when they are durable.
enum Crashing {
    @Sendable static func room(_ daemon: Daemon, for app: AppID?) throws(Refusal) {
        try daemon.requireDisk()
        try daemon.store.crashes.checkRoom()
    }

    @Sendable static func reports(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        try room(daemon, for: app.id)
        let defaults = try call.query().all(except: "app")
        let batch = try daemon.crashes.decode(call.json(), query: defaults, app: app, received: daemon.clock.now(), hash: daemon.store.events.hash)
        return .response(.json(try await keep(batch, daemon, call)))
    }

    /// A report as Apple's devices write them.
    @Sendable static func appleReport(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        try room(daemon, for: app.id)
        let defaults = try call.query().all(except: "app")
        let batch = try daemon.appleReports.decode(
            call.request.body, query: defaults, app: app, received: daemon.clock.now(), hash: daemon.store.events.hash)
        return .response(.json(try await keep(batch, daemon, call)))
    }

    /// Keeps what events of errors tell as crashes, before they are stored as events: what is cut off in between is told again by the sender, and
    /// an id counts once here as there. An event that will not be stored makes no crash.
    static func keepErrors(of submission: EventSubmission, _ daemon: Daemon) async throws {
        guard submission.records.contains(where: { $0.kind == .appError }) else { return }
        let batch = daemon.appErrors.batch(of: submission, except: try await daemon.store.events.refusals(of: submission))
        _ = try await daemon.store.crashes.take(batch.submissions(grouping: GroupingRule.current.group), app: batch.app)
    }

    private static func keep(_ batch: CrashBatch, _ daemon: Daemon, _ call: Call) async throws -> [UInt8] {
        try call.charge(batch.bytesHeld)
        try daemon.rates.take(batch.crashes.count + batch.quarantined.count, call.caller, at: batch.received)
        let verdicts = try await daemon.store.crashes.take(batch.submissions(grouping: GroupingRule.current.group), app: batch.app)
        if let refused = batch.refused { _ = try await daemon.store.events.submit(refused) }
        return answer(batch, stored: verdicts.filter { !$0.isBlocked }, refused: verdicts.filter(\.isBlocked).map(Verdict.init(blocked:)))
    }
}

extension Verdict {
    fileprivate init(blocked verdict: CrashVerdict) {
        self.init(
            index: verdict.index, id: verdict.id, result: .quarantined, reason: .blocked, field: "crash",
            message: "Of this person nothing is taken in.")
    }
}
