// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Accounts

@Suite struct MailTemplateTests {
    private static let values: MailValues = {
        var values = MailValues(app: "Shop", email: "ana@example.org")
        (values.code, values.link, values.about) = ("48210937", "https://x.example/?a=1&b=2", "bob@example.org")
        return values
    }()

    private static func templates(_ files: (String, String)...) throws -> MailTemplates {
        try MailTemplates(files.map { ($0.0, Array($0.1.utf8)) })
    }

    @Test(arguments: MailKind.allCases, ["en", "de"])
    func `every built-in mail is complete`(kind: MailKind, locale: String) throws {
        let words = locale == "de" ? BuiltInMails.german(kind) : BuiltInMails.english(kind)
        for text in [words.subject, words.intro, words.outro] { _ = try MailTemplate(text) }
        let mail = MailTemplates().content(kind, MailLocale(locale), Self.values)
        let html = try #require(mail.html)
        #expect(mail.subject.contains("Shop") && !mail.text.contains("{{") && !html.contains("{{"))
        #expect(mail.text.contains("https://x.example/?a=1&b=2") == kind.hasCode && html.contains("https://x.example/?a=1&amp;b=2") == kind.hasCode)
        #expect(mail.text.contains("4821 0937") == kind.hasDigits)
    }

    @Test func `a sign-in without a page of the app has its digits only`() {
        var values = Self.values
        values.link = ""
        let mail = MailTemplates().content(.signIn, nil, values)
        #expect(!mail.text.contains("http") && mail.text.contains("4821 0937") && mail.html?.contains("href") == false)
    }

    @Test func `files replace the built-in texts by locale, language and default`() throws {
        let templates = try Self.templates(
            ("reset_password.txt", "Subject: Reset {{app}}\n\n{{link}}\n"), ("reset_password.de.txt", "Subject: Neu {{ app }}\r\n\r\n{{code}}"),
            ("reset_password.de-AT.txt", "Subject: Servus\n{{link}}"), ("reset_password.de.html", "<b>{{app}}</b> {{link}}"), ("README.md", "no"))
        func mail(_ locale: String?) -> MailContent { templates.content(.resetPassword, locale.flatMap { MailLocale($0) }, Self.values) }
        #expect(mail("fr") == MailContent(subject: "Reset Shop", text: "https://x.example/?a=1&b=2\n", html: nil))
        #expect(mail(nil) == mail("fr"))
        #expect(mail("de-CH") == MailContent(subject: "Neu Shop", text: "4821 0937", html: "<b>Shop</b> https://x.example/?a=1&amp;b=2"))
        #expect(mail("de-at").subject == "Neu Shop" && mail("de_AT").subject == "Servus")
        #expect(templates.content(.verifyEmail, nil, Self.values).subject == "Confirm your address for Shop")
    }

    @Test(arguments: [
        ("reset_password.txt", "Reset\n\n{{link}}"), ("reset_password.txt", "Subject: a"), ("reset_password.txt", "Subject: \n{{link}}"),
        ("reset_password.txt", "Subject: a\n\n{{name}} {{link}}"), ("reset_password.txt", "Subject: a\n\n{{link"),
        ("reset_password.txt", "Subject: a\n\nno way in"), ("reset_password.html", "{{link}}"), ("reset_password.txt", ""),
        ("reset_password.txt", "Subject: a\n\n{{\(String(repeating: " ", count: 100))link}}"),
    ])
    func `a broken template is reported with its name`(name: String, text: String) {
        #expect { try Self.templates((name, text)) } throws: { ($0 as? MailTemplateProblem)?.text.hasPrefix(name) == true }
    }

    @Test func `foreign text stays text in both forms`() throws {
        let templates = try Self.templates(
            ("reset_password.txt", "Subject: {{app}}\n\n{{app}}\n{{link}}"), ("reset_password.html", "<a title=\"{{app}}\">{{app}}</a>{{link}}"))
        for token in ["<script>", "\"><img src=x>", "'", "&lt;", "\r\nBcc: x", "{{link}}"] {
            for text in HostileText.around(token) {
                var values = Self.values
                values.app = text
                let mail = templates.content(.resetPassword, nil, values)
                let html = try #require(mail.html)
                let inner = html.unicodeScalars.dropFirst("<a title=\"".count).dropLast("</a>https://x.example/?a=1&amp;b=2".count)
                #expect(!inner.contains("<") && inner.filter { $0 == "\"" }.count == 1, "\(text.debugDescription)")
                #expect(!mail.subject.unicodeScalars.contains { $0.isLineBreak || $0.isControl }, "\(text.debugDescription)")
                #expect(mail.text.unicodeScalars.filter { $0.isLineBreak }.count == 1, "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: ["de", "pt-BR", "zh-Hant-TW", "DE"]) func `a locale`(text: String) { #expect(MailLocale(text) != nil) }

    @Test(arguments: ["", "d", "deutsch", "de/..", "de-", "../x", "de.txt", "d\u{301}e", "de-123456789"])
    func `no locale`(text: String) { #expect(MailLocale(text) == nil) }
}
