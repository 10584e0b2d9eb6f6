// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform

extension StorePaths {
    package var accounts: String { root + "/" + AccountStore.fileName }
    /// The default place of the key that wraps the secrets of `accounts.db`.
    package var accountsKey: String { root + "/" + AccountKeyFile.name }
}

extension ReadSession {
    package func withAccounts<T>(_ body: (AccountDB) throws -> T) throws -> T { try withSnapshot(paths.accounts, body) }

    /// Whether an app has an account with this user ID.
    package func hasAccount(_ uid: String, app: AppID) throws -> Bool { try withAccounts { try $0.account(app, uid: uid) != nil } }
}
