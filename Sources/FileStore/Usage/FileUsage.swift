// SPDX-License-Identifier: Apache-2.0

import Platform

/// The usage of an app or of one of its users: stored bytes and files, and open uploads.
package struct FileUsage: Sendable, Hashable {
    package var bytes: Int64 = 0
    package var files: Int64 = 0
    package var uploads: Int64 = 0
    /// The declared lengths of open uploads.
    package var reserved: Int64 = 0

    package init(bytes: Int64 = 0, files: Int64 = 0, uploads: Int64 = 0, reserved: Int64 = 0) {
        (self.bytes, self.files, self.uploads, self.reserved) = (bytes, files, uploads, reserved)
    }

    static prefix func - (usage: FileUsage) -> FileUsage {
        FileUsage(bytes: -usage.bytes, files: -usage.files, uploads: -usage.uploads, reserved: -usage.reserved)
    }
}

/// The usage of a user.
package struct FileOwnerUsage: Sendable, Hashable {
    package var owner: String
    package var usage: FileUsage
}

/// An account of usage: a user of an app, a whole app, or all apps.
struct FileAccount: Hashable, Sendable {
    static let all = FileAccount(app: AppID(rawValue: 0), owner: "")

    var app: AppID
    var owner: String

    /// The accounts that a file counts in.
    static func of(_ owner: String?, app: AppID) -> [FileAccount] {
        [.all, FileAccount(app: app, owner: "")] + (owner.map { $0.isEmpty ? [] : [FileAccount(app: app, owner: $0)] } ?? [])
    }
}
