// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The part of the outbox in memory: the signal that a mail may be due, and the age of the oldest one.
final class Outbox: Sendable {
    let changes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let oldestMail = Mutex<Timestamp?>(nil)

    init() {
        (changes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var oldest: Timestamp? {
        get { oldestMail.withLock(\.self) }
        set { oldestMail.withLock { $0 = newValue } }
    }

    func wake() { wakeUp.yield() }
    func close() { wakeUp.finish() }
}
