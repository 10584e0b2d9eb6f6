// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// A wish for a code, before it is known whom it concerns.
package struct CodeRequest: Sendable {
    package var kind: CodeKind
    /// The address that the mail goes to.
    package var email: EmailAddress
    /// The user who is known to ask: signed in, or chosen by an administrator.
    package var uid: String?
    /// The session that stays when redeeming the code ends the others.
    package var session: SessionID?
    package var locale: MailLocale?
    package var continueURL: ContinueURL?
    /// Whether the link opens `continueURL` at once, and not the page of the daemon.
    package var opensApp = true
    /// The hash of the password and the name of a sign-up.
    package var password: String?
    package var name: String?
    /// False for a server that sends the mail itself.
    package var isMailed = true

    package init(_ kind: CodeKind, _ email: EmailAddress) {
        (self.kind, self.email) = (kind, email)
    }
}

/// A code as it is stored.
package struct StoredCode: Sendable {
    package var code: MailCode
    package var app: AppID
    /// The row of the account that it concerns; nil if there is none.
    var account: Int64?
    package var kind: CodeKind
    package var email: EmailAddress
    package var locale: MailLocale?
    package var continueURL: String?
    package var opensApp: Bool
    var session: SessionID?
    var password: String?
    var name: String?
    package var created: Timestamp
    package var expires: Timestamp
    var used: Timestamp?
    var tries: Int
}

/// A code as a client presents it.
package enum PresentedCode: Sendable {
    /// The text of a link, whose seal was checked.
    case text(MailCode)
    /// Typed digits, and the address they belong to.
    case digits(TypedDigits, EmailAddress)
}

/// The account after a code was redeemed.
package struct RedeemedCode: Sendable {
    package var code: StoredCode
    /// Nil if the account is gone.
    package var account: Account?
}

extension Refusal {
    package static let wrongMailCode = Refusal(
        .invalidCode, "The code is wrong, or it was used already.", hint: "Check it, or ask for another mail.")
    package static let mailCodeExpired = Refusal(.codeExpired, "The code has expired.", hint: "Ask for another mail.")
}
