// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import Synchronization

/// A bell that also rings at a time: however often it was rung before it is heard, it is heard once.
final class Alarm: Sendable {
    private static let longestWait = Duration.seconds(10)

    let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    init() {
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    func ring() {
        bell.yield()
    }

    /// Rings after a wait, instead of after the one that was said before; nil for never. It rings too early rather than late when the clock is moved meanwhile.
    func ring(after wait: Duration?) {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
            guard let wait else { return }
            let next = DispatchSource.makeTimerSource()
            next.setEventHandler { [bell] in bell.yield() }
            next.schedule(deadline: .now() + .milliseconds(max(1, Int(min(wait, Alarm.longestWait) / .milliseconds(1)))))
            next.resume()
            timer = next
        }
    }

    func end() {
        ring(after: nil)
        bell.finish()
    }
}
