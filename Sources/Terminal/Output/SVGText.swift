// SPDX-License-Identifier: Apache-2.0

/// A text of a picture: what XML gives a meaning to is spelled out, what is no text of XML is `?`.
///
///     <\u{301}b> & c    &lt;\u{301}b&gt; &amp; c
struct SVGText {
    let source: String

    init(_ text: String) {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let entity = scalar.markupEntity {
                out.append(contentsOf: entity.unicodeScalars)
            } else {
                out.append(scalar.isNoText ? "?" : scalar)
            }
        }
        source = String(out)
    }
}

extension Unicode.Scalar {
    fileprivate var isNoText: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) || value & 0xfffe == 0xfffe }
}
