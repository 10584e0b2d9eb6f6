// SPDX-License-Identifier: Apache-2.0

package import Crypto

/// The signature algorithms that a provider may use. `none` and the symmetric ones are missing on purpose.
package enum TokenAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"

    /// The only kind of key that this algorithm takes.
    package var keyKind: SignatureKey.Kind {
        switch self {
        case .rs256: .rsa
        case .es256: .p256
        case .edDSA: .ed25519
        }
    }
}
