// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Database
import Platform

/// Where a restoration finds the key of the accounts.
package enum AccountsKeyPlace: Sendable {
    /// In the backup.
    case backup
    /// In a file that is copied into the data folder.
    case copied(from: String)
    /// In the file that the configuration names and the daemon will read.
    case configured(String)
}

extension Backup {
    /// Puts the key of the accounts in its place. Rejects accounts without their key, because nobody could sign in to them.
    static func restoreAccountsKey(_ paths: StorePaths, _ place: AccountsKeyPlace) throws {
        guard Folder.exists(paths.accounts) else { return }
        var path = paths.accountsKey
        switch place {
        case .backup: break
        case .copied(let source): try copyFile(source, to: path)
        case .configured(let file): path = file
        }
        do {
            try AccountDB.change(paths.accounts) { file in if try file.keyFingerprint() != nil { _ = try file.key(at: path) } }
        } catch StoreError.keyMissing {
            throw Refusal(
                .invalid, "The backup has accounts, but not the key that they need.",
                hint: "Name a copy of \(AccountKeyFile.name) with --accounts-key FILE.")
        } catch StoreError.keyUnusable(_, let reason) {
            throw Refusal(.invalid, "The key of the accounts cannot be used: \(reason).", hint: "Name the right file with --accounts-key FILE.")
        }
    }
}
