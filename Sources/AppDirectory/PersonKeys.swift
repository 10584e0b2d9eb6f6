// SPDX-License-Identifier: Apache-2.0

package import Platform
import Database

/// A person as named in a request: the ID of a user or an installation.
package struct PersonID: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        case user, installation
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    package func key(in app: AppID, _ hash: KeyedHash) -> UInt64 {
        hash(kind == .user ? .user : .installation, app: app, Array(text.utf8).span)
    }
}

/// The keys that select a person's rows: a user and some installations.
///
/// With `onlyAnonymous`, an installation selects only its rows without a user:
///
///     PersonKeys(app: 1, user: a, installations: [i], onlyAnonymous: true).condition
///     → app = 1 AND (user = a OR user = 0 AND installation IN (i))
package struct PersonKeys: Sendable {
    package let app: AppID
    /// The user's key; 0 for no user.
    package var user: UInt64 = 0
    package var installations: Set<UInt64> = []
    /// Whether installations select only rows without a user.
    package var onlyAnonymous = false

    package init(app: AppID, user: UInt64 = 0, installations: Set<UInt64> = [], onlyAnonymous: Bool = false) {
        self.app = app
        self.user = user
        self.installations = installations
        self.onlyAnonymous = onlyAnonymous
    }

    package var all: Set<UInt64> { user == 0 ? installations : installations.union([user]) }

    package func contains(user: UInt64, installation: UInt64) -> Bool {
        user != 0 && user == self.user || installation != 0 && installations.contains(installation) && (user == 0 || !onlyAnonymous)
    }

    /// The keys as an SQL condition on the columns `app`, `user` and `installation`.
    ///
    /// - Parameter table: The prefix of the columns, such as `e.`.
    package func condition(on table: String) -> String {
        let anonymous = onlyAnonymous ? "\(table)user = 0 AND " : ""
        let ofUser = user == 0 ? nil : "\(table)user = \(user.literal)"
        let ofInstallations = installations.isEmpty ? nil : "\(anonymous)\(table)installation IN \(installations.list)"
        return "\(table)app = \(app.rawValue) AND (\([ofUser, ofInstallations].compactMap(\.self).joined(separator: " OR ")))"
    }

    package var condition: String { condition(on: "") }
}

/// The IDs of a person as bytes, to find them in quarantined events, which are stored as sent.
package struct PersonTexts: Sendable {
    package var users: Set<[UInt8]> = []
    package var installations: Set<[UInt8]> = []

    package init() {}

    package init(_ id: PersonID) {
        add(id.kind, id.text)
    }

    package mutating func add(_ kind: PersonID.Kind, _ text: String) {
        switch kind {
        case .user: users.insert(Array(text.utf8))
        case .installation: installations.insert(Array(text.utf8))
        }
    }
}
