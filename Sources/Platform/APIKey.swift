// SPDX-License-Identifier: Apache-2.0

/// An API key: grants one role in one app.
package struct APIKey: Sendable, Equatable {
    package var id: Int64
    package var app: AppID
    package var role: Role
    package var label: String
    /// The full key for `ingest`, which is public; `nil` for roles whose keys are shown once.
    package var secret: String?
    /// The first and last characters, to distinguish keys in a list.
    package var hint: String
    package var created: Timestamp
    package var restrictions: KeyRestrictions
    /// The time from which the key is rejected; `nil` for never.
    package var expires: Timestamp?
    /// The key that this one replaces by rotation.
    package var replaces: Int64?
    /// The number of runs of functions that led to the request, for the key of a run; 0 for all other keys.
    package var depth = 0

    package init(
        id: Int64, app: AppID, role: Role, label: String, secret: String?, hint: String, created: Timestamp, restrictions: KeyRestrictions,
        expires: Timestamp? = nil, replaces: Int64? = nil
    ) {
        self.id = id
        self.app = app
        self.role = role
        self.label = label
        self.secret = secret
        self.hint = hint
        self.created = created
        self.restrictions = restrictions
        self.expires = expires
        self.replaces = replaces
    }

    package func isValid(at now: Timestamp) -> Bool { expires.map { now < $0 } ?? true }
}

/// Restrictions of an ingest key; empty lists and 0 mean none.
package struct KeyRestrictions: Sendable, Equatable {
    package var bundleIDs: [String] = []
    package var origins: [String] = []
    package var eventsPerMinute = 0

    package init() {}
}
