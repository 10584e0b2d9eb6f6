// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import Crashes
import EventStore
import Events
import HTTPServer
import Ingest
import Platform

/// The result of storing an integration's request.
struct IntegrationOutcome: Sendable {
    var accepted = 0
    var duplicates = 0
    var quarantined = 0
    /// The verdicts on entries that were not simply accepted, by their index in the request.
    var verdicts: [Int: Verdict] = [:]
}

/// Stores translated requests with the decoders and writers of the native API.
enum IntegrationIntake {
    /// Throws a refusal if events or crashes cannot be stored now. Called before the body is read.
    @Sendable static func room(_ daemon: Daemon, for app: AppID?) throws(Refusal) {
        try daemon.eventIntake.checkRoom(for: app)
        try daemon.crashIntake.checkRoom(for: app)
    }

    /// Returns once everything is durable. Crashes are stored first: their IDs make a retry count nothing twice.
    static func keep(_ batch: IntegrationBatch, _ source: EventSubmission.Source, of call: Call, _ app: App, _ daemon: Daemon) async throws
        -> IntegrationOutcome
    {
        try room(daemon, for: app.id)
        try call.charge(batch.bytesHeld)
        let received = daemon.clock.now()
        var outcome = IntegrationOutcome()
        let count = batch.events.origins.count + batch.users.origins.count + batch.crashes.origins.count + batch.refused.count
        try daemon.rates.take(count, call.caller, at: received)
        // A request starts on the thread of its connection. Decoding crashes and users would block the other connections there.
        if !batch.crashes.isEmpty || !batch.users.isEmpty { await Task.yield() }
        if !batch.crashes.isEmpty { try await keepCrashes(batch, app, received, daemon, &outcome) }
        if !batch.users.isEmpty { try await keepUsers(batch, source, app, received, daemon, &outcome) }
        if !batch.events.isEmpty { try await keepEvents(batch, source, app, received, daemon, &outcome) }
        if let refused = batch.quarantine(of: app.id, received: received, source: source) {
            outcome.quarantined += try await daemon.store.events.submit(refused).quarantined
            for entry in batch.refused { outcome.verdicts[entry.verdict.index] = entry.verdict }
        }
        return outcome
    }

    private static func keepEvents(
        _ batch: IntegrationBatch, _ source: EventSubmission.Source, _ app: App, _ received: Timestamp, _ daemon: Daemon,
        _ outcome: inout IntegrationOutcome
    ) async throws {
        let submission = try daemon.events.decode(
            batch.events.tape(), sentAt: batch.sentAt, app: app, source: source, received: received, hash: daemon.store.events.hash)
        try await daemon.crashIntake.keepErrors(of: submission)
        let kept = try await daemon.store.events.submit(submission)
        outcome.accepted += kept.accepted
        outcome.duplicates += kept.duplicates
        outcome.quarantined += kept.quarantined
        outcome.take(kept.verdicts, from: batch.events.origins)
    }

    private static func keepUsers(
        _ batch: IntegrationBatch, _ source: EventSubmission.Source, _ app: App, _ received: Timestamp, _ daemon: Daemon,
        _ outcome: inout IntegrationOutcome
    ) async throws {
        for (body, origins) in batch.users.bodies(sentAt: batch.sentAt, entries: FixedLimits.usersPerRequest) {
            let submission = try daemon.users.decode(
                body, app: app, rules: source.rules(app.settings), received: received, hash: daemon.store.events.hash)
            let kept = try await daemon.store.events.submit(submission)
            outcome.accepted += kept.accepted
            outcome.quarantined += kept.quarantined
            outcome.take(kept.verdicts, from: origins)
        }
    }

    private static func keepCrashes(
        _ batch: IntegrationBatch, _ app: App, _ received: Timestamp, _ daemon: Daemon, _ outcome: inout IntegrationOutcome
    ) async throws {
        let bodies = batch.crashes.bodies(sentAt: batch.sentAt, entries: CrashLimits.reportsPerRequest, bytes: CrashLimits.requestBytes / 2)
        for (body, origins) in bodies {
            let crashes = try daemon.crashes.decode(body, app: app, received: received, hash: daemon.store.events.hash)
            let verdicts = try await daemon.store.crashes.take(crashes.submissions(grouping: GroupingRule.current.group), app: app.id)
            if let refused = crashes.refused { _ = try await daemon.store.events.submit(refused) }
            outcome.quarantined += crashes.quarantined.count
            outcome.accepted += verdicts.count { !$0.isDuplicate && !$0.isBlocked }
            outcome.duplicates += verdicts.count(where: \.isDuplicate)
            outcome.take(crashes.quarantined.map(\.verdict) + crashes.corrections, from: origins)
        }
    }
}

extension IntegrationOutcome {
    /// The response in the form of the native API. The clients ignore it; it helps people who debug.
    var response: HTTPResponse {
        let verdicts = verdicts.sorted { $0.key < $1.key }.map { place, verdict in
            var verdict = verdict
            verdict.index = place
            return verdict
        }
        return .json(answer(EventOutcome(accepted: accepted, duplicates: duplicates, quarantined: quarantined, verdicts: verdicts)))
    }

    /// Adds verdicts. A quarantine replaces a correction of the same entry.
    fileprivate mutating func take(_ found: [Verdict], from origins: [Int]) {
        for verdict in found {
            let place = origins[verdict.index]
            if verdicts[place].map({ $0.result == .corrected }) ?? true { verdicts[place] = verdict }
        }
    }
}
