// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// The user IDs, addresses, phone numbers and users of identity providers whose accounts are to be found.
package struct AccountLookup: Sendable {
    package var uids: [String]
    package var emails: [EmailAddress]
    package var phones: [String]
    package var identities: [Account.Identity] = []

    package init(uids: [String] = [], emails: [EmailAddress] = [], phones: [String] = []) {
        (self.uids, self.emails, self.phones) = (uids, emails, phones)
    }

    package var count: Int { uids.count + emails.count + phones.count + identities.count }
}

extension AccountStore {
    /// Returns the accounts that any of the names belongs to, each once.
    package func accounts(_ app: AppID, _ query: AccountLookup) async throws -> [Account] {
        try await read { file in
            var seen: Set<Int64> = []
            let found =
                try query.uids.compactMap { try file.account(app, uid: $0) } + query.emails.compactMap { try file.account(app, email: $0.key) }
                + query.phones.compactMap { try file.account(app, phone: $0) }
                + query.identities.compactMap { try file.account(app, $0.provider, subject: $0.subject) }
            return found.filter { seen.insert($0.id).inserted }
        }
    }

    package func countAccounts(_ app: AppID) async throws -> Int { try await read { try $0.countAccounts(app) } }
}
