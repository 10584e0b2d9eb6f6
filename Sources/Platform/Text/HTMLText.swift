// SPDX-License-Identifier: Apache-2.0

/// Foreign text in an HTML page or mail, as content or as the value of an attribute in quotes.
///
///     <\u{301}b>\u{202e}    &lt;\u{301}b&gt;
package struct HTMLText: Sendable, Equatable {
    package let source: String

    /// Escapes what HTML gives a meaning. Control characters become `?`, bidirectional controls are removed.
    package init(_ text: String) {
        var out = ""
        for scalar in text.unicodeScalars where !scalar.isBidirectionalControl {
            if let entity = HTMLText.entity(scalar) {
                out += entity
            } else {
                out.unicodeScalars.append(scalar.isControl || scalar.value & 0xfffe == 0xfffe ? "?" : scalar)
            }
        }
        source = out
    }

    private static func entity(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}
