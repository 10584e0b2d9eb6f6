// SPDX-License-Identifier: Apache-2.0

import Events
import JSON

extension SourceText {
    /// Returns the error of a parameter's value, if any.
    func fault(_ index: Int, limit: Int, nesting: Bool) -> Reason? {
        let token = tape[index]
        switch token.kind {
        case .string: return token.escaped || token.count > limit ? slowFault(token, limit) : nil
        case .integer, .unsigned, .double, .true, .false, .null: return nil
        case .bigNumber: return .numberOutOfRange
        case .object, .array: return nesting ? nestedFault(index, limit) : .badValue
        case .key: return .badValue
        }
    }

    /// Returns the text of a valid string.
    mutating func text(_ index: Int) -> ByteRange? {
        tape[index].kind == .string ? plain(tape[index]) : nil
    }

    func money(_ index: Int) -> Money.Reading {
        let token = tape[index]
        guard token.isNumber || token.kind == .string else { return .malformed }
        return tape.withText(token) { Money.millionths($0) } ?? .malformed
    }

    func currency(_ index: Int) -> UInt32? {
        let token = tape[index]
        return token.kind == .string ? tape.withText(token) { Money.currency($0) } : nil
    }

    private func slowFault(_ token: JSONToken, _ limit: Int) -> Reason? {
        var text: [UInt8] = []
        guard tape.appendUnescaped(token, to: &text), !text.contains(0) else { return .badValue }
        return text.span.hasScalars(atMost: limit) ? nil : .valueTooLong
    }

    /// Validates a nested value: the size and depth of its JSON, and the encoding of its texts.
    private func nestedFault(_ index: Int, _ limit: Int) -> Reason? {
        let value = tape[index]
        if value.count > limit { return .valueTooLong }
        if tape.isNested(index, deeperThan: FixedLimits.valueLevels) { return .badValue }
        for i in index..<value.next {
            if tape[i].kind == .bigNumber { return .numberOutOfRange }
            if tape[i].escaped, let fault = slowFault(tape[i], limit) { return fault }
        }
        return nil
    }
}
