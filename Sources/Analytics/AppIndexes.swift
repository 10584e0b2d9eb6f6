// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// Indexes of apps in memory, one for each app that queries are run for.
///
/// They share a limit of bytes. The one that was used longest ago is dropped first.
final class AppIndexes<Index: Sendable>: Sendable {
    /// The index of one app. Its queries take turns, so that files are read and news are added once.
    private final class Slot: Sendable {
        let index: Mutex<Index>

        init(_ index: Index) { self.index = Mutex(index) }
    }

    private struct Use: Sendable {
        var slot: Slot
        var last: ContinuousClock.Instant
        var bytes = 0
    }

    let limit: Int
    private let empty: Index
    private let didDrop: @Sendable (AppID) -> Void
    private let apps = Mutex<[AppID: Use]>([:])

    /// - Parameters:
    ///   - empty: The index of an app at its first query.
    ///   - didDrop: Called with an app whose index was dropped.
    init(limit: Int, empty: Index, didDrop: @escaping @Sendable (AppID) -> Void) {
        (self.limit, self.empty, self.didDrop) = (limit, empty, didDrop)
    }

    /// The bytes of all indexes.
    var bytes: Int { apps.withLock { $0.values.reduce(0) { $0 + $1.bytes } } }

    /// Calls a closure with the index of an app, and drops others until all are within the limit.
    ///
    /// - Parameter body: Returns its result and the bytes of the index.
    func use<T: Sendable>(_ app: AppID, _ body: (inout Index) throws -> (T, bytes: Int)) rethrows -> T {
        let slot = apps.withLock { apps -> Slot in
            let use = apps[app] ?? Use(slot: Slot(empty), last: .now)
            apps[app] = Use(slot: use.slot, last: .now, bytes: use.bytes)
            return use.slot
        }
        let (result, bytes) = try slot.index.withLock { try body(&$0) }
        settle(app, slot, bytes)
        return result
    }

    /// Drops the indexes of apps that were not used for some time.
    func forgetUnused(for time: Duration) {
        drop { apps in apps.filter { $0.value.last + time < .now }.map(\.key) }
    }

    /// Records the size of an index and drops others until all are within the limit.
    private func settle(_ app: AppID, _ slot: Slot, _ bytes: Int) {
        drop { apps in
            if apps[app]?.slot === slot { apps[app]?.bytes = bytes }
            var sum = apps.values.reduce(0) { $0 + $1.bytes }
            var dropped: [AppID] = []
            for (other, use) in apps.sorted(by: { $0.value.last < $1.value.last }) where sum > limit && other != app {
                sum -= use.bytes
                dropped.append(other)
            }
            return dropped
        }
    }

    private func drop(_ choose: (inout [AppID: Use]) -> [AppID]) {
        let dropped = apps.withLock { apps in
            let dropped = choose(&apps)
            for app in dropped { apps[app] = nil }
            return dropped
        }
        for app in dropped { didDrop(app) }
    }
}
