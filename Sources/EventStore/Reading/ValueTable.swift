// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Distinct texts and their numbers, so that rows hold a number instead of a text.
///
/// The table is bounded, because a parameter may have a different value in every event.
package struct ValueTable: Sendable {
    package private(set) var texts: [[UInt8]] = []
    private var numbers: [[UInt8]: UInt32] = [:]
    private static let limit = 500_000
    /// The limit of all texts together. One value may have 8 kB.
    private static let byteLimit = 64 << 20
    private var bytes = 0

    package init() {}

    package mutating func number(_ text: [UInt8]) throws(Refusal) -> UInt32 {
        if let known = numbers[text] { return known }
        guard texts.count < ValueTable.limit, bytes + text.count <= ValueTable.byteLimit else {
            throw Refusal(
                .invalid,
                "The field has too many distinct values in this range: more than \(ValueTable.limit), or more than \(ValueTable.byteLimit >> 20) MiB.",
                hint: "Use a shorter range or a filter.",
                fields: [.init("breakdown", "too_many_values", "has too many distinct values")])
        }
        let number = UInt32(texts.count)
        bytes += text.count
        texts.append(text)
        numbers[text] = number
        return number
    }

    /// Returns a text's number plus one; 0 for no text.
    package mutating func code(of text: [UInt8]?) throws(Refusal) -> UInt32 {
        guard let text else { return 0 }
        return try number(text) + 1
    }

    /// Returns the text of a code; nil for 0.
    package subscript(code: UInt32) -> [UInt8]? { code == 0 ? nil : texts[Int(code) - 1] }
}

/// The values of one source's batches with numbers of one's own.
///
/// A text is looked up once for each source instead of once for each event:
///
///     batch.values   ["pro", "free"]        codes 2, 1, 2
///     own table      ["free", "pro"]        codes 1, 2, 1
package struct ValueCodes: Sendable {
    package private(set) var table = ValueTable()
    /// The own code for each code of the source.
    private var codes: [UInt32] = [0]

    package init() {}

    /// Takes over the values that are new in a batch. All batches must be of one source.
    package mutating func follow(_ batch: EventBatch) throws(Refusal) {
        precondition(batch.values.texts.count >= codes.count - 1, "the batches are of one source, whose values only grow")
        for text in batch.values.texts[(codes.count - 1)...] { codes.append(try table.code(of: text)) }
    }

    package subscript(code: UInt32) -> UInt32 { codes[Int(code)] }

    package mutating func code(of text: [UInt8]?) throws(Refusal) -> UInt32 { try table.code(of: text) }
}
