// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A session of the signed-in user, on this or another device.
public struct SignedInSession: Sendable, Hashable, Decodable, Identifiable {
    /// The ID.
    public var id: String
    /// The time of the sign-in.
    public var createdAt: Date
    /// The time of the last refresh.
    public var lastUsedAt: Date
    /// The way of signing in: `password`, `google.com` and so on.
    public var method: String
    /// The client's description of itself at the sign-in.
    public var client: String?
    /// The network of the sign-in, such as `203.0.113.0/24`.
    public var place: String?
    /// The kind of the second factor with which it began.
    public var secondFactor: String?
    /// Whether it is the session of this device.
    public var isCurrent: Bool

    /// Creates a session, for tests.
    public init(
        id: String, createdAt: Date = Date(), lastUsedAt: Date = Date(), method: String = "password", client: String? = nil, place: String? = nil,
        secondFactor: String? = nil, isCurrent: Bool = false
    ) {
        (self.id, self.createdAt, self.lastUsedAt, self.method) = (id, createdAt, lastUsedAt, method)
        (self.client, self.place, self.secondFactor, self.isCurrent) = (client, place, secondFactor, isCurrent)
    }

    /// Decodes a session of the daemon's list.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        createdAt = try fields.decode(Date.self, forKey: .createdAt)
        lastUsedAt = try fields.decode(Date.self, forKey: .lastUsedAt)
        method = try fields.decode(String.self, forKey: .method)
        client = try fields.decodeIfPresent(String.self, forKey: .client)
        place = try fields.decodeIfPresent(String.self, forKey: .place)
        secondFactor = try fields.decodeIfPresent(String.self, forKey: .secondFactor)
        isCurrent = try fields.decodeIfPresent(Bool.self, forKey: .isCurrent) ?? false
    }

    private enum CodingKeys: String, CodingKey {
        case id, method, client, place
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case secondFactor = "second_factor"
        case isCurrent = "current"
    }
}

/// A code of a mail that was shown to the daemon.
public struct RedeemedCode: Sendable, Hashable {
    /// The purpose of a mail's code.
    public enum Kind: String, Sendable, Hashable {
        /// The account is created, in an app that requires verified addresses. The user signs in then.
        case signUp = "sign_up"
        /// The address is verified.
        case verifyEmail = "verify_email"
        /// A new password is set, and all sessions end.
        case resetPassword = "reset_password"
        /// A session begins, by ``Accounts/signIn(with:)`` with ``Credential/code(_:email:)``.
        case signIn = "sign_in"
        /// The account gets the new address.
        case changeEmail = "change_email"
        /// A kind that this client has no call for, such as an invitation.
        case other
    }

    /// The purpose of the code.
    public var kind: Kind
    /// The address that the mail went to; `nil` for a code that signs in.
    public var email: String?
    /// Whether the code was used up. One that needs a new password, or that signs in, was only looked at.
    public var isRedeemed: Bool

    /// Creates a value, for tests.
    public init(kind: Kind, email: String?, isRedeemed: Bool) {
        (self.kind, self.email, self.isRedeemed) = (kind, email, isRedeemed)
    }
}
