// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// A user of an identity provider, as a checked ID token describes it.
package struct ProviderIdentity: Sendable {
    /// Such as `google.com`.
    package var provider: String
    /// The provider's ID of the user.
    package var subject: String
    package var email: EmailAddress?
    /// Whether the provider proves that the user has the address.
    package var isEmailTrusted = false
    package var name: String?
    package var photoURL: String?

    package init(provider: String, subject: String) {
        (self.provider, self.subject) = (provider, subject)
    }
}

/// An identity of an account, as it is stored.
package struct LinkedIdentity: Sendable, Equatable {
    package var provider: String
    package var subject: String
    package var email: String?
    package var linked: Timestamp
}
