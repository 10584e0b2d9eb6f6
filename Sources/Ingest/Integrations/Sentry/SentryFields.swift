// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// Reads values for which Sentry's SDKs use several types.
extension JSONTape {
    /// Returns a string or number as text suitable for an ID; nil if it is empty, too long or not printable.
    func shortText(_ name: StaticString, of object: Int, limit: Int = FixedLimits.personLength) -> String? {
        guard let place = value(name, of: object), self[place].kind == .string || self[place].isNumber else { return nil }
        let text = self[place].kind == .string ? self.text(self[place]) : String(decoding: bytes[slice(place)], as: UTF8.self)
        guard let text, !text.isEmpty else { return nil }
        let span = text.utf8Span.span
        return span.hasScalars(atMost: limit) && span.isPrintable ? text : nil
    }

    /// Returns a readable time; nil to use the time of receipt.
    func moment(_ name: StaticString, of object: Int) -> String? {
        value(name, of: object).flatMap { Timestamp($0, in: SourceText(tape: self)) }?.rfc3339
    }

    /// Returns an object of an event's contexts.
    func context(_ name: StaticString) -> Int? {
        value("contexts", of: 0).flatMap { value(name, of: $0) }
    }

    func contextText(_ name: StaticString, _ field: StaticString) -> String? {
        context(name).flatMap { shortText(field, of: $0) }
    }
}

extension UUID128 {
    /// Reads 32 hexadecimal digits with or without dashes.
    init?(sentry text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, text.utf8.count == 32 || text.utf8.count == 36 else { return nil }
        var dashed: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { dashed.append(UInt8(ascii: "-")) }
            dashed.append(digit)
        }
        self.init(dashed.span)
    }

    /// The 32 digits without dashes.
    var plainText: String {
        String(decoding: text.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    }
}
