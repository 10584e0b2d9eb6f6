// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import AppDirectory
import Delivery
import EventStore
import Events
import Platform

/// The outbox of accounts as the queue of a `MailSender`: writes each mail when it is sent.
struct AccountMails: MailQueue {
    let store: Stores
    let links: MailLinks
    let setup: MailSetup

    var mailChanges: AsyncStream<Void> { store.accounts.mailChanges }

    func claimMail(at now: Timestamp) async throws -> (mail: OutgoingMail?, nextDue: Timestamp?) {
        while true {
            let claimed = try await store.accounts.claimMailInTurn(at: now)
            guard let mail = claimed.mail else { return (nil, claimed.nextDue) }
            if let message = message(mail) {
                return (OutgoingMail(id: mail.id, attempt: mail.tries, expires: mail.expires, message: message), claimed.nextDue)
            }
            // The app was deleted.
            try await store.accounts.endMail(mail.id, .expired, reason: "")
        }
    }

    func handOver(_ mail: Int64) async throws -> Bool { try await store.accounts.handOver(mail) }

    func settle(_ mail: Int64, _ verdict: MailVerdict, reason: String) async throws {
        switch verdict {
        case .sent: try await store.accounts.endMail(mail, .sent, reason: "")
        case .failed: try await store.accounts.endMail(mail, .failed, reason: reason)
        case .expired: try await store.accounts.endMail(mail, .expired, reason: reason)
        case .unknown: try await store.accounts.endMail(mail, .unknown, reason: reason)
        case .retry(let time): try await store.accounts.retryMail(mail, at: time, reason: reason)
        }
    }

    private func message(_ mail: StoredMail) -> MailMessage? {
        guard let app = store.events.directory.now.apps[mail.app] else { return nil }
        var values = MailValues(app: app.name, email: mail.receiver)
        values.about = mail.about
        if let code = mail.code, let key = store.accounts.secrets.key {
            values.link = links.url(for: code, project: app.project, key)
            if mail.kind.hasDigits { values.code = code.code.digits(for: code.email, key).revealed }
        }
        let content = setup.templates.content(mail.kind, mail.locale, values)
        return MailMessage(
            from: setup.from, to: mail.receiver, subject: content.subject, text: content.text, html: content.html, date: mail.created,
            id: "\(mail.created.milliseconds).\(mail.id)")
    }
}

extension AccountMailResponse {
    init(_ mail: StoredMail) {
        self.init(at: Moment(mail.created), kind: mail.kind.rawValue, receiver: mail.receiver, state: mail.state.rawValue)
    }
}

extension Daemon {
    /// The sender of mails. Nil without a mail server, except in development, where the log shows them.
    func makeMailSender() -> MailSender? {
        let queue = AccountMails(store: store, links: MailLinks(tokens: accounts.tokens), setup: accounts.mailSetup)
        if let server = accounts.mailSetup.server {
            return MailSender(queue, .smtp(server), clock: clock, metrics: mailMetrics, log: log)
        }
        guard settings.mode == .development else { return nil }
        let show: @Sendable (OutgoingMail) -> Void = { [log] mail in
            log.info(
                "mail not sent because accounts.mail.url is not set",
                ["to": .text(mail.message.to), "subject": .text(mail.message.subject), "text": .text(mail.message.text)])
        }
        return MailSender(queue, .shown(show), clock: clock, metrics: mailMetrics, log: log)
    }
}
