// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// A clock that changes only when a test sets it.
package final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    package init(_ start: Timestamp) {
        time = Mutex(start)
    }

    package var now: Timestamp { time.withLock { $0 } }
    package var clock: WallClock { WallClock { self.now } }

    package func set(_ moment: Timestamp) {
        time.withLock { $0 = moment }
    }

    package func advance(by span: Timestamp.Span) {
        time.withLock { $0 = $0 + span }
    }
}
