// SPDX-License-Identifier: Apache-2.0

import Accounts
import Delivery
import HTTPClient
import Platform

/// Options of the mails that accounts send.
struct MailOptions: Sendable {
    var url: String?
    var user: String?
    var password: Secret?
    var from: String?
    var templates: String?
    var authorities: String?

    static let settings: [Setting<MailOptions>] = [
        Setting(
            "url", .optionalText, \.url,
            "Mail server: smtps://HOST, or smtp://HOST:587 with STARTTLS; null sends no mails, and in development shows them in the log"),
        Setting("user", .optionalText, \.user, "User name at the mail server"),
        Setting("password", .secret, \.password, "Password at the mail server"),
        Setting("from", .optionalText, \.from, "Sender of mails: Shop <no-reply@shop.example>"),
        Setting(
            "templates", .optionalText, \.templates,
            "Folder with texts of mails: KIND.txt, KIND.html, KIND.LOCALE.txt; built-in English and German ones otherwise"),
        Setting(
            "authorities", .optionalText, \.authorities, "PEM file with the authorities to trust for the mail server; null for the system's"),
    ]

    /// The mail server and the texts, checked. `ingestd check` and the start of the daemon report the problems.
    func prepared() throws(ConfigurationError) -> MailSetup {
        var problems: [ConfigurationProblem] = []
        func report(_ key: String, _ message: String, _ hint: String) {
            problems.append(ConfigurationProblem(source: "accounts", key: "accounts.mail.\(key)", message: message, hint: hint))
        }
        var server: MailServer?
        if let url {
            server = MailServer(url: url)
            if server == nil {
                report("url", "This is no mail server.", "Write smtps://HOST, or smtp://HOST:PORT; the password has its own setting.")
            }
            if from == nil { report("from", "Mails need a sender.", "Write it as Shop <no-reply@shop.example>.") }
        }
        if (user == nil) != (password == nil) { report("user", "User name and password belong together.", "Set both or none.") }
        let sender = MailAddress(from ?? "Signalbox <no-reply@localhost>")
        if sender == nil { report("from", "This is no address.", "Write it as Shop <no-reply@shop.example>.") }
        var texts = MailTemplates()
        do {
            if let templates { texts = try MailOptions.read(templates) }
        } catch let problem as MailTemplateProblem {
            report("templates", "\(problem.text).", "Correct the file.")
        } catch {
            report("templates", "The folder cannot be read: \(error).", "Check its path and permissions.")
        }
        if let authorities, !Folder.exists(authorities) { report("authorities", "There is no such file.", "Name a PEM file.") }
        guard problems.isEmpty, let sender else { throw ConfigurationError(problems: problems) }
        server?.user = user
        server?.password = password
        server?.authorities = authorities
        return MailSetup(server: server, from: sender, templates: texts)
    }

    private static func read(_ folder: String) throws -> MailTemplates {
        let names = try Folder.names(in: folder).filter(MailTemplates.isTemplate).sorted()
        return try MailTemplates(names.map { ($0, try SmallFile.read("\(folder)/\($0)", limit: MailTemplates.mostFileBytes + 1)) })
    }
}

/// The mail server and the texts of mails.
struct MailSetup: Sendable {
    /// Nil for no mails, and in development for mails in the log.
    var server: MailServer?
    var from: MailAddress
    var templates: MailTemplates
}
