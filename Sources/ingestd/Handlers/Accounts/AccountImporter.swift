// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import Platform

/// Adds accounts of another product, a thousand in a commit. Fast hashes are wrapped before, on the threads of sign-ins.
struct AccountImporter: Sendable {
    static let entriesPerCommit = 1_000

    let store: Stores
    let hashing: AccountHashing

    /// Adds accounts and returns the conflict of each; nil for an added one.
    func add(_ accounts: [ImportedAccount], _ app: App, replaces: Bool, place: String) async throws -> [ImportConflict?] {
        let drafts = try await hashing.stored(accounts.map(\.hash))
        let origin = AccountOrigin(method: AccountOrigin.importMethod, place: place)
        return try await store.accounts.add(zip(accounts, drafts).map { AccountDraft($0, password: $1) }, app.id, replaces: replaces, origin)
    }
}

extension AccountDraft {
    fileprivate init(_ account: ImportedAccount, password: String?) {
        self.init()
        (uid, email, isEmailVerified, name, photoURL) = (account.uid, account.email, account.isEmailVerified, account.name, account.photoURL)
        (phone, isAnonymous, isDisabled, claims) = (account.phone, account.isAnonymous, account.isDisabled, account.claims)
        identities = account.identities.map { Account.Identity(provider: $0.provider, subject: $0.subject, email: $0.email) }
        (created, lastSignIn, self.password, parts) = (account.created, account.lastSignIn, password, account.parts)
    }
}
