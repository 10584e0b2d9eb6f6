// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A second factor of the signed-in user: an authenticator app.
public struct SecondFactor: Sendable, Hashable, Decodable {
    /// The ID.
    public var id: String
    /// The kind: `totp`.
    public var kind: String
    /// The name that the user gave it.
    public var name: String?
    /// The time at which it was added.
    public var createdAt: Date
    /// The time of its first code, before which sign-ins do not ask for it.
    public var confirmedAt: Date?

    /// Creates a factor, for tests.
    public init(id: String, kind: String = "totp", name: String? = nil, createdAt: Date = Date(), confirmedAt: Date? = nil) {
        (self.id, self.kind, self.name, self.createdAt, self.confirmedAt) = (id, kind, name, createdAt, confirmedAt)
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, name
        case createdAt = "created_at"
        case confirmedAt = "confirmed_at"
    }
}

/// The second factors of the signed-in user.
public struct SecondFactors: Sendable, Hashable, Decodable {
    /// The factors, also those that are not confirmed.
    public var factors: [SecondFactor]
    /// The number of unused recovery codes.
    public var recoveryCodes: Int

    /// Creates a list, for tests.
    public init(factors: [SecondFactor], recoveryCodes: Int) {
        (self.factors, self.recoveryCodes) = (factors, recoveryCodes)
    }

    private enum CodingKeys: String, CodingKey {
        case factors
        case recoveryCodes = "recovery_codes"
    }
}

/// A new second factor with its secret, which nothing shows later.
public struct AddedSecondFactor: Sendable, Hashable, Decodable {
    /// The factor. It counts once ``Accounts/confirmSecondFactor(_:code:)`` got its first code.
    public var factor: SecondFactor
    /// The secret in base 32, for typing.
    public var secret: String
    /// The address for a QR code: `otpauth://totp/…`.
    public var url: URL

    /// Creates a value, for tests.
    public init(factor: SecondFactor, secret: String, url: URL) {
        (self.factor, self.secret, self.url) = (factor, secret, url)
    }
}
