// SPDX-License-Identifier: Apache-2.0

/// A CSV cell (RFC 4180) that spreadsheets do not read as a formula.
///
///     =1+1             '=1+1          also with an accent, blank or zero-width character beside the sign
///     -3               -3             numbers are kept
///     a,"b"            "a,""b"""
package struct CSVCell: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ text: String) {
        self.init(utf8: Array(text.utf8))
    }

    package init(utf8 text: [UInt8]) {
        let safe = CSVCell.isFormula(text) ? [UInt8(ascii: "'")] + text : text
        guard safe.contains(where: CSVCell.needsQuotes) else {
            bytes = safe
            return
        }
        let quote = UInt8(ascii: "\"")
        bytes = [quote] + safe.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// Returns a record with its line end.
    package static func record(_ cells: [CSVCell]) -> [UInt8] {
        Array(cells.map(\.bytes).joined(separator: [UInt8(ascii: ",")])) + [0x0d, 0x0a]
    }

    /// Whether the cell is quoted; some spreadsheets separate at `;` and tabs.
    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, 0x0a, 0x0d: true
        default: false
        }
    }

    // MARK: Formulas

    /// Whether a spreadsheet may read the cell as a formula: its first visible scalar begins formulas, or it begins with a tab or line end.
    private static func isFormula(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return false }
        if first > 0x20, first < 0x7f { return isSign(UInt32(first)) && !isNegativeNumber(text) }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard let shown = scalars.first(where: { !isPassedOver($0) }) else { return first < 0x20 }
        return first < 0x20 || isSign(shown.value)
    }

    /// `=`, `+`, `-`, `@` and their full-width forms, which some spreadsheets treat alike.
    private static func isSign(_ value: UInt32) -> Bool {
        [0x3d, 0x2b, 0x2d, 0x40, 0xff1d, 0xff0b, 0xff0d, 0xff20].contains(value)
    }

    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isControl || scalar.isInvisible || scalar.isCombiningMark || scalar.properties.isWhitespace
            || scalar.properties.generalCategory == .format
    }

    /// Whether the cell is a negative number such as `-3`, `-0.5` or `-1e-7`.
    private static func isNegativeNumber(_ text: [UInt8]) -> Bool {
        guard text.first == UInt8(ascii: "-") else { return false }
        let parts = text.dropFirst().split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let number = parts.first, parts.count <= 2 else { return false }
        let digits = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard digits.allSatisfy(isDigits) else { return false }
        guard parts.count == 2 else { return true }
        let sign = parts[1].first
        return isDigits(sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? parts[1].dropFirst() : parts[1])
    }

    private static func isDigits(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }
}
