// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The part of the outbox in memory: the signal that a mail may be due, the age of the oldest one, and when codes are looked up.
final class Outbox: Sendable {
    let changes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let oldestMail = Mutex<Timestamp?>(nil)
    private let nextLookUp = Mutex<ContinuousClock.Instant?>(nil)
    private static let lookUpMilliseconds = 50...250

    init() {
        (changes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var oldest: Timestamp? {
        get { oldestMail.withLock(\.self) }
        set { oldestMail.withLock { $0 = newValue } }
    }

    /// Returns the time until new codes may be looked up; nil if it is over.
    ///
    /// Whom a code concerns decides what the writer has to do, and the next request waits for it. So the time of the look-up depends on no
    /// single request: it is random, and one for all codes that arrive meanwhile.
    func waitForLookUp(at now: ContinuousClock.Instant = .now) -> Duration? {
        nextLookUp.withLock { next in
            let time = next ?? now + .milliseconds(Int.random(in: Outbox.lookUpMilliseconds))
            next = time > now ? time : nil
            return time > now ? time - now : nil
        }
    }

    func wake() { wakeUp.yield() }
    func close() { wakeUp.finish() }
}
