// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization

/// Private keys for the signing keys of daemons. Making one takes longer than most tests, so the tests of a process share some.
///
/// A daemon gets up to four keys that are its own among eight daemons in a row, and new ones after them.
enum SharedKeys {
    private static let keysOfDaemon = 4
    private static let all = 32
    private static let daemons = Atomic(0)
    private static let made = Mutex<[Int: RSAPrivateKey]>([:])

    /// Returns what makes the keys of one daemon.
    static func maker() -> @Sendable () -> RSAPrivateKey {
        let first = daemons.wrappingAdd(1, ordering: .relaxed).oldValue * keysOfDaemon
        let given = Mutex(0)
        return {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            return number < keysOfDaemon ? key((first + number) % all) : .make()
        }
    }

    private static func key(_ place: Int) -> RSAPrivateKey {
        made.withLock { made in
            let key = made[place] ?? .make()
            made[place] = key
            return key
        }
    }
}
