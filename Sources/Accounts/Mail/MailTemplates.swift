// SPDX-License-Identifier: Apache-2.0

import Platform

/// The texts of mails by kind and locale: those of a folder, otherwise built-in ones in English and German.
///
///     reset_password.de.txt     Subject: Neues Passwort für {{app}}
///                               (empty line) text with {{link}} and {{code}}
///     reset_password.de.html    the same as HTML; without it the mail has a text only
///     reset_password.txt        for all other locales
package struct MailTemplates: Sendable {
    private struct Custom: Sendable {
        var subject: MailTemplate
        var text: MailTemplate
        var html: MailTemplate?
    }

    package static let mostFileBytes = 64 << 10

    /// By kind and locale: `reset_password.de`, `reset_password`.
    private var custom: [String: Custom] = [:]

    package init() {}

    /// Reads the files of a folder. Other files than those of templates are ignored.
    package init(_ files: [(name: String, bytes: [UInt8])]) throws(MailTemplateProblem) {
        var texts: [String: String] = [:]
        for file in files where MailTemplates.isTemplate(file.name) {
            guard file.bytes.count <= MailTemplates.mostFileBytes, let text = String(validating: file.bytes, as: UTF8.self) else {
                throw .init("\(file.name) is not UTF-8 of at most 64 KiB")
            }
            texts[file.name] = text
        }
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) where name.hasSuffix(".txt") {
            let stem = String(name.dropLast(4))
            custom[stem] = try MailTemplates.naming(name) { () throws(MailTemplateProblem) in
                try MailTemplates.custom(text, html: texts["\(stem).html"], stem: stem)
            }
        }
        for name in texts.keys.sorted() where name.hasSuffix(".html") && custom[String(name.dropLast(5))] == nil {
            throw .init("\(name) needs a file \(name.dropLast(5)).txt with the subject and the text")
        }
    }

    /// Whether a file name is `KIND.txt`, `KIND.html`, or the same with a locale in between.
    package static func isTemplate(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count) && MailKind(rawValue: String(parts[0])) != nil && ["txt", "html"].contains(parts.last)
            && (parts.count == 2 || MailLocale(String(parts[1])) != nil)
    }

    private static func naming<T>(
        _ name: String, _ body: () throws(MailTemplateProblem) -> T
    ) throws(MailTemplateProblem) -> T {
        do throws(MailTemplateProblem) { return try body() } catch { throw MailTemplateProblem("\(name): \(error.text)") }
    }

    private static func custom(_ text: String, html: String?, stem: String) throws(MailTemplateProblem) -> Custom {
        let lines = Array(text.utf8).split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
        let first = String(decoding: lines[0].filter { $0 != 0x0d }, as: UTF8.self)
        guard first.hasPrefix("Subject: "), first.utf8.count > 9, lines.count == 2 else { throw .init("the first line must be «Subject: …»") }
        let made = Custom(
            subject: try MailTemplate(String(first.dropFirst(9))),
            text: try MailTemplate(String(decoding: lines[1], as: UTF8.self).withoutFirstBlankLine),
            html: try html.map { html throws(MailTemplateProblem) in try MailTemplate(html) })
        let kind = stem.split(separator: ".").first.flatMap { MailKind(rawValue: String($0)) }
        if kind?.hasCode == true, ![made.text, made.html].compactMap(\.self).allSatisfy({ $0.uses(.link) || $0.uses(.code) }) {
            throw .init("it has neither {{link}} nor {{code}}")
        }
        return made
    }

    /// Returns a mail in the locale, its language or the default, whichever there is.
    package func content(_ kind: MailKind, _ locale: MailLocale?, _ values: MailValues) -> MailContent {
        let names = (locale.map { [$0.text, $0.language] } ?? []).map { "\(kind.rawValue).\($0)" } + [kind.rawValue]
        guard let found = names.lazy.compactMap({ custom[$0] }).first else { return BuiltInMails.content(kind, locale, values) }
        return MailContent(
            subject: found.subject.filled(values, .text), text: found.text.filled(values, .text), html: found.html?.filled(values, .html))
    }
}

extension String {
    fileprivate var withoutFirstBlankLine: String {
        let bytes = Array(utf8)
        if bytes.starts(with: [0x0d, 0x0a]) { return String(decoding: bytes.dropFirst(2), as: UTF8.self) }
        return bytes.first == 0x0a ? String(decoding: bytes.dropFirst(), as: UTF8.self) : self
    }
}

/// A locale that a client names: `de`, `pt-BR`.
package struct MailLocale: Sendable, Equatable {
    package let text: String
    package let language: String

    /// Returns nil for anything but two or three letters and further parts of letters and digits.
    package init?(_ text: String) {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
        guard text.utf8.count <= 35, let first = parts.first, (2...3).contains(first.count), first.allSatisfy(isLetter),
            parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) } })
        else { return nil }
        language = String(Substring(first)).lowercased()
        self.text = ([language] + parts.dropFirst().map { String(Substring($0)) }).joined(separator: "-")
    }
}
