// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import HTTPClient
package import Platform
import Synchronization

package typealias MailOutcome = MailResult.Outcome

/// The way mails leave.
package enum MailTransport: Sendable {
    case smtp(MailServer)
    /// For development without a mail server: the mail is shown and counts as sent.
    case shown(@Sendable (OutgoingMail) -> Void)
}

/// Sends the mails of a queue one after another: claim, hand over, settle.
///
///     kill before `handOver`     the mail is tried again when its next attempt is due
///     kill after `handOver`      it is not sent again, because the server may have it
package final class MailSender: Sendable {
    private static let restAfterFailure = Duration.seconds(1)
    private static let mostRecordings = 30

    private let queue: any MailQueue
    private let transport: MailTransport
    private let clock: WallClock
    private let troubles: TroubleLog
    private let figures: MailMetrics
    private let alarm = Alarm()
    private let running = Mutex<MailTransfer?>(nil)
    private let isStopping = Atomic(false)
    private let (ended, ending) = AsyncStream.makeStream(of: Void.self)

    package init(_ queue: any MailQueue, _ transport: MailTransport, clock: WallClock = .system, metrics: MailMetrics, log: Log = Log()) {
        (self.queue, self.transport, self.clock) = (queue, transport, clock)
        troubles = TroubleLog(log, clock: clock)
        figures = metrics
    }

    /// Sends until `stop`.
    package func run() async {
        defer { ending.finish() }
        async let _: Void = watchQueue()
        alarm.ring()
        for await _ in alarm.rings {
            do {
                var next: Timestamp?
                while !isStopping.load(ordering: .relaxed) {
                    let claimed = try await queue.claimMail(at: clock.now())
                    next = claimed.nextDue
                    guard let mail = claimed.mail else { break }
                    await send(mail)
                }
                alarm.ring(after: next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
            } catch {
                troubles.note("could not claim mails", error)
                alarm.ring(after: MailSender.restAfterFailure)
            }
        }
    }

    /// Ends the exchange under way unless its mail was handed over, and returns once `run` has. The queue must be open until then.
    package func stop() async {
        isStopping.store(true, ordering: .relaxed)
        running.withLock { $0?.cancel() }
        alarm.end()
        for await _ in ended {}
    }

    private func watchQueue() async {
        for await _ in queue.mailChanges { alarm.ring() }
    }

    // MARK: One mail

    private func send(_ mail: OutgoingMail) async {
        let start = ContinuousClock.now
        let result = await exchange(mail)
        figures.count(result, took: .now - start)
        // The queue knows why it is not to be sent; after `stop` it is tried again at the next start.
        if result.outcome == .withdrawn { return }
        let verdict = MailRetries.verdict(result.outcome, attempt: mail.attempt, at: clock.now(), expires: mail.expires)
        if verdict != .sent { troubles.note("could not send a mail", MailTrouble(result: result)) }
        await record(mail.id, verdict, result.reason)
    }

    private func exchange(_ mail: OutgoingMail) async -> MailResult {
        switch transport {
        case .shown(let show):
            guard (try? await queue.handOver(mail.id)) == true else { return MailResult(.withdrawn) }
            show(mail)
            return MailResult(.accepted)
        case .smtp(let server):
            let message = mail.message
            do throws(HTTPClientError) {
                let envelope = try MailEnvelope(from: message.from.address, to: message.to, message: message.bytes)
                return await exchange(MailTransfer(envelope, to: server) { [queue] in MailSender.waitFor { try await queue.handOver(mail.id) } })
            } catch {
                return MailResult(.rejected, reason: error.message)
            }
        }
    }

    private func exchange(_ transfer: MailTransfer) async -> MailResult {
        running.withLock { $0 = transfer }
        // `stop` may have come before.
        if isStopping.load(ordering: .relaxed) { transfer.cancel() }
        defer { running.withLock { $0 = nil } }
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "signalbox.mail").async { continuation.resume(returning: transfer.run()) }
        }
    }

    /// Waits on a thread of libcurl, not of the concurrency pool. A failed commit counts as false.
    private static func waitFor(_ body: @escaping @Sendable () async throws -> Bool) -> Bool {
        let (done, answer) = (DispatchSemaphore(value: 0), Answer())
        Task {
            answer.isYes.store((try? await body()) ?? false, ordering: .releasing)
            done.signal()
        }
        done.wait()
        return answer.isYes.load(ordering: .acquiring)
    }

    private final class Answer: Sendable {
        let isYes = Atomic(false)
    }

    /// Records the outcome. A mail that was handed over is not sent again even if that fails.
    private func record(_ mail: Int64, _ verdict: MailVerdict, _ reason: String) async {
        for _ in 0..<MailSender.mostRecordings {
            do {
                return try await queue.settle(mail, verdict, reason: reason)
            } catch {
                troubles.note("could not record the outcome of a mail", error)
                if isStopping.load(ordering: .relaxed) { return }
                try? await Task.sleep(for: MailSender.restAfterFailure)
            }
        }
    }
}

/// The reason why a mail was not sent, without its receiver.
private struct MailTrouble: Error, CustomStringConvertible {
    var result: MailResult

    var description: String { "\(result.outcome.rawValue): \(result.reason)" }
}

/// The metrics of sending mails.
package struct MailMetrics: Sendable {
    private let attempts: MetricFamily<Counter>
    private let seconds: Histogram

    package init(_ metrics: Metrics) {
        attempts = metrics.counters("signalbox_mail_attempts_total", "Attempts to send a mail by result.", labels: ["result"])
        seconds = metrics.histogram("signalbox_mail_attempt_duration_seconds", "Duration of an attempt to send a mail.", bounds: Histogram.seconds)
        for result in ["accepted", "rejected", "deferred", "unknown"] { _ = attempts(result) }
    }

    func count(_ result: MailResult, took duration: Duration) {
        if result.outcome == .withdrawn { return }
        attempts(result.outcome.rawValue).add()
        seconds.observe(duration)
    }
}
