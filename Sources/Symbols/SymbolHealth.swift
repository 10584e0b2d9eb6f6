// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Whether the programs that read symbols and mangled names work, and are confined. Each failure is logged once and shown in `/v1/system` until
/// the next success.
package final class SymbolHealth: Sendable {
    package enum Work: Hashable {
        case intake
        case background
    }

    /// The restrictions of those programs.
    package let confinement = ProcessConfinement.supported

    private let log: Log
    private let failures = Mutex<[Work: String]>([:])

    package init(log: Log) {
        self.log = log
    }

    /// Warns of restrictions that do not work.
    package func warnOfConfinement() {
        guard let lack = confinement.lack else { return }
        log.warning(
            "readers of symbol files are not fully confined; a hostile file could do more than crash its reader",
            ["reason": .text(lack), "hint": "use a kernel of 5.13 or later with Landlock, and the unit of this version"])
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
