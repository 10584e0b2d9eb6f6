// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Queues records and schedules their delivery. Callers do not wait.
final class Outbox: Sendable {
    private struct Alarm {
        var time: DispatchTime?
        var isOff = false
    }

    private let queue: DiskQueue
    private let sender: Sender
    private let options: SignalboxOptions
    /// Stores the installation; called at most once a second while records arrive, and before sending.
    private let persistInstallation: @Sendable () -> Void
    private let alarm = Locked(Alarm())
    private let line = DispatchQueue(label: "signalbox.outbox", qos: .utility)

    init(queue: DiskQueue, options: SignalboxOptions, persist: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.options = options
        persistInstallation = persist
        sender = Sender(queue: queue, options: options)
    }

    /// Sets the identity with which records of the signed-in user are sent.
    func identify(_ identity: any RecordIdentity) {
        sender.identity.withLock { $0 = identity }
    }

    /// Returns queue length, dropped records and the last delivery error.
    func status() async -> SignalboxApp.Status {
        SignalboxApp.Status(pending: queue.count, dropped: queue.dropped, lastError: await sender.lastError)
    }

    /// Queues an open frame. A frame that is too large is dropped and reported to `onVerdict`.
    func add(_ frame: [UInt8]) {
        guard frame.count < Frame.limit else {
            let verdict = Verdict(result: .rejected, name: nil, code: "too_large", field: nil, message: "The record exceeds \(Frame.limit) bytes.")
            // Asynchronous, because the callback may log while the caller still holds the analytics lock.
            if let onVerdict = options.onVerdict { line.async { onVerdict(verdict) } }
            return
        }
        var frame = frame
        Frame.close(&frame)
        schedule(within: queue.append(frame) ? 0 : 1)
    }

    /// Writes an open frame to disk; returns whether that succeeded, for callers that can retry.
    func persist(_ frame: [UInt8]) -> Bool {
        guard frame.count < Frame.limit else { return false }
        var frame = frame
        Frame.close(&frame)
        defer { schedule(within: 0) }
        return queue.persist(frame)
    }

    func flush() async throws(SignalboxError) {
        if alarm.withLock({ $0.isOff }) { throw .closed }
        let isWritten = writeBuffer()
        try await sender.flush()
        if !isWritten {
            throw .folderUnusable(path: queue.folder.path, reason: "The queue could not be written; records are kept in memory. Free disk space.")
        }
    }

    /// Writes the buffer and starts sending, without waiting for the flush interval.
    func flushSoon() {
        if alarm.withLock({ $0.isOff }) { return }
        writeBuffer()
        Task {
            await sender.retryNow()
            await sendIfDue()
        }
    }

    /// Schedules the delivery of records left by an earlier launch.
    func start() {
        schedule(within: 0)
    }

    /// Deletes all queued records and cancels the request under way.
    func removeAll(envelope: [UInt8]) {
        queue.removeAll(envelope: envelope)
        sender.interrupt()
    }

    func close() async {
        writeBuffer()
        alarm.withLock { $0 = Alarm(time: nil, isOff: true) }
        await sender.close()
        queue.close()
    }

    // MARK: Scheduling

    /// Schedules a delivery; the earliest of several times wins.
    private func schedule(within seconds: TimeInterval) {
        let time = DispatchTime.now() + seconds
        let isEarlier = alarm.withLock { alarm in
            if alarm.isOff { return false }
            if let earlier = alarm.time, earlier <= time { return false }
            alarm.time = time
            return true
        }
        guard isEarlier else { return }
        line.asyncAfter(deadline: time) { [weak self] in self?.alarmFired(time) }
    }

    private func alarmFired(_ time: DispatchTime) {
        let isCurrent = alarm.withLock { alarm in
            guard alarm.time == time else { return false }
            alarm.time = nil
            return true
        }
        guard isCurrent else { return }
        writeBuffer()
        Task { await sendIfDue() }
    }

    /// Writes the buffer; returns whether everything is on disk.
    @discardableResult
    private func writeBuffer() -> Bool {
        defer { persistInstallation() }
        return queue.write()
    }

    private func sendIfDue() async {
        if let pause = await sender.sendQueued() { schedule(within: max(pause, 0.01)) }
    }
}
