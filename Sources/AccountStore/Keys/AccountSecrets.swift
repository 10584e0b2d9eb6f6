// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE
package import Platform
import Synchronization

/// The key outside the database and the signing keys, in memory. Both are missing until the first account.
package final class AccountSecrets: Sendable {
    /// A signing key and the times of its life.
    package struct TimedKey: Sendable {
        package var key: SigningKey
        package var signsFrom: Timestamp
        package var signsUntil: Timestamp
        /// The end of the time for which tokens of the key are accepted.
        package var knownUntil: Timestamp
    }

    private struct State: Sendable {
        var key: AccountsKey?
        var keys: [TimedKey]
        /// Rises with each change of the keys.
        var version = 0
    }

    /// The file of the key.
    package let path: String
    private let state: Mutex<State>

    init(path: String, key: AccountsKey?, keys: [TimedKey]) {
        self.path = path
        state = Mutex(State(key: key, keys: keys))
    }

    package var key: AccountsKey? { state.withLock(\.key) }
    package var keys: [TimedKey] { state.withLock(\.keys) }
    package var version: Int { state.withLock(\.version) }

    /// Returns the key that signs now: the newest whose time has begun.
    package func signing(at now: Timestamp) -> SigningKey? {
        state.withLock { $0.keys.filter { $0.signsFrom <= now }.max { $0.signsFrom < $1.signsFrom }?.key }
    }

    /// Returns the keys that clients may meet in tokens now or soon, with the version of the list.
    package func published(at now: Timestamp) -> (keys: [PublishedKey], version: Int) {
        state.withLock { state in (state.keys.filter { $0.knownUntil > now }.map(\.key.published), state.version) }
    }

    func replace(_ key: AccountsKey, _ keys: [TimedKey]) {
        state.withLock { state in
            (state.key, state.keys) = (key, keys)
            state.version += 1
        }
    }
}
