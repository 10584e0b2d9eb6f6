// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// A session: what one sign-in began and refresh tokens continue.
package struct AccountSession: Sendable, Equatable {
    package var id: SessionID
    /// The ingest key that the session was made or last refreshed with.
    package var key: Int64
    /// The time of the sign-in.
    package var created: Timestamp
    /// The newest refresh token, and the use of older ones.
    package var state: RefreshState
    package var method: String
    /// The client's description of itself.
    package var client: String
    package var place: String
    /// Claims of this session alone, as a JSON object.
    package var claims: String?
    /// The second factor with which it began.
    package var secondFactor: SecondFactor.Kind?
}

/// The facts of a session to begin.
package struct SessionDraft: Sendable {
    package var key: Int64
    package var client: String
    /// The keyed hash of the installation that signs in.
    package var device: UInt64?
    package var claims: String?

    package init(key: Int64, client: String, device: UInt64? = nil) {
        (self.key, self.client, self.device) = (key, client, device)
    }
}
