// SPDX-License-Identifier: Apache-2.0

import Platform

/// The severity of a report for the user. Reports of different kinds never share an issue.
package enum CrashKind: Int, StoredWord {
    /// The app terminated.
    case fatal = 1
    /// An error was reported and the app continued.
    case nonfatal = 2
    /// The app did not respond.
    case anr = 3
}

package enum CrashLevel: Int, StoredWord {
    case fatal = 1
    case error, warning, info, debug
}

extension CrashKind {
    /// Derives the kind of a report that does not state it: `anr` if a mechanism is a hang, `fatal` if an exception is unhandled or the
    /// level is fatal, else `nonfatal`.
    package init(level: CrashLevel?, handled: Bool?, exceptions: [CrashException]) {
        if exceptions.contains(where: { $0.mechanism.isHang }) {
            self = .anr
        } else {
            let isUnhandled = handled == false || exceptions.contains { $0.mechanism.handled == false }
            self = isUnhandled || level == .fatal ? .fatal : .nonfatal
        }
    }
}

extension CrashMechanism {
    /// Mechanism names with which SDKs report a hang, in lower case and without punctuation.
    private static let hangs: Set = ["anr", "apphang", "appexitinfo", "applicationnotresponding", "mainthreadwatchdog"]

    fileprivate var isHang: Bool {
        guard let type else { return false }
        return CrashMechanism.hangs.contains(String(type.lowercased().filter(\.isLetter)))
    }
}
