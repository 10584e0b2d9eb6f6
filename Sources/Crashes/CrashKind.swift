// SPDX-License-Identifier: Apache-2.0

import Platform

/// What a crash was to the person who used the app. Kinds never share an issue.
package enum CrashKind: Int, StoredWord {
    /// The app ended.
    case fatal = 1
    /// Something went wrong, and the app went on.
    case nonfatal = 2
    /// The app did not answer.
    case anr = 3
}

package enum CrashLevel: Int, StoredWord {
    case fatal = 1
    case error, warning, info, debug
}

extension CrashKind {
    /// What a report that does not say it is: a hang by its mechanism, fatal where nothing handled it or its level says so.
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
    /// The names that SDKs have for an app that did not answer.
    private static let hangs: Set = ["anr", "apphang", "appexitinfo", "applicationnotresponding", "mainthreadwatchdog"]

    fileprivate var isHang: Bool {
        guard let type else { return false }
        return CrashMechanism.hangs.contains(String(type.lowercased().filter(\.isLetter)))
    }
}
