// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Platform

/// The rules of requests that lead to mails.
extension AccountRules {
    /// Rejects a mail that would never be sent.
    func requireMail() throws(Refusal) {
        guard !configuration.now.sendsMail else { return }
        throw Refusal(.notImplemented, "This daemon sends no mails.", hint: "The operator can set accounts.mail.url.")
    }

    /// The page of the app that the link opens; nil for the page of the daemon.
    func continueURL(_ body: Body, in app: App) throws(Refusal) -> ContinueURL? {
        guard let text = try body.optionalText("continue_url") else { return nil }
        let origins = app.settings.authOrigins.compactMap { OriginRule($0) }
        guard let url = ContinueURL(text, origins: origins, isDevelopment: configuration.now.mode == .development) else {
            throw .field("continue_url", "not_listed", "must have an origin of the app's setting auth_origins")
        }
        return url
    }

    func locale(_ body: Body) throws(Refusal) -> MailLocale? {
        guard let text = try body.optionalText("locale") else { return nil }
        guard let locale = MailLocale(text) else { throw .field("locale", "invalid", "must be a locale such as de or pt-BR") }
        return locale
    }
}

extension Configuration {
    /// Whether mails leave the daemon: by a mail server, or in development by the log.
    var sendsMail: Bool { mail.url != nil || mode == .development }
}
