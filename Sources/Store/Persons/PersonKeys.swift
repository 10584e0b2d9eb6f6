// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite

/// A person as somebody asks about them.
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

    func key(in app: AppID, _ hash: KeyedHash) -> UInt64 {
        hash(kind == .user ? .user : .installation, app: app, Array(text.utf8).span)
    }
}

/// Whose rows are meant: a user's and those of some installations.
struct PersonKeys: Sendable {
    let app: AppID
    /// 0 where no user is meant.
    var user: UInt64 = 0
    var installations: Set<UInt64> = []
    /// Whether of the installations only the rows without a user are meant.
    var onlyAnonymous = false

    var all: Set<UInt64> { user == 0 ? installations : installations.union([user]) }

    func contains(user: UInt64, installation: UInt64) -> Bool {
        user != 0 && user == self.user || installation != 0 && installations.contains(installation) && (user == 0 || !onlyAnonymous)
    }

    /// The same as a condition on the columns `app`, `user` and `installation` of a table, with what stands before their names.
    func condition(on table: String) -> String {
        let anonymous = onlyAnonymous ? "\(table)user = 0 AND " : ""
        let ofUser = user == 0 ? nil : "\(table)user = \(user.literal)"
        let ofInstallations = installations.isEmpty ? nil : "\(anonymous)\(table)installation IN \(installations.list)"
        return "\(table)app = \(app.rawValue) AND (\([ofUser, ofInstallations].compactMap(\.self).joined(separator: " OR ")))"
    }

    var condition: String { condition(on: "") }
}

extension UInt64 {
    /// A key as it stands in a statement.
    var literal: String { String(Int64(bitPattern: self)) }
}

extension Set<UInt64> {
    /// Keys as they stand behind IN.
    var list: String { "(\(sorted().map(\.literal).joined(separator: ", ")))" }
}
