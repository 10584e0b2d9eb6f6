// SPDX-License-Identifier: Apache-2.0

package import Events

/// The response of a sign-in: the members of a session, or the second factor that the sign-in waits for.
package struct SignInResponse: Codable, Sendable {
    package var idToken: String?
    package var refreshToken: String?
    package var expiresAt: Moment?
    package var isNew: Bool?
    package var user: UserAccountResponse?
    package var secondFactor: PendingSignInResponse?

    package init(secondFactor: PendingSignInResponse) {
        self.secondFactor = secondFactor
    }
}

/// A sign-in that waits for a code.
package struct PendingSignInResponse: Codable, Sendable {
    /// Sent with the code.
    package var pending: String
    package var expiresAt: Moment
    package var factors: [SecondFactorResponse]

    package init(pending: String, expiresAt: Moment, factors: [SecondFactorResponse]) {
        (self.pending, self.expiresAt, self.factors) = (pending, expiresAt, factors)
    }
}

/// A second factor of an account.
package struct SecondFactorResponse: Codable, Sendable {
    package var id: String
    package var kind: String
    package var name: String?
    package var createdAt: Moment
    /// Missing until its first code, before which it is not asked for.
    package var confirmedAt: Moment?

    package init(id: String, kind: String, name: String?, createdAt: Moment, confirmedAt: Moment?) {
        (self.id, self.kind, self.name, self.createdAt, self.confirmedAt) = (id, kind, name, createdAt, confirmedAt)
    }
}

/// The second factors of a signed-in user.
package struct SecondFactorsResponse: Codable, Sendable {
    package var factors: [SecondFactorResponse]
    /// The number of unused recovery codes.
    package var recoveryCodes: Int

    package init(factors: [SecondFactorResponse], recoveryCodes: Int) {
        (self.factors, self.recoveryCodes) = (factors, recoveryCodes)
    }
}

/// A new second factor with its secret, which no other response shows.
package struct AddedFactorResponse: Codable, Sendable {
    package var factor: SecondFactorResponse
    /// The secret in base 32, for typing.
    package var secret: String
    /// The address for a QR code.
    package var url: String

    package init(_ factor: SecondFactorResponse, secret: String, url: String) {
        (self.factor, self.secret, self.url) = (factor, secret, url)
    }
}

/// A confirmed second factor; with the first one the recovery codes.
package struct ConfirmedFactorResponse: Codable, Sendable {
    package var factor: SecondFactorResponse
    package var recoveryCodes: [String]?

    package init(_ factor: SecondFactorResponse, recoveryCodes: [String]?) {
        (self.factor, self.recoveryCodes) = (factor, recoveryCodes)
    }
}

/// New recovery codes, which no other response shows.
package struct RecoveryCodesResponse: Codable, Sendable {
    package var recoveryCodes: [String]

    package init(recoveryCodes: [String]) {
        self.recoveryCodes = recoveryCodes
    }
}
