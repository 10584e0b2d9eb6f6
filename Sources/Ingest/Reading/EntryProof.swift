// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The proof of a request's user, with the user's text among the request's texts.
///
///     ID token of ana, entry without a user    → ana
///     ID token of ana, entry of bob            → quarantined, `user_mismatch`
///     no token, app asks for proof, entry of bob → quarantined, `user_unproved`
enum EntryProof {
    case open, missing
    case user(Identity)

    init(_ proof: UserProof, _ keys: IdentityKeys, _ source: inout SourceText) {
        switch proof {
        case .open: self = .open
        case .missing: self = .missing
        case .user(let id):
            // The text was checked when the account was made.
            guard case .text(let text) = source.text(appending: id, limit: .max) else { self = .missing; return }
            self = .user(keys.identity(text, .user, in: source))
        }
    }

    /// Returns the user of an entry that names this user, or none.
    func user(_ named: Identity) throws(EntryError) -> Identity {
        switch self {
        case .open: return named
        case .user(let proved):
            guard named.key == 0 || named.key == proved.key else {
                throw EntryError(.userMismatch, "user_id", "Is not the user of the ID token.")
            }
            return proved
        case .missing:
            guard named.key == 0 else {
                throw EntryError(.userUnproved, "user_id", "This app accepts user IDs with an ID token only.")
            }
            return named
        }
    }
}
