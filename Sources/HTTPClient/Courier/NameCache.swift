// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Addresses found for names, shared by the exchanges of one shard for a while.
///
/// libcurl's own expiry looks through all names after each exchange, which at thousands of receivers is the main cost. So nothing expires in here: after a
/// minute, or many connections, a shard begins a new one, and the old one goes with the last exchange that looks into it. Kept connections are not concerned.
///
/// It has no locks since one thread alone uses it.
final class NameCache {
    /// Each name in here led to a connection, tried or made, so there are never more than these.
    static let mostConnections = 20_000

    let share: UnsafeMutableRawPointer
    let ends: ContinuousClock.Instant
    var connections = 0
    /// By an exchange, though it may have needed none.
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
