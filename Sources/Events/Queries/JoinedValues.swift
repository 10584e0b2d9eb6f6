// SPDX-License-Identifier: Apache-2.0

/// The values of several fields as one text, which sorts like the list of values.
///
/// A zero byte separates values. The bytes 0 and 1 inside a value become 1 1 and 1 2:
///
///     ["ios", nil]      →  "ios\u{0}(none)"
///     ["a\u{0}", "b"]   →  "a\u{1}\u{1}\u{0}b"
package enum JoinedValues {
    /// The separator of values in labels.
    package static let separator = " · "

    /// Returns nil for no values and the only one for one.
    package static func text(_ values: [[UInt8]?]) -> [UInt8]? {
        guard values.count > 1 else { return values.first ?? nil }
        var text: [UInt8] = []
        for (place, value) in values.enumerated() {
            if place > 0 { text.append(0) }
            for byte in value ?? Array(BreakdownName.none.utf8) { text.append(contentsOf: byte > 1 ? [byte] : [1, byte + 1]) }
        }
        return text
    }

    /// Returns the values of a joined text. `(other)`, which is no joined text, has that many values of this name.
    package static func values(_ text: String, count: Int) -> [String] {
        let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == count else { return Array(repeating: text, count: count) }
        return parts.map { part in
            var (value, isEscaped): ([UInt8], Bool) = ([], false)
            for byte in part {
                if byte == 1, !isEscaped {
                    isEscaped = true
                } else {
                    value.append(isEscaped ? byte - 1 : byte)
                    isEscaped = false
                }
            }
            return String(decoding: value, as: UTF8.self)
        }
    }
}

extension FieldPath {
    /// Returns the label of a value, and the values if this is several fields.
    package func named(_ text: String) -> (name: String, values: [String]?) {
        guard case .several(let fields) = self else { return (text, nil) }
        let values = JoinedValues.values(text, count: fields.count)
        let isOther = text == BreakdownName.other
        return (isOther ? text : values.joined(separator: JoinedValues.separator), values)
    }
}
