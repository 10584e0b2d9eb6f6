// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Takes portions off the queue and brings them to the daemon, one at a time, until each is there.
actor Sender {
    private let queue: DiskQueue
    private let options: SignalboxOptions
    private let exchange: Exchange
    private var backoff: Backoff
    /// The one under way, which whoever deletes what it carries ends from outside.
    private nonisolated let round = Locked<Task<SignalboxError?, Never>?>(nil)
    /// Since when something waits.
    private var waitingSince: Date?
    /// Why nothing is tried any more.
    private var stopped: SignalboxError?
    private var most = QueueLimits.portionRecords

    init(queue: DiskQueue, options: SignalboxOptions) {
        self.queue = queue
        self.options = options
        exchange = Exchange(address: options.address, key: options.key)
        backoff = options.backoff
        // What an earlier start left has waited long enough.
        waitingSince = queue.count > 0 ? .distantPast : nil
    }

    deinit {
        exchange.close()
    }

    /// Why the last round did not work.
    private(set) var trouble: SignalboxError?

    /// Sends what is due; answers in how many seconds to ask again, nil when nothing waits.
    func sendWhatIsDue() async -> TimeInterval? {
        let now = options.now()
        let count = queue.count
        guard count > 0, stopped == nil else { return nil }
        let since = waitingSince ?? now
        waitingSince = since
        let due = count >= options.environment.sendsAt ? now : since.addingTimeInterval(options.environment.sendsAfter)
        let time = max(due, backoff.next)
        guard time <= now else { return time.timeIntervalSince(now) }
        try? await send()
        guard queue.count > 0, stopped == nil else { return nil }
        return max(0, max(backoff.next, (waitingSince ?? now).addingTimeInterval(options.environment.sendsAfter)).timeIntervalSince(options.now()))
    }

    /// Sends what waits now, whether it is due or not.
    func flush() async throws(SignalboxError) {
        stopped = nil
        backoff.hope()
        try await send()
    }

    /// The app is seen again, or goes: a good time, though not against the daemon's word.
    func hope() {
        if stopped == nil { backoff.hope() }
        if queue.count > 0 { waitingSince = .distantPast }
    }

    /// Lets go of what is under way, and of nothing that begins later.
    nonisolated func interrupt() {
        round.withLock { $0 }?.cancel()
    }

    func close() async {
        stopped = .closed
        interrupt()
        _ = await round.withLock { $0 }?.value
        exchange.close()
    }

    /// One round at a time; who comes meanwhile has one of their own, for what they logged may have come too late for the other.
    private func send() async throws(SignalboxError) {
        while let task = round.withLock({ $0 }) { _ = await task.value }
        if let stopped { throw stopped }
        let task = Task {
            trouble = await sendAll()
            // Before anybody who waits for it looks again.
            round.withLock { $0 = nil }
            return trouble
        }
        round.withLock { $0 = task }
        if let trouble = await task.value { throw trouble }
    }

    private func sendAll() async -> SignalboxError? {
        let asked = backoff.asked.timeIntervalSince(options.now())
        if asked > 0 { return .busy(retryAfter: asked) }
        var rest = queue.count
        do throws(SignalboxError) {
            while rest > 0, !Task.isCancelled, let portion = try queue.next(atMost: most) {
                if try await bring(portion) { rest -= portion.records.count }
            }
        } catch {
            note(error)
            return error
        }
        waitingSince = queue.count > 0 ? options.now() : nil
        return nil
    }

    /// Whether it is off the queue; if not, a smaller portion may be.
    private func bring(_ portion: Portion) async throws(SignalboxError) -> Bool {
        for mailing in Mailing.all(of: portion) {
            guard let path = mailing.path(validates: options.validatesOnly) else { continue }
            let answer = try await exchange.post(path, mailing.body(envelope: portion.envelope, sentAt: options.now()))
            switch try judge(answer, mailing) {
            case .taken: continue
            case .refused where portion.records.count == 1: break
            case .refused:
                most = max(1, portion.records.count / 2)
                return false
            }
        }
        queue.remove(portion)
        most = min(QueueLimits.portionRecords, most * 2)
        backoff.worked()
        return true
    }

    private enum Judgement { case taken, refused }

    private func judge(_ answer: Exchange.Answer, _ mailing: Mailing) throws(SignalboxError) -> Judgement {
        let problem = Problem(answer.body)
        let detail = problem.detail ?? "Says nothing that Signalbox would."
        switch answer.status {
        case 200:
            guard let taken = Taken(answer.body) else { throw .unexpectedAnswer(status: 200, detail: detail) }
            options.log("sent \(mailing.records.count): accepted=\(taken.accepted) duplicates=\(taken.duplicates) quarantined=\(taken.quarantined)")
            for verdict in taken.verdicts(on: mailing) { tell(verdict) }
            return .taken
        // Only a refusal in the daemon's own words speaks of what was sent.
        case 400, 413, 422:
            guard let code = problem.code else { throw .unexpectedAnswer(status: answer.status, detail: detail) }
            guard mailing.records.count == 1 else { return .refused }
            tell(Verdict(result: .refused, name: mailing.name(at: 0), code: code, field: nil, message: detail))
            return .refused
        case 401, 403:
            guard problem.code != nil else { throw .unexpectedAnswer(status: answer.status, detail: detail) }
            throw .unauthorized(status: answer.status, detail: detail)
        case 429, 503: throw .busy(retryAfter: answer.retryAfter ?? 0)
        default: throw .unexpectedAnswer(status: answer.status, detail: detail)
        }
    }

    private func note(_ error: SignalboxError) {
        switch error {
        case .unauthorized: stopped = error
        case .busy(let seconds): backoff.failed(at: options.now(), retryAfter: seconds)
        default: backoff.failed(at: options.now(), retryAfter: nil)
        }
        options.log("not sent, \(queue.count) wait: \(error)")
    }

    private func tell(_ verdict: Verdict) {
        options.log("\(verdict.result.rawValue) \(verdict.name ?? "record"): \(verdict.code) \(verdict.field ?? "")")
        options.onVerdict?(verdict)
    }
}
