// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A cache of resolved names, shared by the exchanges of a shard for a limited time.
///
/// libcurl's expiry scans all names after each exchange, which dominates the cost with thousands of receivers. Entries here do not expire:
/// after a minute or many connections the shard creates a new cache, and the old one is freed with its last exchange. Kept connections
/// are not affected.
///
/// It needs no locks, because only one thread uses it.
final class NameCache {
    /// The limit of connections, tried or made, which bounds the number of names.
    static let mostConnections = 20_000

    let share: UnsafeMutableRawPointer
    let ends: ContinuousClock.Instant
    var connections = 0
    /// Counts a connection of an exchange, although it may have needed none.
    var isUsed = false

    init(lifetime: Duration) throws {
        guard let share = curl_share_init() else { throw HTTPClientError.notStarted }
        self.share = share
        ends = .now + lifetime
        signalbox_curl_share_names(share)
    }

    var isOver: Bool { connections >= NameCache.mostConnections || .now >= ends }

    deinit {
        curl_share_cleanup(share)
    }
}
