// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The configuration in force; a reload replaces it while handlers hold this object.
final class LiveConfiguration: Sendable {
    private let value: Mutex<Configuration>

    init(_ configuration: Configuration) {
        value = Mutex(configuration)
    }

    var now: Configuration { value.withLock { $0 } }

    func replace(_ new: Configuration) {
        value.withLock { $0 = new }
    }
}
