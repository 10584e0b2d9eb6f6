// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The signed-in user, whose records are sent with an ID token, so that the daemon knows them to be the user's.
protocol RecordIdentity: Sendable {
    /// The user ID; `nil` if nobody is signed in.
    var signedInUser: String? { get }

    /// Returns the signed-in user and the session; `nil` if nobody is signed in. Throws while that cannot be known.
    func owner() throws(AccountError) -> SignedInOwner?

    /// Returns the ID token of a user; `nil` if the user is no longer signed in.
    ///
    /// - Parameter rejected: A token that the daemon did not take.
    func token(of user: String, insteadOf rejected: String?) async throws(SignalboxError) -> String?
}

/// A user with the session that proves who it is.
struct SignedInOwner: Equatable {
    var user: String
    /// The ID of the session, the same for all its tokens.
    var session: String
}

extension Record {
    /// Whether the record's own `user_id` is the user. Example: `{"name":"a","user_id":"ann","params":{"user_id":"bob"}}` names `ann`.
    func names(user: String) -> Bool {
        var text = JSONText()
        text.string("user_id")
        text.raw(":")
        text.string(user)
        return json.hasTopLevel(text.bytes)
    }
}

extension ArraySlice<UInt8> {
    /// Whether an encoded member, such as `"user_id":"ann"`, is directly in the object that these bytes encode without white space.
    fileprivate func hasTopLevel(_ member: [UInt8]) -> Bool {
        var depth = 0
        var isInText = false
        var place = startIndex
        while place < endIndex {
            switch self[place] {
            case 0x5c where isInText: place += 1
            case 0x22:
                if !isInText, depth == 1, self[place...].starts(with: member), isEnd(of: member, at: place) { return true }
                isInText.toggle()
            case 0x7b, 0x5b: if !isInText { depth += 1 }
            case 0x7d, 0x5d: if !isInText { depth -= 1 }
            default: break
            }
            place += 1
        }
        return false
    }

    private func isEnd(of member: [UInt8], at place: Int) -> Bool {
        let end = place + member.count
        return end < endIndex && (self[end] == 0x2c || self[end] == 0x7d)
    }
}

extension LiveAccounts: RecordIdentity {
    /// `nil` also while the credentials cannot be read: records then go with the key.
    var signedInUser: String? { currentUser?.id }

    func owner() throws(AccountError) -> SignedInOwner? {
        guard let session = try keeper.current()?.session else { return nil }
        return SignedInOwner(user: session.user.id, session: TokenClaims(of: session.idToken)?.sid ?? "")
    }

    func token(of user: String, insteadOf rejected: String?) async throws(SignalboxError) -> String? {
        do {
            let session = try await keeper.session(insteadOf: rejected)
            return session?.user.id == user ? session?.idToken : nil
        } catch .sessionEnded, .notSignedIn {
            return nil
        } catch {
            throw error.asSignalboxError
        }
    }
}
