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
    /// Counted sessions that are older than the app keeps data, and those from a clock far ahead.
    var sessionsTooOld = 0
    var sessionsInFuture = 0
    /// The verdicts on entries that were not simply accepted, by their index in the request.
    var verdicts: [Int: Verdict] = [:]
}

/// Stores translated requests with the decoders and writers of the native API.
struct IntegrationIntake: Sendable {
    let events: NativeEvents
    let users: NativeUsers
    let crashes: NativeCrashes
    let eventIntake: EventIntake
    let crashIntake: CrashIntake
    let minidumps: Minidumps
    let store: Stores
    let rates: KeyRates
    let clock: WallClock

    static let admission = Route.admission(\.integrations.intake, IntegrationIntake.checkCapacity)

    /// Rejects events or crashes that could not be stored now. Called before the body is read, and again before it is stored.
    func checkCapacity(for app: AppID?) throws(Refusal) {
        try eventIntake.checkCapacity(for: app)
        try crashIntake.checkCapacity(for: app)
    }

    /// Returns once everything is durable. Crashes are stored first: their IDs make a retry count nothing twice.
    func keep(_ batch: IntegrationBatch, _ source: EventSubmission.Source, of call: Call, _ app: App) async throws -> IntegrationOutcome {
        try checkCapacity(for: app.id)
        try call.charge(batch.bytesHeld)
        let received = clock.now()
        let proof = call.caller.proof(in: app)
        var outcome = IntegrationOutcome()
        let onlyFiles = batch.crashes.isEmpty && !batch.attachments.isEmpty
        let count =
            (onlyFiles ? 1 : 0) + batch.events.origins.count + batch.users.origins.count + batch.crashes.origins.count + batch.rejected.count
            + batch.sessionCounts.reduce(0) { $0 + $1.sessions.count }
        try rates.take(count, bytes: call.request.body.count, call.caller, at: received)
        // A request starts on the thread of its connection. Decoding crashes and users would block the other connections there.
        if !batch.crashes.isEmpty || !batch.users.isEmpty || onlyFiles { await Task.yield() }
        if !batch.crashes.isEmpty || onlyFiles { try await keepCrashes(batch, proof, app, received, &outcome) }
        if !batch.users.isEmpty { try await keepUsers(batch, source, proof, app, received, &outcome) }
        if !batch.events.isEmpty { try await keepEvents(batch, source, proof, app, received, &outcome) }
        for counts in batch.sessionCounts { try await keepSessions(counts, batch.sentAt, app, received, &outcome) }
        if let quarantine = batch.quarantine(of: app.id, received: received, source: source) {
            outcome.quarantined += try await store.events.submit(quarantine).quarantined
            for entry in batch.rejected { outcome.verdicts[entry.verdict.index] = entry.verdict }
        }
        return outcome
    }

    private func keepEvents(
        _ batch: IntegrationBatch, _ source: EventSubmission.Source, _ proof: UserProof, _ app: App, _ received: Timestamp,
        _ outcome: inout IntegrationOutcome
    ) async throws {
        let submission = try events.decode(
            batch.events.tape(), sentAt: batch.sentAt, app: app, source: source, proof: proof, received: received, hash: store.events.hash)
        try await crashIntake.keepErrors(of: submission)
        let kept = try await store.events.submit(submission)
        outcome.accepted += kept.accepted
        outcome.duplicates += kept.duplicates
        outcome.quarantined += kept.quarantined
        outcome.take(kept.verdicts, from: batch.events.origins)
    }

    private func keepSessions(
        _ counts: SessionCounts, _ sentAt: Timestamp?, _ app: App, _ received: Timestamp, _ outcome: inout IntegrationOutcome
    ) async throws {
        let rules = TimeRules(received: received, sentAt: sentAt, settings: app.settings)
        var placed: [CountedSessions] = []
        for var sessions in counts.sessions {
            switch rules.place(sessions.start) {
            case .tooOld: outcome.sessionsTooOld += sessions.sessions
            // At the time of receipt they would count for the release health of now.
            case .at(_, let flags) where flags.contains(.clock): outcome.sessionsInFuture += sessions.sessions
            case .at(let start, _):
                sessions.start = start
                placed.append(sessions)
            }
        }
        guard !placed.isEmpty else { return }
        if try await !store.crashes.count(placed, identity: counts.identity, app: app.id) { outcome.duplicates += 1 }
    }

    private func keepUsers(
        _ batch: IntegrationBatch, _ source: EventSubmission.Source, _ proof: UserProof, _ app: App, _ received: Timestamp,
        _ outcome: inout IntegrationOutcome
    ) async throws {
        for (body, origins) in batch.users.bodies(sentAt: batch.sentAt, entries: FixedLimits.usersPerRequest) {
            let submission = try users.decode(
                body, app: app, rules: source.rules(app.settings), proof: proof, received: received, hash: store.events.hash)
            let kept = try await store.events.submit(submission)
            outcome.accepted += kept.accepted
            outcome.quarantined += kept.quarantined
            outcome.take(kept.verdicts, from: origins)
        }
    }

    private func keepCrashes(
        _ batch: IntegrationBatch, _ proof: UserProof, _ app: App, _ received: Timestamp, _ outcome: inout IntegrationOutcome
    ) async throws {
        let bodies = batch.crashes.bodies(sentAt: batch.sentAt, entries: CrashLimits.reportsPerRequest, bytes: CrashLimits.requestBytes / 2)
        if bodies.isEmpty { _ = try await store.crashes.take([], attachments: batch.attachments, app: app.id) }
        for (number, (body, origins)) in bodies.enumerated() {
            var decoded = try crashes.decode(body, app: app, proof: proof, received: received, hash: store.events.hash)
            try await readDumps(of: &decoded, batch, origins)
            // In one change with the last reports: a kill leaves no report without its attachments.
            let verdicts = try await crashIntake.take(decoded, attachments: number == bodies.count - 1 ? batch.attachments : [])
            if let quarantine = decoded.quarantine { _ = try await store.events.submit(quarantine) }
            outcome.quarantined += decoded.quarantined.count
            outcome.accepted += verdicts.count { !$0.isDuplicate && !$0.isBlocked }
            outcome.duplicates += verdicts.count(where: \.isDuplicate)
            outcome.take(decoded.quarantined.map(\.verdict) + decoded.corrections, from: origins)
        }
    }
}

extension IntegrationIntake {
    /// Adds the minidumps of a request to its crashes. One that was sent before is not read again.
    private func readDumps(of decoded: inout CrashBatch, _ batch: IntegrationBatch, _ origins: [Int]) async throws {
        for place in decoded.crashes.indices {
            let crash = decoded.crashes[place]
            guard let dump = batch.dumps[origins[crash.index]] else { continue }
            let isKnown = try await store.crashes.knows(crash.report.id, app: decoded.app)
            decoded.crashes[place].add(dump, isKnown ? .pending : try await minidumps.read(dump, of: decoded.app))
        }
    }

    /// Decodes events and users and stores nothing.
    func validate(
        _ batch: IntegrationBatch, _ source: EventSubmission.Source, _ proof: UserProof, _ app: App
    ) throws -> (events: EventSubmission, users: UserSubmission) {
        let (received, hash) = (clock.now(), store.events.hash)
        let events = try events.decode(batch.events.tape(), sentAt: nil, app: app, source: source, proof: proof, received: received, hash: hash)
        let rules = source.rules(app.settings)
        return (events, try users.decode(batch.users.body(sentAt: nil), app: app, rules: rules, proof: proof, received: received, hash: hash))
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
        return .json(responseBody(EventOutcome(accepted: accepted, duplicates: duplicates, quarantined: quarantined, verdicts: verdicts)))
    }

    /// Adds verdicts. A quarantine replaces a correction of the same entry.
    fileprivate mutating func take(_ found: [Verdict], from origins: [Int]) {
        for verdict in found {
            let place = origins[verdict.index]
            if verdicts[place].map({ $0.result == .corrected }) ?? true { verdicts[place] = verdict }
        }
    }
}
