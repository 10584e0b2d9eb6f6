// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The free space of the data folder, asked for with every request and looked up a few times a second.
final class FreeDisk: Sendable {
    private let known = Mutex<(bytes: Int64, until: ContinuousClock.Instant)>((.max, .now))

    func bytes(at path: String) -> Int64 {
        known.withLock { known in
            let now = ContinuousClock.now
            // Where the system does not tell, commits find out.
            if now >= known.until { known = ((try? Folder.freeBytes(at: path)) ?? .max, now + .milliseconds(100)) }
            return known.bytes
        }
    }
}
