// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

/// An entry of the audit log.
package struct AuditEntryResponse: Codable, Sendable {
    package var id: Int64
    package var at: Moment
    package var action: Named<AuditAction>
    /// Nil for an action of the whole daemon.
    package var app: Int64?
    /// The ID of the key; nil for the operator.
    package var key: Int64?
    package var role: Named<Role>
    package var address: String
    /// The keyed hash of a user or installation ID, in hexadecimal digits.
    package var person: String?
    /// The object of the action.
    package var detail: String?
    package var outcome: Named<AuditOutcome>
    /// The HTTP status; nil without a response.
    package var status: Int?
    package var count: Int

    package init(
        id: Int64, at: Moment, action: AuditAction, app: Int64?, key: Int64?, role: Role, address: String, person: String?, detail: String?,
        outcome: AuditOutcome, status: Int?, count: Int
    ) {
        (self.id, self.at, self.app, self.key, self.address) = (id, at, app, key, address)
        (self.person, self.detail, self.status, self.count) = (person, detail, status, count)
        self.action = .known(action)
        self.role = .known(role)
        self.outcome = .known(outcome)
    }
}
