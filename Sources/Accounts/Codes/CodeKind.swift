// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The purpose of a code from a mail.
package enum CodeKind: String, CaseIterable, Sendable {
    /// Confirms that the account's address is its user's.
    case verifyEmail = "verify_email"
    /// Sets a new password.
    case resetPassword = "reset_password"
    /// Begins a session, of a new account if the address has none.
    case signIn = "sign_in"
    /// Gives the account the address to which the mail went.
    case changeEmail = "change_email"
    /// Gives the account its former address back.
    case undoEmail = "undo_email"
    /// Creates the account of a sign-up, in apps where addresses are verified first.
    case signUp = "sign_up"
    /// Sets the first password of an account that an administrator made.
    case invite

    /// The time for which a code is valid.
    package var life: Timestamp.Span {
        switch self {
        case .signIn: .minutes(10)
        case .resetPassword: .hours(1)
        case .verifyEmail, .changeEmail, .signUp: .hours(24)
        case .undoEmail, .invite: .days(7)
        }
    }

    /// The kinds that a client asks for. The others follow from something else.
    package static let requested: [CodeKind] = [.verifyEmail, .resetPassword, .signIn, .changeEmail]

    /// Whether redeeming it sets a password.
    package var setsPassword: Bool { self == .resetPassword || self == .invite }

    /// The word for it in links, as Firebase's clients read them.
    package var mode: String {
        switch self {
        case .verifyEmail: "verifyEmail"
        case .resetPassword: "resetPassword"
        case .signIn: "signIn"
        case .changeEmail: "verifyAndChangeEmail"
        case .undoEmail: "recoverEmail"
        case .signUp: "signUp"
        case .invite: "invite"
        }
    }
}
