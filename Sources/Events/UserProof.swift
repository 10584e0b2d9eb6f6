// SPDX-License-Identifier: Apache-2.0

/// The proof of a request's user. It decides the users that the entries may name.
package enum UserProof: Sendable, Equatable {
    /// The sender may name any user.
    case open
    /// The user of an ID token. Entries are of this user and name no other.
    case user(String)
    /// An ingest key alone in an app that asks for proof. Entries name no user.
    case missing
}
