// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Analytics
import AppDirectory
import CrashStore
import Database
import EventStore
import MessageStore
import Messaging
import Platform

/// The kinds of alerts, by the stable word that their messages carry as `cause`.
package enum AlertKind: String, CaseIterable, Sendable {
    // $alerts.system
    case storage, disk, wal, queue, messages, crashes, worker
    // $alerts.delivery
    case disabledOrigin = "disabled"
    case exhausted
    // $alerts.ingest
    case quarantineSpike = "quarantine_spike"
    case volumeDrop = "volume_drop"
    // $alerts.crashes
    case newFatal = "new_fatal"
    case newNonfatal = "new_nonfatal"
    case newANR = "new_anr"
    case regressed, unmuted
    case manyNew = "many_new"
    case velocity
    case missingSymbols = "missing_symbols"

    var topic: DaemonTopic {
        switch self {
        case .storage, .disk, .wal, .queue, .messages, .crashes, .worker: .system
        case .disabledOrigin, .exhausted: .delivery
        case .quarantineSpike, .volumeDrop: .ingest
        case .newFatal, .newNonfatal, .newANR, .regressed, .unmuted, .manyNew, .velocity, .missingSymbols: .crashes
        }
    }

    /// The key under which an alert is stored while it stands: `wal`, or with an object `velocity:ISSUE:RELEASE`.
    func cause(_ object: String? = nil) -> String {
        object.map { "\(rawValue):\($0)" } ?? rawValue
    }

    /// Reads the kind of a stored cause: `velocity:a1:2.0` is `.velocity`.
    init?(cause: String) {
        self.init(rawValue: String(cause.unicodeScalars.prefix { $0 != ":" }))
    }
}

/// A condition that makes the daemon reject data and does not pass by itself.
package struct StandingProblem: Sendable {
    package let kind: AlertKind
    package let text: String

    package init(kind: AlertKind, text: String) {
        self.kind = kind
        self.text = text
    }
}

extension AlertCause {
    /// - Parameter object: Distinguishes alerts of the same kind, such as an issue.
    init(_ kind: AlertKind, of object: String? = nil, _ text: String, data: [(name: String, value: String)] = []) {
        self.init(kind.topic, kind.cause(object), text, data: data)
    }
}

extension StandingAlert {
    var kind: AlertKind? { AlertKind(cause: cause) }
    /// The part of the cause after its kind.
    var object: String { String(cause.unicodeScalars.drop { $0 != ":" }.dropFirst()) }
}
