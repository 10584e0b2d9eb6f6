// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// A part of an HTML page. All text is escaped here; there is no other way to make one.
///
///     HTML.text("<\u{301}b>\u{202e}")    &lt;\u{301}b&gt;
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    typealias Attributes = KeyValuePairs<StaticString, String>

    let source: String

    private init(source: String) {
        self.source = source
    }

    static let none = HTML(source: "")

    /// Literals are escaped as well.
    init(stringLiteral text: String) {
        self.init(source: HTML.escaped(text))
    }

    static func text(_ text: String) -> HTML { HTML(source: escaped(text)) }

    /// Foreign text, isolated so that its direction does not affect the text around it.
    static func name(_ text: String) -> HTML { HTML(source: "<bdi>\(escaped(text))</bdi>") }

    static func element(_ name: StaticString, _ attributes: Attributes, _ children: [HTML]) -> HTML {
        HTML(source: "<\(name)\(written(attributes))>\(joined(children).source)</\(name)>")
    }

    static func element(_ name: StaticString, _ attributes: Attributes, _ children: HTML...) -> HTML {
        element(name, attributes, children)
    }

    static func element(_ name: StaticString, _ children: [HTML]) -> HTML { element(name, [:], children) }
    static func element(_ name: StaticString, _ children: HTML...) -> HTML { element(name, [:], children) }

    /// An element without content, valid as XML too.
    static func empty(_ name: StaticString, _ attributes: Attributes) -> HTML {
        HTML(source: "<\(name)\(written(attributes))/>")
    }

    /// The style sheet, which contains no foreign text.
    static func style(_ sheet: StaticString) -> HTML { HTML(source: "<style>\(sheet)</style>") }

    static func joined(_ parts: [HTML]) -> HTML { HTML(source: parts.map(\.source).joined()) }

    static func page(_ head: [HTML], _ body: [HTML]) -> HTML {
        let root = element("html", ["lang": "en"], element("head", head), element("body", body))
        return HTML(source: "<!DOCTYPE html>\n\(root.source)\n")
    }

    // MARK: Escaping

    private static func written(_ attributes: Attributes) -> String {
        attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    }

    /// Escapes HTML. Control characters become `?`, bidirectional controls are removed.
    private static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isBidirectionalControl {
            if let entity = scalar.markupEntity {
                out.append(contentsOf: entity.unicodeScalars)
            } else {
                out.append(scalar.isNoText ? "?" : scalar)
            }
        }
        return String(out)
    }
}

extension Unicode.Scalar {
    fileprivate var isNoText: Bool {
        isControl || (0xfdd0...0xfdef).contains(value) || value & 0xfffe == 0xfffe
    }
}
