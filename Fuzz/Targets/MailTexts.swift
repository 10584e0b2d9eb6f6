// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform

/// Texts of codes and mails: a code of a link, digits, a locale, a page of an app, a template, and foreign text in a mail.
enum MailTexts {
    private static let key = AccountsKey.make()
    private static let origins = ["https://shop.example", "https://*.shop.example"].compactMap { OriginRule($0) }

    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        require(MailCode(text, key) == nil, "a forged code is accepted")
        if TypedDigits(text) != nil { accepted() }
        if let locale = MailLocale(text) {
            accepted()
            require(MailLocale(locale.text) == locale && MailTemplates.isTemplate("sign_in.\(locale.text).txt"), "a locale with two spellings")
        }
        checkPage(text)
        checkTemplate(bytes)
        checkValue(text)
    }

    private static func checkPage(_ text: String) {
        guard let page = ContinueURL(text, origins: origins, isDevelopment: false) else { return }
        accepted()
        let link = ContinueURL.adding([("oobCode", "a b")], to: page.text)
        let host = link.utf8.dropFirst("https://".utf8.count).prefix { !"/?#".utf8.contains($0) }
        require(host.elementsEqual("shop.example".utf8) || host.suffix(13).elementsEqual(".shop.example".utf8), "a link leads elsewhere")
        require(link.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\"<>".utf8.contains($0) }, "a link ends an attribute")
    }

    private static func checkTemplate(_ bytes: [UInt8]) {
        let files = [(name: "reset_password.txt", bytes: bytes), (name: "reset_password.html", bytes: Array("<p>{{app}}</p> {{link}}".utf8))]
        guard let templates = try? MailTemplates(files) else { return }
        accepted()
        var values = MailValues(app: "Shop\r\nBcc: x", email: "ana@example.org")
        (values.link, values.code) = ("https://x.example/", "12345678")
        let mail = templates.content(.resetPassword, nil, values)
        require(mail.text.utf8.count <= 16 * bytes.count + 64, "a template grows without bound")
        require(mail.html?.utf8.elementsEqual("<p>Shop??Bcc: x</p> https://x.example/".utf8) == true, "a value is not escaped")
    }

    private static func checkValue(_ text: String) {
        var values = MailValues(app: text, email: text)
        values.about = text
        let mail = MailTemplates().content(.emailChanged, nil, values)
        require(!mail.subject.unicodeScalars.contains { $0.isControl || $0.isLineBreak }, "foreign text breaks the subject")
        let plain = MailTemplates().content(.emailChanged, nil, MailValues(app: "", email: ""))
        func count(_ html: String?) -> Int { html?.unicodeScalars.count { $0 == "<" || $0 == ">" || $0 == "\"" } ?? 0 }
        require(count(mail.html) == count(plain.html), "foreign text adds markup")
    }
}
