// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The free space that uploads leave to events: an amount, and at least a twentieth of the disk.
///
/// The free space is read from the system at most ten times a second.
final class DiskReserve: Sendable {
    private let path: String
    private let least: Int64
    private let known = Mutex<(space: Folder.Space?, until: ContinuousClock.Instant)>((nil, .now))

    init(_ path: String, _ least: Int) {
        (self.path, self.least) = (path, Int64(least))
    }

    /// Throws if a further file of this length would take from the reserve.
    func check(adding length: Int64 = 0) throws(FileFault) {
        let space = known.withLock { known in
            let now = ContinuousClock.now
            if now >= known.until { known = (try? Folder.space(at: path), now + .milliseconds(100)) }
            return known.space
        }
        // If the system does not report free space, a full disk is noticed by writes.
        guard let space else { return }
        if space.free - length < max(least, least == 0 ? 0 : space.total / 20) { throw .diskReserve }
    }
}
