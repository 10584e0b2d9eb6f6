// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Sends many requests at once to receivers that need not be friendly: on threads of its own, each with one multi handle of libcurl.
///
/// It follows no redirect, asks no proxy, keeps no cookie, speaks http and https alone, reads no more of an answer than its beginning, and connects to no
/// address that its check forbids. The check is asked of every address a name leads to and again before every request on a connection that is kept, so a
/// new policy holds from the next request on.
package final class HTTPCourier: Sendable {
    private let shards: [CourierShard]

    /// What became of requests is told in batches, on the shard's thread: `onResults` and `mayConnect` must be quick and must not call `stop`.
    package init(
        _ options: HTTPCourierOptions, mayConnect: @escaping @Sendable (IPAddress) -> Bool, onResults: @escaping @Sendable ([CourierResult]) -> Void
    ) {
        let rules = CourierRules(options: options, mayConnect: mayConnect)
        shards = (0..<max(1, options.shards)).map { _ in CourierShard(rules, onResults: onResults) }
    }

    deinit {
        stop()
    }

    /// Hands requests to one of the shards: those to one receiver belong to one shard, where its connections are.
    ///
    /// False when there is no room for all of them, or after `stop`: then none was taken. Of each that was taken there will be a result.
    package func send(_ requests: [CourierRequest], shard: Int) -> Bool {
        shards[Int(UInt(bitPattern: shard) % UInt(shards.count))].send(requests)
    }

    /// Ends every exchange, tells of each as cancelled, and returns once the threads are gone.
    package func stop() {
        for shard in shards { shard.close() }
        for shard in shards { shard.stop() }
    }
}
