// SPDX-License-Identifier: Apache-2.0

package import Platform

/// An entry of the audit log.
package struct AuditEntry: Sendable, Equatable {
    package var id: Int64 = 0
    package var time = Timestamp(milliseconds: 0)
    package var action: AuditAction
    /// Nil for an action of the whole daemon.
    package var app: AppID?
    package var caller: AuditCaller
    /// The keyed hash of the user or installation that the action was about; 0 for none.
    package var person: UInt64 = 0
    /// The object of the action, such as `key 7` or `timezone, retention_days`.
    package var detail = ""
    package var outcome = AuditOutcome.unfinished
    /// The HTTP status of the response; 0 without one.
    package var status = 0
    /// The number of requests of a denial, otherwise 1.
    package var count = 1

    package init(_ action: AuditAction, app: AppID?, by caller: AuditCaller, person: UInt64 = 0, detail: String = "") {
        (self.action, self.app, self.caller, self.person) = (action, app, caller, person)
        self.detail = AuditEntry.shortened(detail)
    }

    private static let detailScalars = 200

    static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > detailScalars else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(detailScalars - 1))) + "…"
    }
}

/// The caller of an audited action.
package struct AuditCaller: Sendable, Hashable {
    /// The ID of the API key; 0 for the operator.
    package var key: Int64
    package var role: Role
    /// The client's address, or `control socket` for the operator.
    package var address: String

    package init(key: Int64, role: Role, address: String) {
        (self.key, self.role, self.address) = (key, role, address)
    }

    /// The operator of this machine.
    package static let `operator` = AuditCaller(key: 0, role: .operator, address: "control socket")
}

/// The end of an action, written to its entry.
package struct AuditEnding: Sendable {
    package var status: Int
    /// Replaces the app, for an action that made it.
    package var app: AppID?
    /// Replaces the detail.
    package var detail: String?

    package init(status: Int, app: AppID? = nil, detail: String? = nil) {
        (self.status, self.app, self.detail) = (status, app, detail)
    }
}

/// Selects entries, newest first.
package struct AuditQuery: Sendable {
    /// Nil for the entries of all apps and of the daemon.
    package var app: AppID?
    package var action: AuditAction?
    package var key: Int64?
    package var person: UInt64?
    package var from: Timestamp?
    package var to: Timestamp?
    /// Only entries with a lower ID: the last one of an earlier page.
    package var before = Int64.max
    package var limit = 100

    package init(app: AppID? = nil) {
        self.app = app
    }
}
