// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Distinct texts and their numbers, so that rows hold a number instead of a text.
///
/// The table is bounded, because a parameter may have a different value in every event.
package struct ValueTable: Sendable {
    package private(set) var texts: [[UInt8]] = []
    /// The numbers of the first texts. Followed ones are added when a text is looked up, which most tables never do.
    private var numbers: [[UInt8]: UInt32] = [:]
    private var isLookedUp = false
    private static let limit = 500_000
    /// The limit of all texts together. One value may have 8 kB.
    private static let byteLimit = 64 << 20
    private var bytes = 0

    package init() {}

    /// Takes over the new values of a batch, so that codes of the batch are codes of this table.
    ///
    /// All batches must be of one source, and the table must have no values of its own.
    package mutating func follow(_ batch: EventBatch) {
        precondition(!isLookedUp && batch.values.texts.count >= texts.count, "the table follows one source and nothing else")
        for text in batch.values.texts[texts.count...] {
            texts.append(text)
            bytes += text.count
        }
    }

    package mutating func number(_ text: [UInt8]) throws(Refusal) -> UInt32 {
        isLookedUp = true
        for number in numbers.count..<texts.count { numbers[texts[number]] = UInt32(number) }
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
