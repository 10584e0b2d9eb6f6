// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// A one-time event that wakes threads in poll(2).
final class Cancellation: Sendable {
    /// A descriptor that becomes readable with the event; without it nobody is woken.
    let descriptor: Int32
    private let closing: Mutex<Int32>

    init() {
        var ends: [Int32] = [-1, -1]
        _ = clinux_pipe(&ends)
        descriptor = ends[0]
        closing = Mutex(ends[1])
    }

    deinit {
        cancel()
        close(descriptor)
    }

    func cancel() {
        closing.withLock { end in
            if end >= 0 { close(end) }
            end = -1
        }
    }

    var isCancelled: Bool { closing.withLock { $0 < 0 } }
}
