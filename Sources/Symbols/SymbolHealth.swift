// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Whether the programs that read symbols and mangled names work. Each failure is logged once and shown in `/v1/system` until the next
/// success.
package final class SymbolHealth: Sendable {
    package enum Work: Hashable {
        case intake
        case background
    }

    private let log: Log
    private let failures = Mutex<[Work: String]>([:])

    package init(log: Log) {
        self.log = log
    }

    /// The reason why names are incomplete; nil if the programs work.
    package var failure: String? { failures.withLock { $0[.background] ?? $0[.intake] } }

    package func failed(_ work: Work, _ reason: String) {
        let isNew = failures.withLock { $0.updateValue(reason, forKey: work) != reason }
        if isNew { log.warning("failed to symbolicate crashes; retrying", ["reason": .text(reason)]) }
    }

    package func succeeded(_ work: Work) {
        failures.withLock { $0[work] = nil }
    }
}
