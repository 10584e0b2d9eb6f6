// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Whether a provider's word proves that its user has an address.
package enum EmailTrust: Sendable, Equatable {
    /// Google is authoritative for gmail.com and for the domains of Workspace (claim `hd`) only.
    case google
    /// The provider verifies every address, as Apple does, or the operator trusts it (`trusts_email`).
    case verified
    case none

    /// Returns the address of a token and whether it is proved.
    package func email(of claims: TokenClaims) -> (address: EmailAddress, isTrusted: Bool)? {
        guard let address = claims.text("email").flatMap(EmailAddress.init) else { return nil }
        guard claims.flag("email_verified") == true else { return (address, false) }
        return switch self {
        case .google: (address, claims.text("hd").map { !$0.isEmpty } ?? false || address.key.utf8.suffix(10).elementsEqual("@gmail.com".utf8))
        case .verified: (address, true)
        case .none: (address, false)
        }
    }
}
