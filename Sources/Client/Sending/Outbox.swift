// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The way from a logged record to the daemon, as callers see it: they hand over and go on.
final class Outbox: Sendable {
    private struct Alarm {
        var time: DispatchTime?
        var isOff = false
    }

    private let queue: DiskQueue
    private let sender: Sender
    private let options: SignalboxOptions
    /// Done at most once a second while things are logged, and before anything is sent.
    private let keep: @Sendable () -> Void
    private let alarm = Locked(Alarm())
    private let line = DispatchQueue(label: "signalbox.outbox", qos: .utility)

    init(queue: DiskQueue, options: SignalboxOptions, keep: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.options = options
        self.keep = keep
        sender = Sender(queue: queue, options: options)
    }

    /// How many wait, how many had to go, and why nothing was sent last time.
    func status() async -> SignalboxApp.Status {
        SignalboxApp.Status(waiting: queue.count, lost: queue.lost, trouble: await sender.trouble)
    }

    /// Takes an open frame; one that is too large is told of and dropped.
    func add(_ frame: [UInt8]) {
        guard frame.count < Frame.limit else {
            let verdict = Verdict(result: .refused, name: nil, code: "too_large", field: nil, message: "Has more than \(Frame.limit) bytes.")
            // Whoever hears it may log in turn, and here somebody logs still.
            if let onVerdict = options.onVerdict { line.async { onVerdict(verdict) } }
            return
        }
        var frame = frame
        Frame.close(&frame)
        wake(within: queue.append(frame) ? 0 : 1)
    }

    /// Takes an open frame; answers whether it is on the disk, for those that can do it again.
    func keep(_ frame: [UInt8]) -> Bool {
        guard frame.count < Frame.limit else { return false }
        var frame = frame
        Frame.close(&frame)
        defer { wake(within: 0) }
        return queue.keep(frame)
    }

    func flush() async throws(SignalboxError) {
        if alarm.withLock({ $0.isOff }) { throw .closed }
        let isWritten = put()
        try await sender.flush()
        if !isWritten { throw .folderUnusable(path: queue.folder.path, reason: "The disk takes nothing; what was logged waits in memory.") }
    }

    /// Puts everything on the disk and sends it, if that is possible now.
    func hurry() {
        if alarm.withLock({ $0.isOff }) { return }
        put()
        Task {
            await sender.hope()
            await look()
        }
    }

    /// Something may be left of an earlier start.
    func begin() {
        wake(within: 0)
    }

    /// Deletes everything that waits.
    func removeAll(envelope: [UInt8]) {
        queue.removeAll(envelope: envelope)
        sender.interrupt()
    }

    func close() async {
        put()
        alarm.withLock { $0 = Alarm(time: nil, isOff: true) }
        await sender.close()
        queue.close()
    }

    // MARK: Waking

    /// Several may ask; the earliest counts.
    private func wake(within seconds: TimeInterval) {
        let time = DispatchTime.now() + seconds
        let isEarlier = alarm.withLock { alarm in
            if alarm.isOff { return false }
            if let earlier = alarm.time, earlier <= time { return false }
            alarm.time = time
            return true
        }
        guard isEarlier else { return }
        line.asyncAfter(deadline: time) { [weak self] in self?.ring(time) }
    }

    private func ring(_ time: DispatchTime) {
        let isCurrent = alarm.withLock { alarm in
            guard alarm.time == time else { return false }
            alarm.time = nil
            return true
        }
        guard isCurrent else { return }
        put()
        Task { await look() }
    }

    /// Answers whether the disk has everything.
    @discardableResult
    private func put() -> Bool {
        defer { keep() }
        return queue.write()
    }

    private func look() async {
        if let pause = await sender.sendWhatIsDue() { wake(within: max(pause, 0.01)) }
    }
}
