// SPDX-License-Identifier: Apache-2.0

/// The mails that accounts send: those with a code, and notices.
package enum MailKind: String, CaseIterable, Sendable {
    case verifyEmail = "verify_email"
    case resetPassword = "reset_password"
    case signIn = "sign_in"
    case changeEmail = "change_email"
    case signUp = "sign_up"
    case invite
    /// To the former address, with a link that gives it back to the account.
    case emailChanged = "email_changed"
    case passwordChanged = "password_changed"
    case newDevice = "new_device"
    /// A second factor was added or removed.
    case secondFactorChanged = "second_factor_changed"
    /// To the user of an address with which somebody else tried to sign up.
    case accountExists = "account_exists"

    package init(_ code: CodeKind) {
        self =
            switch code {
            case .verifyEmail: .verifyEmail
            case .resetPassword: .resetPassword
            case .signIn: .signIn
            case .changeEmail: .changeEmail
            case .undoEmail: .emailChanged
            case .signUp: .signUp
            case .invite: .invite
            }
    }

    /// Whether the mail is pointless without its code.
    package var hasCode: Bool {
        switch self {
        case .passwordChanged, .newDevice, .secondFactorChanged, .accountExists: false
        default: true
        }
    }

    /// Whether the eight digits can be typed into the app. A mail that undoes something has its link only.
    package var hasDigits: Bool { hasCode && self != .emailChanged && self != .invite }
}

/// The facts about one account that a mail states. Everything may be foreign text.
package struct MailValues: Sendable {
    package var app: String
    /// The address of the account.
    package var email: String
    /// The other address of a change, or the description of a device.
    package var about = ""
    /// Eight digits, or empty.
    package var code = ""
    /// A URL that this daemon made, or empty.
    package var link = ""

    package init(app: String, email: String) {
        (self.app, self.email) = (app, email)
    }

    /// The digits in two groups.
    var spacedCode: String { code.utf8.count == 8 ? "\(code.prefix(4)) \(code.suffix(4))" : code }
}

/// A mail's subject and both forms of its text.
package struct MailContent: Sendable, Equatable {
    package var subject: String
    package var text: String
    package var html: String?
}
