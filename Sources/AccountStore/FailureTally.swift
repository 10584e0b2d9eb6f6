// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// Failed sign-ins in memory, by account and network, until the next commit writes them.
///
/// A failed sign-in must not wait for the disk: strangers' attempts do not, and the difference would tell whether an account exists.
final class FailureTally: Sendable {
    struct Key: Hashable, Sendable {
        var app: AppID
        var uid: String
        var origin: AccountOrigin
    }

    private static let most = 10_000

    private let counts = Mutex<[Key: Int]>([:])

    var isEmpty: Bool { counts.withLock(\.isEmpty) }

    /// Counts a failure. Beyond the limit new accounts and networks are not counted.
    func add(_ key: Key) {
        counts.withLock { counts in
            if counts.count < FailureTally.most || counts[key] != nil { counts[key, default: 0] += 1 }
        }
    }

    func take() -> [Key: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    func putBack(_ taken: [Key: Int]) {
        counts.withLock { $0.merge(taken, uniquingKeysWith: +) }
    }
}
