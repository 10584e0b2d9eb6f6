// SPDX-License-Identifier: Apache-2.0

import Platform

/// Text with places for values: `Your code for {{app}}: {{code}}`.
struct MailTemplate: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case app, email, about, code, link
    }

    /// The syntax that values are written into.
    enum Form: Sendable {
        case text, html
    }

    private enum Part: Sendable {
        case literal(String)
        case value(Name)
    }

    private static let (open, close) = (Array("{{".utf8), Array("}}".utf8))

    private var parts: [Part] = []

    /// Throws the reason for a text whose braces do not enclose a known name.
    init(_ text: String) throws(MailTemplateProblem) {
        var rest = Array(text.utf8)[...]
        while let start = rest.firstRange(of: MailTemplate.open)?.lowerBound {
            append(rest[..<start])
            // A name is short, so an unclosed brace does not cost a search to the end.
            let inner = rest[(start + 2)...].prefix(32)
            guard let end = inner.firstRange(of: MailTemplate.close)?.lowerBound else { throw .init("a {{ has no }} behind its name") }
            let word = String(decoding: inner[..<end], as: UTF8.self).filter { $0 != " " }
            guard let name = Name.allCases.first(where: { $0.rawValue.hasSameBytes(as: word) }) else {
                throw .init("a name in {{ }} is none of \(Name.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            parts.append(.value(name))
            rest = rest[(end + 2)...]
        }
        append(rest)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { parts.append(.literal(String(decoding: bytes, as: UTF8.self))) }
    }

    func uses(_ name: Name) -> Bool {
        parts.contains { if case .value(let used) = $0 { used == name } else { false } }
    }

    func filled(_ values: MailValues, _ form: Form) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .value(let name): MailTemplate.written(values[name], form)
            }
        }.joined()
    }

    private static func written(_ value: String, _ form: Form) -> String {
        guard form == .text else { return HTMLText(value).source }
        let scalars = value.unicodeScalars.filter { !$0.isBidirectionalControl }.map { $0.isControl || $0.isLineBreak ? "?" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// The reason why a template cannot be used.
package struct MailTemplateProblem: Error, Sendable, Equatable {
    package var text: String

    init(_ text: String) {
        self.text = text
    }
}

extension MailValues {
    fileprivate subscript(name: MailTemplate.Name) -> String {
        switch name {
        case .app: app
        case .email: email
        case .about: about
        case .code: spacedCode
        case .link: link
        }
    }
}
