// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The credentials of this device, as they are stored.
struct StoredCredentials: Codable, Equatable {
    var session: StoredSession?
    /// Refresh tokens of sessions that ended here and that the daemon does not know to have ended.
    var signOuts: [String] = []

    var isEmpty: Bool { session == nil && signOuts.isEmpty }
}

/// A session with its tokens.
struct StoredSession: Codable, Equatable {
    /// A session whose ID token ends within this time is refreshed.
    static let refreshesBeforeSeconds: TimeInterval = 5 * 60

    var user: AccountUser
    var idToken: String
    var refreshToken: String
    /// The end of the ID token, by the daemon's clock.
    var expiresAt: Date
    /// The daemon's clock minus this device's, at the last refresh.
    var clockOffset: TimeInterval

    private func secondsLeft(at now: Date) -> TimeInterval { expiresAt.timeIntervalSince(now) - clockOffset }

    func needsRefresh(at now: Date) -> Bool { secondsLeft(at: now) < StoredSession.refreshesBeforeSeconds }

    func isUsable(at now: Date) -> Bool { secondsLeft(at: now) > 0 }

    func asSession(isNew: Bool = false) -> AccountSession {
        AccountSession(user: user, idToken: idToken, expiresAt: expiresAt, isNew: isNew)
    }
}

/// The session in a response of the daemon.
struct SessionResponse: Decodable {
    var id_token: String
    var refresh_token: String
    var expires_at: Date
    var is_new: Bool
    var user: AccountUser

    init?(_ body: Data) {
        guard let response = try? JSONDecoder.accounts.decode(SessionResponse.self, from: body) else { return nil }
        self = response
    }

    /// - Parameter now: The time at which the response arrived. The token's `iat` is the daemon's clock at that time.
    func stored(at now: Date) -> StoredSession {
        let issued = TokenClaims(of: id_token)?.iat
        return StoredSession(
            user: user, idToken: id_token, refreshToken: refresh_token, expiresAt: expires_at,
            clockOffset: issued.map { Date(timeIntervalSince1970: $0).timeIntervalSince(now) } ?? 0)
    }
}

/// The claims of an ID token that the client reads. The daemon is trusted, so no signature is checked.
struct TokenClaims: Decodable {
    var iat: TimeInterval?
    /// The number of the app.
    var sb_app: Int64?
    /// The ID of the session.
    var sid: String?

    init?(of token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text), let claims = try? JSONDecoder().decode(TokenClaims.self, from: data) else { return nil }
        self = claims
    }
}

/// The response to a sign-in that needs a second factor.
struct SecondFactorResponse: Decodable {
    struct Pending: Decodable {
        var pending: String
        var expires_at: Date
        var factors: [PendingSignIn.Factor]
    }

    var second_factor: Pending

    static func pending(_ body: Data) -> PendingSignIn? {
        guard let found = try? JSONDecoder.accounts.decode(SecondFactorResponse.self, from: body).second_factor else { return nil }
        return PendingSignIn(pending: found.pending, expiresAt: found.expires_at, factors: found.factors)
    }
}

extension JSONDecoder {
    /// Decodes times of the daemon: `2026-11-26T10:00:00.000Z`.
    static var accounts: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
        }
        return decoder
    }
}
