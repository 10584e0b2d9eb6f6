// SPDX-License-Identifier: Apache-2.0

/// A key that opens one app to one role.
package struct APIKey: Sendable, Equatable {
    package var id: Int64
    package var app: AppID
    package var role: Role
    package var label: String
    /// The key itself for `ingest`, which is public by nature; nil for the roles whose keys are shown once.
    package var secret: String?
    /// The first and last characters, enough to tell keys apart in a list.
    package var hint: String
    package var created: Timestamp
    package var restrictions: KeyRestrictions

    package init(
        id: Int64, app: AppID, role: Role, label: String, secret: String?, hint: String, created: Timestamp, restrictions: KeyRestrictions
    ) {
        self.id = id
        self.app = app
        self.role = role
        self.label = label
        self.secret = secret
        self.hint = hint
        self.created = created
        self.restrictions = restrictions
    }
}

/// What an ingest key may be narrowed to; empty lists and 0 narrow nothing.
package struct KeyRestrictions: Sendable, Equatable {
    package var bundleIDs: [String] = []
    package var origins: [String] = []
    package var eventsPerMinute = 0

    package init() {}
}
