// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Sends many concurrent requests to untrusted receivers, on threads with one libcurl multi handle each.
///
/// It follows no redirects, uses no cookies and no proxy but a given one, supports http and https only, reads only the start of a response,
/// and connects to no address or port that the policy forbids. The policy is checked for every resolved address, and again before every
/// request on a kept connection, so a changed policy applies from the next request on. With a proxy the rule for hosts takes its place.
package final class HTTPCourier: Sendable {
    private let shards: [CourierShard]

    /// Reports results in batches on the shard's thread. `onResults` and `block` must be fast and must not call `stop`.
    package init(
        _ options: HTTPCourierOptions, block: @escaping @Sendable (IPAddress, Int) -> CourierFailure?, proxy: CourierProxy? = nil,
        onResults: @escaping @Sendable ([CourierResult]) -> Void
    ) {
        let rules = CourierRules(options: options, block: block, proxy: proxy)
        shards = (0..<max(1, options.shards)).map { _ in CourierShard(rules, onResults: onResults) }
    }

    deinit {
        stop()
    }

    /// Queues requests on a shard. Requests to a receiver belong on one shard, which has its connections.
    ///
    /// Returns `false`, and takes none, if the inbox is full or after `stop`. Every accepted request gets a result.
    package func send(_ requests: [CourierRequest], shard: Int) -> Bool {
        shards[Int(UInt(bitPattern: shard) % UInt(shards.count))].send(requests)
    }

    /// Cancels a request that was sent on a shard, begun or not. Its result says so, unless it has ended before.
    package func cancel(_ id: Int64, shard: Int) {
        shards[Int(UInt(bitPattern: shard) % UInt(shards.count))].cancel(id)
    }

    /// Cancels all exchanges, reports them as cancelled, and returns after the threads have ended.
    package func stop() {
        for shard in shards { shard.close() }
        for shard in shards { shard.stop() }
    }
}
