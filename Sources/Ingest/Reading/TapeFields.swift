import JSON

/// Looks values up by name, for documents whose objects are small and whose fields are many.
extension JSONTape {
    /// The value of an object's first field of this name; nil where there is none, where it is null, and where this is no object.
    func value(_ name: StaticString, of object: Int) -> Int? {
        guard self[object].isObject else { return nil }
        let end = self[object].next
        var at = object + 1
        while at < end {
            let key = self[at]
            if isText(key, name) || key.escaped && text(key) == name.description {
                return self[key.next].isNull ? nil : key.next
            }
            at = self[key.next].next
        }
        return nil
    }

    /// Hands on the text of a string or the digits of a number; only what holds escapes is copied for it. Nil for half a surrogate pair.
    func withText<R>(_ token: JSONToken, _ work: (Span<UInt8>) -> R?) -> R? {
        guard token.escaped else { return work(bytes.span.extracting(token.range)) }
        var text: [UInt8] = []
        return appendUnescaped(token, to: &text) ? work(text.span) : nil
    }

    /// The places of an array's elements; of anything else, none.
    func elements(of array: Int) -> TapeElements {
        TapeElements(tape: self, at: self[array].kind == .array ? array + 1 : 0, end: self[array].kind == .array ? self[array].next : 0)
    }

    /// Goes through an object's keys, each with its number; unlike `keys(of:)` it need not hold on to the tape.
    func eachKey(of object: Int, _ body: (_ number: Int, _ place: Int) -> Void) {
        guard self[object].isObject else { return }
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
        TapeElements(tape: self, at: self[object].isObject ? object + 1 : 0, end: self[object].isObject ? self[object].next : 0)
    }
}

struct TapeElements: Sequence, IteratorProtocol {
    let tape: JSONTape
    var at: Int
    let end: Int

    mutating func next() -> Int? {
        guard at < end else { return nil }
        let place = at
        let token = tape[place]
        at = token.kind == .key ? tape[token.next].next : token.next
        return place
    }
}
