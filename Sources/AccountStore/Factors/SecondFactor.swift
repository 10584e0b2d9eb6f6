// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// A second factor of an account: an authenticator app.
package struct SecondFactor: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        case totp
        /// A recovery code, which replaces a lost authenticator app once. It is named in sessions and never listed.
        case recovery
    }

    package var id: String
    package var kind: Kind
    package var name: String?
    package var created: Timestamp
    /// The time of the first right code; nil before, while the factor is not asked for.
    package var confirmed: Timestamp?

    /// The time for which a factor waits for its first code.
    package static let patience = Timestamp.Span.minutes(15)
    package static let most = 5

    static func makeID() -> String { randomToken(prefix: "factor_", bits: 96) }
}

/// The second step of a sign-in, as far as the client has sent it.
package enum SecondFactorProof: Sendable {
    /// Nothing: an account with a second factor throws `SecondFactorNeeded`.
    case missing
    /// A code of one of the account's factors or, with `recovery`, one of its recovery codes. Without a factor any authenticator app may have
    /// made it.
    case code(String, factor: String?)

    /// The value of `factor` that stands for recovery codes.
    package static let recovery = SecondFactor.Kind.recovery.rawValue
}

/// The error of a sign-in whose first factor is right. The sign-in is repeated with a code.
package struct SecondFactorNeeded: Error {
    package var account: Account
    /// The confirmed factors.
    package var factors: [SecondFactor]
}

extension Refusal {
    /// The answer of an integration that cannot ask for a code.
    package static let secondFactorNeeded = Refusal(
        .forbidden, "The account has a second factor, which this route cannot ask for.", hint: "Sign in with POST /v1/auth/sign-in.")
    package static let invalidCode = Refusal(
        .invalidCode, "The code is wrong, or was used before.", hint: "Enter the code that the authenticator app shows now.")
}
