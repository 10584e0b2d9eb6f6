// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import Synchronization

/// A signal that also fires at a set time. Several signals before it is received count as one.
package final class Alarm: Sendable {
    private static let longestWait = Duration.seconds(10)

    package let rings: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    package init() {
        (rings, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    package func ring() {
        wakeUp.yield()
    }

    /// Fires after a wait, which replaces the previous one; nil for never. If the clock is changed meanwhile it fires early rather than
    /// late.
    package func ring(after wait: Duration?) {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
            guard let wait else { return }
            let next = DispatchSource.makeTimerSource()
            next.setEventHandler { [wakeUp] in wakeUp.yield() }
            next.schedule(deadline: .now() + .milliseconds(max(1, Int(min(wait, Alarm.longestWait) / .milliseconds(1)))))
            next.resume()
            timer = next
        }
    }

    func end() {
        ring(after: nil)
        wakeUp.finish()
    }
}
