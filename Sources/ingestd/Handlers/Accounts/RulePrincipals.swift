// SPDX-License-Identifier: Apache-2.0

import Accounts
import DocumentStore
import Synchronization

/// Users as rules see them. The claims of a token are read once, and not for each of its requests.
final class RulePrincipals: Sendable {
    private struct Known: Sendable {
        let claims: [UInt8]
        let principal: RulePrincipal
    }

    /// Claims have up to some kilobytes each.
    private static let most = 4_096

    /// The newest token of each session.
    private let known = Mutex<[SessionID: Known]>([:])

    func principal(of user: ProvedUser) -> RulePrincipal {
        if let known = known.withLock({ $0[user.session] }), known.claims == user.claims { return known.principal }
        let principal = RulePrincipal(user)
        known.withLock { known in
            if known.count >= RulePrincipals.most { known = [:] }
            known[user.session] = Known(claims: user.claims, principal: principal)
        }
        return principal
    }
}
