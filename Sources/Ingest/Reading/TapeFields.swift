// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

extension JSONLimits {
    /// The step budget per token. Decoders look for far fewer names in any object.
    static let allowedStepsPerToken = 64
}

/// Lookups by name, for documents with small objects and many fields.
///
/// Each walk charges the tape's budget. A walk finds nothing once the budget is exhausted, so a decoder must finish with `checkSteps`.
extension JSONTape {
    /// Returns the value of the first field with this name; nil if it is missing or null, or if the value is not an object.
    package func value(_ name: StaticString, of object: Int) -> Int? {
        guard self[object].isObject, charge(0) else { return nil }
        let end = self[object].next
        var (at, passed) = (object + 1, 0)
        while at < end {
            let key = self[at]
            passed += 1
            if isText(key, name) { return charge(passed) && !self[key.next].isNull ? key.next : nil }
            at = self[key.next].next
        }
        _ = charge(passed)
        return nil
    }

    /// Throws a refusal if the walks over this tape took more steps than its size allows.
    package func checkSteps() throws(Refusal) {
        if let limit = exceededSteps { throw .tooManySteps(limit: limit) }
    }

    /// Returns the positions of several fields' values in one pass: `places(of: ["a", "b"], in: 0)` of `{"b":1}` is `[0, 2]`.
    ///
    /// The first of duplicate names counts. A missing or null field has position 0, which no value of an object has.
    func places<let count: Int>(of names: InlineArray<count, StaticString>, in object: Int) -> InlineArray<count, Int> {
        var places = InlineArray<count, Int>(repeating: 0)
        guard self[object].isObject, charge(self[object].children) else { return places }
        let end = self[object].next
        var at = object + 1
        while at < end {
            let key = self[at]
            for i in names.indices where isText(key, names[i]) {
                if places[i] == 0 { places[i] = key.next }
                break
            }
            at = self[key.next].next
        }
        for i in places.indices where places[i] != 0 && self[places[i]].isNull { places[i] = 0 }
        return places
    }

    /// Calls `work` with the text of a string or the digits of a number. Only text with escapes is copied. Returns nil for an unpaired
    /// surrogate.
    func withText<R>(_ token: JSONToken, _ work: (Span<UInt8>) -> R?) -> R? {
        guard token.escaped else { return work(bytes.span.extracting(token.range)) }
        var text: [UInt8] = []
        return appendUnescaped(token, to: &text) ? work(text.span) : nil
    }

    /// Returns the positions of an array's elements; none for any other value.
    func elements(of array: Int) -> TapeElements {
        TapeElements(self, array, of: .array)
    }

    /// Calls `body` for each key of an object with its number. Unlike `keys(of:)` it does not retain the tape.
    func eachKey(of object: Int, _ body: (_ number: Int, _ place: Int) -> Void) {
        guard self[object].isObject, charge(self[object].children) else { return }
        let end = self[object].next
        var (at, number) = (object + 1, 0)
        while at < end {
            body(number, at)
            at = self[self[at].next].next
            number += 1
        }
    }

    /// Returns the positions of an object's keys. Each value follows its key.
    func keys(of object: Int) -> TapeElements {
        TapeElements(self, object, of: .object)
    }
}

struct TapeElements: Sequence, IteratorProtocol {
    private let tape: JSONTape
    private var at: Int
    private let end: Int
    /// The number of elements, so that an array of them is allocated once.
    let underestimatedCount: Int

    fileprivate init(_ tape: JSONTape, _ place: Int, of kind: JSONKind) {
        let token = tape[place]
        let isWalked = token.kind == kind && tape.charge(token.children)
        self.tape = tape
        at = place + 1
        end = isWalked ? token.next : 0
        underestimatedCount = isWalked ? token.children : 0
    }

    mutating func next() -> Int? {
        guard at < end else { return nil }
        let place = at
        let token = tape[place]
        at = token.kind == .key ? tape[token.next].next : token.next
        return place
    }
}
