// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sends batches from the queue to the daemon, one at a time, until each is confirmed.
actor Sender {
    private let queue: DiskQueue
    private let options: SignalboxOptions
    private let client: APIClient
    private var backoff: Backoff
    nonisolated let identity = Locked<(any RecordIdentity)?>(nil)
    /// The round under way; `interrupt` cancels it when its records are deleted.
    private nonisolated let round = Locked<Task<SignalboxError?, Never>?>(nil)
    /// The time since which the oldest record waits.
    private var waitingSince: Date?
    /// The error after which sending stops until `flush`.
    private var stopped: SignalboxError?
    private var batchLimit = QueueLimits.batchRecords

    init(queue: DiskQueue, options: SignalboxOptions) {
        self.queue = queue
        self.options = options
        client = APIClient(address: options.address, key: options.key)
        backoff = options.backoff
        // Records of an earlier launch are due at once.
        waitingSince = queue.count > 0 ? .distantPast : nil
    }

    deinit {
        client.close()
    }

    /// The error of the last round.
    private(set) var lastError: SignalboxError?

    /// Sends due records. Returns the seconds until the next call; `nil` if the queue is empty or sending stopped.
    func sendQueued() async -> TimeInterval? {
        let now = options.now()
        let count = queue.count
        guard count > 0, stopped == nil else { return nil }
        let rest = max(count >= options.environment.flushAt ? 0 : untilDue(at: now), backoff.rest(at: now))
        if rest > 0 { return rest }
        try? await send()
        guard queue.count > 0, stopped == nil else { return nil }
        let later = options.now()
        return max(untilDue(at: later), backoff.rest(at: later))
    }

    /// The seconds until the oldest record is due. A clock that was set back makes it wait from now on.
    private func untilDue(at now: Date) -> TimeInterval {
        let since = min(waitingSince ?? now, now)
        waitingSince = since
        return max(0, since.addingTimeInterval(options.environment.flushInterval).timeIntervalSince(now))
    }

    /// Sends all queued records, due or not.
    func flush() async throws(SignalboxError) {
        stopped = nil
        backoff.retryNow()
        try await send()
    }

    /// Makes queued records due now, except before `Retry-After`.
    func retryNow() {
        if stopped == nil { backoff.retryNow() }
        if queue.count > 0 { waitingSince = .distantPast }
    }

    /// Cancels the round under way.
    nonisolated func interrupt() {
        round.withLock { $0 }?.cancel()
    }

    func close() async {
        stopped = .closed
        interrupt()
        _ = await round.withLock { $0 }?.value
        client.close()
    }

    /// Runs a round after the current one: records logged meanwhile may have missed that.
    private func send() async throws(SignalboxError) {
        while let task = round.withLock({ $0 }) { _ = await task.value }
        if let stopped { throw stopped }
        let task = Task {
            lastError = await sendAll()
            // Cleared before waiting callers resume.
            round.withLock { $0 = nil }
            return lastError
        }
        round.withLock { $0 = task }
        if let error = await task.value { throw error }
    }

    private func sendAll() async -> SignalboxError? {
        let retryAfter = backoff.retryAfter(at: options.now())
        if retryAfter > 0 { return .busy(retryAfter: retryAfter) }
        var rest = queue.count
        do throws(SignalboxError) {
            while rest > 0, !Task.isCancelled, let batch = try queue.next(atMost: batchLimit) {
                if try await upload(batch) { rest -= batch.records.count }
            }
        } catch {
            recordFailure(error)
            return error
        }
        waitingSince = queue.count > 0 ? options.now() : nil
        return nil
    }

    /// Sends a batch. Returns `false` if it was rejected and a smaller batch must be tried.
    private func upload(_ batch: RecordBatch) async throws(SignalboxError) -> Bool {
        for upload in UploadRequest.all(of: batch, signedIn: identity.withLock({ $0 })?.signedInUser) {
            guard let path = upload.path(validates: options.validatesOnly) else { continue }
            let response = try await post(path, upload.body(envelope: batch.envelope, sentAt: options.now()), of: upload.user)
            switch try evaluate(response, upload) {
            case .accepted: continue
            case .rejected where batch.records.count == 1: break
            case .rejected:
                batchLimit = max(1, batch.records.count / 2)
                return false
            }
        }
        queue.remove(batch)
        batchLimit = min(QueueLimits.batchRecords, batchLimit * 2)
        backoff.succeeded()
        return true
    }

    /// Posts records of the signed-in user with the ID token, all others with the key. A rejected token is refreshed once; if the session has
    /// ended, the key has to do.
    private func post(_ path: String, _ body: [UInt8], of user: String?) async throws(SignalboxError) -> APIClient.Response {
        guard let user, let identity = identity.withLock({ $0 }), let token = try await identity.token(of: user, insteadOf: nil) else {
            return try await client.post(path, body)
        }
        let response = try await client.post(path, body, token: token)
        guard response.rejectsToken else { return response }
        return try await client.post(path, body, token: try await identity.token(of: user, insteadOf: token))
    }

    private enum Outcome { case accepted, rejected }

    private func evaluate(_ response: APIClient.Response, _ upload: UploadRequest) throws(SignalboxError) -> Outcome {
        let problem = Problem(response.body)
        let detail = problem.detail ?? SignalboxError.foreignResponse
        switch response.status {
        case 200:
            guard let taken = IngestResponse(response.body) else { throw .unexpectedResponse(status: 200, detail: detail) }
            options.log("sent \(upload.records.count): accepted=\(taken.accepted) duplicates=\(taken.duplicates) quarantined=\(taken.quarantined)")
            for verdict in taken.verdicts(on: upload) { report(verdict) }
            return .accepted
        // Only a problem document of the daemon is a rejection of the records.
        case 400, 413, 422:
            guard let code = problem.code else { throw .unexpectedResponse(status: response.status, detail: detail) }
            guard upload.records.count == 1 else { return .rejected }
            report(Verdict(result: .rejected, name: upload.name(at: 0), code: code, field: nil, message: detail))
            return .rejected
        case 401, 403:
            guard problem.code != nil else { throw .unexpectedResponse(status: response.status, detail: detail) }
            throw .unauthorized(status: response.status, detail: detail)
        case 429, 503: throw .busy(retryAfter: response.retryAfter ?? 0)
        default: throw .unexpectedResponse(status: response.status, detail: detail)
        }
    }

    private func recordFailure(_ error: SignalboxError) {
        switch error {
        case .unauthorized: stopped = error
        case .busy(let seconds): backoff.failed(at: options.now(), retryAfter: seconds)
        default: backoff.failed(at: options.now(), retryAfter: nil)
        }
        options.log("upload failed, \(queue.count) records queued: \(error)")
    }

    private func report(_ verdict: Verdict) {
        options.log("\(verdict.result.rawValue) \(verdict.name ?? "record"): \(verdict.code) \(verdict.field ?? "")")
        options.onVerdict?(verdict)
    }
}
