// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

extension JSONLimits {
    /// Far more than any decoder takes: it looks for fewer names than that in any object.
    static let allowedStepsPerToken = 64
}

/// Looks values up by name, for documents whose objects are small and whose fields are many.
///
/// Each walk charges the tape's budget. Once that is used up a walk finds nothing, so a decoder that makes any must end with `checkSteps`.
extension JSONTape {
    /// The value of an object's first field of this name; nil where there is none, where it is null, and where this is no object.
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

    /// Rejects a request once the walks over this tape took more steps than its size allows.
    package func checkSteps() throws(Refusal) {
        if let limit = exceededSteps { throw .tooManySteps(limit: limit) }
    }

    /// Where the values of several fields of an object stand, found in one pass: `places(of: ["a", "b"], in: 0)` of `{"b":1}` is `[0, 2]`.
    ///
    /// The first field of a name counts. A field that is missing or null has the place 0, where no value of an object stands.
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

    /// Hands on the text of a string or the digits of a number; only what holds escapes is copied for it. Nil for half a surrogate pair.
    func withText<R>(_ token: JSONToken, _ work: (Span<UInt8>) -> R?) -> R? {
        guard token.escaped else { return work(bytes.span.extracting(token.range)) }
        var text: [UInt8] = []
        return appendUnescaped(token, to: &text) ? work(text.span) : nil
    }

    /// The places of an array's elements; of anything else, none.
    func elements(of array: Int) -> TapeElements {
        TapeElements(self, array, of: .array)
    }

    /// Goes through an object's keys, each with its number; unlike `keys(of:)` it need not hold on to the tape.
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

    /// The places of an object's keys; each value stands behind its key.
    func keys(of object: Int) -> TapeElements {
        TapeElements(self, object, of: .object)
    }
}

struct TapeElements: Sequence, IteratorProtocol {
    private let tape: JSONTape
    private var at: Int
    private let end: Int
    /// How many there are, so that an array of them is made in one piece.
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
