// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization
import TestSupport

/// Private keys for the signing keys of daemons, which the tests of a process share.
///
/// A daemon gets up to four keys that are its own among eight daemons in a row, and new ones after them.
enum SharedKeys {
    private static let keysOfDaemon = 4
    private static let daemons = Atomic(0)
    private static let ready = ReadyKeys.ofDaemons.compactMap { RSAPrivateKey(der: $0) }

    /// Returns what makes the keys of one daemon.
    static func maker() -> @Sendable () -> RSAPrivateKey {
        let first = daemons.wrappingAdd(1, ordering: .relaxed).oldValue * keysOfDaemon
        let given = Mutex(0)
        return {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            return number < keysOfDaemon ? ready[(first + number) % ready.count] : .make()
        }
    }
}
