// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import Crashes
import EventStore
import Events
import HTTPServer
import Ingest
import Platform

/// Accepts crash reports: decodes, groups, submits to the crash store and answers when they are durable.
struct CrashIntake: Sendable {
    let decoder: NativeCrashes
    let appleReports: AppleReports
    let appErrors: AppErrors
    let names: IntakeNames
    let store: Stores
    let rates: KeyRates
    let disk: DiskGuard
    let clock: WallClock

    static let routes = [
        Route(.post, "/v1/crashes", .role(.ingest), .task(\.intake.crashes, CrashIntake.reports), admission: admission),
        Route(.post, "/v1/crashes/report", .role(.ingest), .task(\.intake.crashes, CrashIntake.appleReport), admission: admission),
    ]
    private static let admission = Route.admission(\.intake.crashes, CrashIntake.checkCapacity)

    /// Rejects reports that could not be stored now.
    func checkCapacity(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try rates.quotas.requireRoom(for: app)
        try store.crashes.checkCapacity()
    }

    func reports(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        try checkCapacity(for: app.id)
        let defaults = try call.query().all(except: "app")
        let batch = try decoder.decode(
            call.json(), query: defaults, app: app, proof: call.caller.proof(in: app), received: clock.now(), hash: store.events.hash)
        return .response(.json(try await keep(batch, call)))
    }

    /// A report as Apple's devices write it: `.ips` or text.
    func appleReport(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        try checkCapacity(for: app.id)
        let defaults = try call.query().all(except: "app")
        let batch = try appleReports.decode(
            call.request.body, query: defaults, app: app, proof: call.caller.proof(in: app), received: clock.now(), hash: store.events.hash)
        return .response(.json(try await keep(batch, call)))
    }

    /// Stores the `app_error` events of a submission as nonfatal crashes, before they are stored as events.
    ///
    /// If the daemon is killed in between, the client sends the request again, and both stores dedupe by the event's ID. An event that
    /// will be quarantined makes no crash.
    func keepErrors(of submission: EventSubmission) async throws {
        guard submission.records.contains(where: { $0.kind == .appError }) else { return }
        let batch = appErrors.batch(of: submission, except: try await store.events.refusals(of: submission))
        _ = try await take(batch)
    }

    /// Groups and stores the reports of a request, with their attachments.
    func take(_ batch: CrashBatch, attachments: [CrashAttachment] = []) async throws -> [CrashVerdict] {
        var batch = batch
        let isComplete = await names.read(in: &batch)
        let submissions = batch.submissions(grouping: GroupingRule.current.group, needNames: !isComplete)
        return try await store.crashes.take(submissions, attachments: attachments, app: batch.app)
    }

    private func keep(_ batch: CrashBatch, _ call: Call) async throws -> [UInt8] {
        try call.charge(batch.bytesHeld)
        try rates.take(batch.crashes.count + batch.quarantined.count, bytes: call.request.body.count, call.caller, at: batch.received)
        let verdicts = try await take(batch)
        if let quarantine = batch.quarantine { _ = try await store.events.submit(quarantine) }
        return responseBody(batch, stored: verdicts.filter { !$0.isBlocked }, blocked: verdicts.filter(\.isBlocked).map(Verdict.init(blocked:)))
    }
}

extension Verdict {
    fileprivate init(blocked verdict: CrashVerdict) {
        self.init(
            index: verdict.index, id: verdict.id, result: .quarantined, reason: .blocked, field: "crash",
            message: "This user is blocked.")
    }
}
