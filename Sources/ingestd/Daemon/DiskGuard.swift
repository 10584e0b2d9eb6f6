// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// Rejects writes while the data folder's disk is nearly full, because queries, deletion and retention need some free space.
///
/// The free space is read from the system at most ten times a second; every request asks for it.
final class DiskGuard: Sendable {
    private let path: String
    private let configuration: LiveConfiguration
    private let known = Mutex<(bytes: Int64, until: ContinuousClock.Instant)>((.max, .now))

    init(_ path: String, _ configuration: LiveConfiguration) {
        (self.path, self.configuration) = (path, configuration)
    }

    /// The configured minimum (`storage.min_free_disk`).
    var minFreeBytes: Int { configuration.now.storage.minFreeDisk }
    var isShort: Bool { freeBytes < Int64(minFreeBytes) }

    func requireFree() throws(Refusal) {
        guard isShort else { return }
        throw Refusal(
            .storageFull, "The disk is nearly full; nothing of this request was stored.", hint: "Send the request again later.",
            retryAfterSeconds: 10)
    }

    private var freeBytes: Int64 {
        known.withLock { known in
            let now = ContinuousClock.now
            // If the system does not report free space, a full disk is noticed by commits.
            if now >= known.until { known = ((try? Folder.freeBytes(at: path)) ?? .max, now + .milliseconds(100)) }
            return known.bytes
        }
    }
}
