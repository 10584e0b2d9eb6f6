// SPDX-License-Identifier: Apache-2.0

package import Events

/// A session that a client keeps: its tokens and its user.
package struct SessionResponse: Codable, Sendable {
    package var idToken: String
    package var refreshToken: String
    package var expiresAt: Moment
    /// Whether the account was created by this request.
    package var isNew: Bool
    package var user: UserAccountResponse

    package init(idToken: String, refreshToken: String, expiresAt: Moment, isNew: Bool, user: UserAccountResponse) {
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.isNew = isNew
        self.user = user
    }
}

/// A code of a mail that was redeemed, or what it is for if redeeming it needs more.
package struct RedeemedCodeResponse: Codable, Sendable {
    package var kind: String
    /// The address that the mail went to; nil for codes that sign in.
    package var email: String?
    package var redeemed: Bool
    /// The user ID of the account, once redeemed.
    package var user: String?

    package init(kind: String, email: String?, redeemed: Bool, user: String? = nil) {
        (self.kind, self.email, self.redeemed, self.user) = (kind, email, redeemed, user)
    }
}

/// A mail to an account, without its content.
package struct AccountMailResponse: Codable, Sendable {
    package var at: Moment
    package var kind: String
    package var receiver: String
    package var state: String

    package init(at: Moment, kind: String, receiver: String, state: String) {
        (self.at, self.kind, self.receiver, self.state) = (at, kind, receiver, state)
    }
}

/// An account as its user sees it.
package struct UserAccountResponse: Codable, Sendable {
    package var id: String
    package var email: String?
    package var emailVerified: Bool
    package var name: String?
    package var photoUrl: String?
    package var phone: String?
    package var anonymous: Bool
    /// Further claims of ID tokens.
    package var claims: Embedded<Members<ClaimValue>>
    package var providers: [String]
    package var createdAt: Moment
    package var lastSignInAt: Moment?

    package init(
        id: String, email: String?, emailVerified: Bool, name: String?, photoUrl: String?, phone: String?, anonymous: Bool, claims: [UInt8],
        providers: [String], createdAt: Moment, lastSignInAt: Moment?
    ) {
        (self.id, self.email, self.emailVerified, self.name, self.photoUrl, self.phone) = (id, email, emailVerified, name, photoUrl, phone)
        (self.anonymous, self.claims, self.providers) = (anonymous, .json(claims), providers)
        (self.createdAt, self.lastSignInAt) = (createdAt, lastSignInAt)
    }
}

/// The value of a claim; objects and lists are read as nil.
package enum ClaimValue: Codable, Sendable, Equatable {
    case number(Double)
    case flag(Bool)
    case text(String)
    case other

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = (try? value.decode(String.self)).map { .text($0) } ?? .other
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .other: try container.encodeNil()
        }
    }
}

/// An account as an administrator sees it: the fields that its user sees, and further ones.
@dynamicMemberLookup
package struct AccountResponse: Codable, Sendable {
    package struct Standing: Codable, Sendable {
        package var disabled: Bool
        /// ID tokens that were issued before are void.
        package var validSince: Moment
        /// Only in the response about one account.
        package var identities: [IdentityResponse]?
        /// Only in the response about one account.
        package var factors: [SecondFactorResponse]?
        /// The number of unused recovery codes, only in the response about one account.
        package var recoveryCodes: Int?
        /// Only in the response about one account.
        package var sessions: [AccountSessionResponse]?
    }

    package var user: UserAccountResponse
    package var standing: Standing

    package init(user: UserAccountResponse, disabled: Bool, validSince: Moment, sessions: [AccountSessionResponse]? = nil) {
        (self.user, standing) = (user, Standing(disabled: disabled, validSince: validSince, sessions: sessions))
    }

    package subscript<T>(dynamicMember field: KeyPath<UserAccountResponse, T>) -> T { user[keyPath: field] }
    package subscript<T>(dynamicMember field: KeyPath<Standing, T>) -> T { standing[keyPath: field] }

    package init(from decoder: any Decoder) throws {
        (user, standing) = (try UserAccountResponse(from: decoder), try Standing(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try user.encode(to: encoder)
        try standing.encode(to: encoder)
    }
}

/// A user of an identity provider that an account has.
package struct IdentityResponse: Codable, Sendable {
    package var provider: String
    /// The provider's ID of the user.
    package var subject: String
    /// The address that the provider named last.
    package var email: String?
    package var linkedAt: Moment

    package init(provider: String, subject: String, email: String?, linkedAt: Moment) {
        (self.provider, self.subject, self.email, self.linkedAt) = (provider, subject, email, linkedAt)
    }
}

package struct AccountSessionResponse: Codable, Sendable {
    package var id: String
    package var createdAt: Moment
    package var lastUsedAt: Moment
    /// The way of signing in.
    package var method: String
    /// The client's description of itself.
    package var client: String?
    /// The network of the sign-in, without the host's part.
    package var place: String?
    /// The kind of the second factor with which it began.
    package var secondFactor: String?
    /// Whether the request belongs to it.
    package var current: Bool?

    package init(
        id: String, createdAt: Moment, lastUsedAt: Moment, method: String, client: String?, place: String?, secondFactor: String?, current: Bool?
    ) {
        (self.id, self.createdAt, self.lastUsedAt, self.method) = (id, createdAt, lastUsedAt, method)
        (self.client, self.place, self.secondFactor, self.current) = (client, place, secondFactor, current)
    }
}

/// Something that happened to an account.
package struct AccountEventResponse: Codable, Sendable {
    package var id: Int64
    package var at: Moment
    package var user: String
    package var event: String
    package var method: String
    package var place: String?
    package var session: String?
    package var count: Int

    package init(id: Int64, at: Moment, user: String, event: String, method: String, place: String?, session: String?, count: Int) {
        (self.id, self.at, self.user, self.event, self.method) = (id, at, user, event, method)
        (self.place, self.session, self.count) = (place, session, count)
    }
}

/// A key that signs ID tokens.
package struct SigningKeyResponse: Codable, Sendable {
    package var id: String
    package var signsFrom: Moment
    package var signsUntil: Moment
    package var knownUntil: Moment
    package var signing: Bool

    package init(id: String, signsFrom: Moment, signsUntil: Moment, knownUntil: Moment, signing: Bool) {
        (self.id, self.signsFrom, self.signsUntil, self.knownUntil, self.signing) = (id, signsFrom, signsUntil, knownUntil, signing)
    }
}

/// The result of an import of accounts.
package struct AccountImportResponse: Codable, Sendable {
    /// An entry that was not added.
    package struct Failure: Codable, Sendable {
        /// The number of the entry, from 0.
        package var index: Int
        package var id: String?
        package var code: String
        package var detail: String

        package init(index: Int, id: String?, code: String, detail: String) {
            (self.index, self.id, self.code, self.detail) = (index, id, code, detail)
        }
    }

    /// The number of errors that a response lists.
    package static let mostErrors = 100

    package var added = 0
    package var failed = 0
    package var errors: [Failure] = []

    package init() {}

    /// Counts failures and lists the first ones.
    package mutating func note(_ some: [Failure], of count: Int) {
        failed += count
        errors = Array((errors + some).sorted { $0.index < $1.index }.prefix(AccountImportResponse.mostErrors))
    }
}
