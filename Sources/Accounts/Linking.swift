// SPDX-License-Identifier: Apache-2.0

/// The rule for an identity of a provider: which account it signs in to, or why it does not.
///
///     known identity                              signs in to its account
///     known identity, another account signed in   rejected: it is linked elsewhere
///     new identity, an account signed in          linked to that account
///     trusted address of an account               linked to it; if it never verified the address, everything of it is dropped before
///     untrusted address of an account             rejected: the account exists
///     otherwise                                   a new account
package enum Linking<Account: Equatable & Sendable> {
    /// An account that has the identity's address.
    package struct AddressOwner: Sendable, Equatable {
        package var account: Account
        package var isVerified: Bool

        package init(_ account: Account, isVerified: Bool) {
            (self.account, self.isVerified) = (account, isVerified)
        }
    }

    package struct Facts: Sendable {
        /// The account that has the provider's identity.
        package var linked: Account?
        /// The account of the id token in the request.
        package var signedIn: Account?
        package var addressOwner: AddressOwner?
        /// Whether the provider proves that its user has the address (`EmailTrust`).
        package var isAddressTrusted: Bool

        package init(linked: Account?, signedIn: Account?, addressOwner: AddressOwner?, isAddressTrusted: Bool) {
            (self.linked, self.signedIn, self.addressOwner, self.isAddressTrusted) = (linked, signedIn, addressOwner, isAddressTrusted)
        }
    }

    package enum Decision: Sendable, Equatable {
        case signIn(Account)
        case link(Account)
        /// Links the identity after the password, identities, factors and sessions were dropped: whoever made the account with somebody
        /// else's address must not keep a way in.
        case takeOver(Account)
        case create
        case identityLinked
        case accountExists
    }

    package static func decide(_ facts: Facts) -> Decision {
        if let linked = facts.linked { return facts.signedIn.map { $0 == linked } ?? true ? .signIn(linked) : .identityLinked }
        if let signedIn = facts.signedIn { return .link(signedIn) }
        guard let owner = facts.addressOwner else { return .create }
        guard facts.isAddressTrusted else { return .accountExists }
        return owner.isVerified ? .link(owner.account) : .takeOver(owner.account)
    }
}
