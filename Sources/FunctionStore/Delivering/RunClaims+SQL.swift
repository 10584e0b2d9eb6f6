// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Functions
package import Messaging
import Platform
import SQLite

/// Claims of due runs, by function, with a lease and a fence. No more runs of a function are claimed than may be under way at once.
///
///     concurrency 2; r1, r2, r3 due
///     claim 7               r1 and r2 running, until their leases end
///     settle(r1, done)      the function is due again
///     claim 8               r3 running
extension FunctionStore: RequestQueue {
    /// The time beyond a function's own limit until its lease ends: a run waits that long for its turn and for the record of its outcome.
    private static let slackSeconds: Int64 = 120

    package func claim(_ request: ClaimRequest) async throws -> ClaimedDeliveries {
        try await change { context in
            try context.origins.requests.claim(request) { id, limit in
                guard let function = try context.file.function(id), let url = function.definition.target.deliveryURL else { return ([], nil) }
                let now = request.now.milliseconds
                let (running, firstEnd) = try context.file.underWay(id, at: now)
                // The end of a run makes the function due again, or the end of its lease if nothing is heard of it.
                let free = function.definition.concurrency - running
                guard free > 0 else { return ([], firstEnd) }
                let claimed = try context.claim(of: function, url, limit: min(limit, free), at: request.now, lease: Self.lease(of: function))
                let isFull = claimed.count >= free
                return (claimed, isFull ? try context.file.underWay(id, at: now).firstEnd : try context.file.nextDue(of: id))
            }
        }
    }

    private static func lease(of function: StoredFunction) -> Timestamp.Span {
        .seconds(Int64(function.definition.timeoutSeconds) + slackSeconds)
    }

    package func settle(_ outcomes: [DeliveryOutcome]) async throws {
        for outcome in outcomes { tokens.end(run: outcome.id) }
        try await change { context in for outcome in outcomes { try context.settle(outcome) } }
    }

    package func request(for delivery: ClaimedDelivery) async throws -> DeliveryRequest? {
        let found = try await read { file -> (StoredRun, StoredFunction)? in
            guard let run = try file.run(number: delivery.id), let function = try file.function(delivery.origin) else { return nil }
            return (run, function)
        }
        guard let (run, function) = found, let format = function.definition.target.requestFormat else { return nil }
        let token = tokens.issue(for: run, of: function)
        return RunRequest(run, attempt: delivery.attempt, token: token, of: function, in: directory.now.apps[function.app], format).delivery
    }

    /// Returns what a response says of the run, by the words of the callable protocol. Without a final one it is left to the retries of webhooks.
    package func meaning(of response: [UInt8], status: Int) -> ResponseMeaning {
        let stated = CallStatus(statedBy: response, http: status)
        let word = stated ?? CallStatus(http: status)
        // 410 without a word ends the run, and says nothing else of a function than other errors do.
        let isGone = stated == nil && status == 410
        let verdict: DeliveryVerdict? = word == .ok ? .delivered : word.isFinal || isGone ? .dead : nil
        return ResponseMeaning(verdict, statedStatus: stated?.httpStatus, statedWord: stated?.rawValue)
    }
}

extension FunctionContext {
    /// Leases due runs of a function, those due longest first. A run claimed by an earlier process keeps its attempt number, because
    /// whether it was sent is unknown.
    func claim(
        of function: StoredFunction, _ url: String, limit: Int, at now: Timestamp, lease: Timestamp.Span
    ) throws -> [ClaimedDelivery] {
        let number = claims.next()
        let leaseEnds = now + lease
        let found = try file.statement(
            """
            SELECT id, public, state, attempts
                + CASE WHEN state = \(sql: RunState.running) AND claim <= (SELECT value FROM meta WHERE key = 'ended_claims') THEN 0 ELSE 1 END
            FROM runs WHERE function = ? AND due <= ? ORDER BY due LIMIT ?
            """
        ).all(.integer(function.id), .integer(now.milliseconds), .integer(limit)) {
            (id: $0.integer(0), public: $0.text(1), state: RunState(rawValue: $0.int(2)) ?? .waiting, attempt: $0.int(3))
        }
        let take = try file.statement(
            "UPDATE runs SET state = \(sql: RunState.running), due = ?, claim = ?, attempts = ?, changed = ? WHERE id = ?")
        return try found.map { run in
            try take.run(integers: [leaseEnds.milliseconds, number, Int64(run.attempt), now.milliseconds, run.id])
            count(of: function.id, app: function.app, from: run.state, to: .running)
            var delivery = ClaimedDelivery(
                id: run.id, claim: number, webhookID: run.public, message: run.id, registration: function.id, origin: function.id,
                attempt: run.attempt, url: url, token: "", keys: [function.key], expires: now + .days(36_500), leaseEnds: leaseEnds)
            delivery.timeout = .seconds(Int64(function.definition.timeoutSeconds))
            delivery.retries = function.definition.retries
            delivery.hasOwnRequest = true
            if case .worker = function.definition.target { delivery.isForWorker = true }
            return delivery
        }
    }

    /// Records an outcome, unless the run was claimed again since.
    fileprivate func settle(_ outcome: DeliveryOutcome) throws {
        let run = try file.statement(
            "SELECT \(RunRow.columns) FROM runs WHERE id = ? AND claim = ? AND state = \(sql: RunState.running)"
        ).first(.integer(outcome.id), .integer(outcome.claim), row: RunRow.init)
        guard let run else { return }
        if let record = outcome.record { try log(record, of: outcome, run) }
        switch outcome.verdict {
        case .delivered: try end(run, .done)
        case .dead, .expired, .gone: try end(run, .dead)
        case .retry(let time): try again(run, .retrying, at: time.milliseconds, attempts: outcome.attempt)
        case .returned(let time):
            try again(run, outcome.attempt == 1 ? .waiting : .retrying, at: time.milliseconds, attempts: outcome.attempt - 1)
        }
        // There is a free place now.
        if let next = try file.nextDue(of: run.function) { isDue(run.function, at: next) }
    }

    private func again(_ run: RunRow, _ state: RunState, at time: Int64, attempts: Int) throws {
        try file.statement("UPDATE runs SET state = ?, due = ?, attempts = ?, changed = ? WHERE id = ?").run(integers: [
            Int64(state.rawValue), time, Int64(attempts), now.milliseconds, run.number,
        ])
        count(of: run.function, app: run.app, from: run.state, to: state)
        isDue(run.function, at: time)
    }

    private func log(_ record: AttemptRecord, of outcome: DeliveryOutcome, _ run: RunRow) throws {
        // A redrive restarts the count of attempts. The numbers of the log continue.
        try file.statement(
            """
            INSERT INTO attempts (run, number, at, milliseconds, status, error, response)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM attempts WHERE run = ?1), ?2, ?3, ?4, ?5, ?6)
            """
        ).run(
            .integer(run.number), .integer(record.at.milliseconds), .integer(record.milliseconds), .integer(record.status), .text(record.error),
            record.response.isEmpty ? .null : .blob(record.response))
        didEnd(EndedAttempt(function: run.function, milliseconds: Int64(record.milliseconds), hasFailed: outcome.verdict != .delivered))
        let line = "\(outcome.text), attempt \(outcome.attempt): \(record.result) after \(record.milliseconds) ms"
        try add(LogLine(level: outcome.verdict == .delivered ? .info : .error, line), of: run.function, app: run.app, run: run.number)
    }
}

extension FunctionDefinition.Target {
    /// The address of runs, which is empty for a worker; nil if runs are no requests.
    fileprivate var deliveryURL: String? {
        switch self {
        case .address(let url, _): url
        case .worker: ""
        case .topic: nil
        }
    }

    /// The form of the request; nil if runs are no requests.
    fileprivate var requestFormat: FunctionDefinition.AddressFormat? {
        switch self {
        case .address(_, let format): format
        case .worker: .signalbox
        case .topic: nil
        }
    }
}

extension AttemptRecord {
    /// The result in a line of the log: the status with the word of an error, or why there is none.
    fileprivate var result: String {
        if status == 0 { return error.isEmpty ? "published" : error }
        return "status \(status)\(statedWord.map { ", \($0)" } ?? "")"
    }
}

extension DeliveryOutcome {
    fileprivate var text: String {
        switch verdict {
        case .delivered: "done"
        case .retry(let time): "failed, retried at \(time.rfc3339)"
        case .dead, .expired, .gone: "dead"
        case .returned: "not sent"
        }
    }
}

extension FunctionDB {
    func nextDue(of function: Int64) throws -> Int64? {
        try statement("SELECT due FROM runs WHERE function = ? AND due IS NOT NULL ORDER BY due LIMIT 1").first(.integer(function)) {
            $0.integer(0)
        }
    }

    /// Returns the number of runs whose leases have not ended, with the end of the first one.
    fileprivate func underWay(_ function: Int64, at now: Int64) throws -> (count: Int, firstEnd: Int64?) {
        try statement("SELECT count(*), min(due) FROM runs WHERE function = ? AND state = \(sql: RunState.running) AND +due > ?").first(
            .integer(function), .integer(now)
        ) { ($0.int(0), $0.optionalInteger(1)) } ?? (0, nil)
    }

    /// Returns the earliest due time of each function.
    func earliestDue() throws -> [(function: Int64, due: Int64)] {
        try statement("SELECT function, min(due) FROM runs WHERE due IS NOT NULL GROUP BY function").all { ($0.integer(0), $0.integer(1)) }
    }

    /// Ends all leases, at the start. They belong to an earlier process.
    func endLeases(at now: Timestamp) throws {
        for (function, _) in try earliestDue() {
            try statement("UPDATE runs SET due = ? WHERE function = ? AND due > ? AND state = \(sql: RunState.running)").run(
                .integer(now.milliseconds), .integer(function), .integer(now.milliseconds))
        }
    }
}
