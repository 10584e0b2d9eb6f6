// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// A mail to queue.
struct MailDraft: Sendable {
    var kind: MailKind
    var receiver: String
    /// The other address of a change, or the description of a device.
    var about: String
    var code: MailCode?
    var locale: MailLocale?
    var expires: Timestamp

    init(_ kind: MailKind, to receiver: String, about: String = "", code: MailCode? = nil, locale: MailLocale? = nil, expires: Timestamp) {
        (self.kind, self.receiver, self.about, self.code, self.locale, self.expires) = (kind, receiver, about, code, locale, expires)
    }
}

/// A mail of the outbox.
package struct StoredMail: Sendable {
    package enum State: String, CaseIterable, Sendable {
        case due
        /// The server may have it and has not answered.
        case handed
        case sent, failed, expired
        /// The daemon or the connection ended after the mail was handed over. It is not sent again.
        case unknown
    }

    package var id: Int64
    package var app: AppID
    package var kind: MailKind
    package var receiver: String
    package var about: String
    package var locale: MailLocale?
    package var state: State
    package var tries: Int
    package var created: Timestamp
    package var expires: Timestamp
    package var ended: Timestamp?
    var codeID: MailCode?
    /// The code that the mail carries, while it can be redeemed.
    package var code: StoredCode?
}
