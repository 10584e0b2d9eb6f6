import JSON

/// Fields of another product's objects, written into ours.
extension JSONTape {
    /// What stands at the end of a path of fields; nil where there is none, and where it is null.
    func value(at path: StaticString..., of object: Int) -> Int? {
        var place: Int? = object
        for name in path { place = place.flatMap { value(name, of: $0) } }
        return place
    }

    /// The first of these that is there.
    func first(_ names: StaticString..., of object: Int) -> Int? {
        for name in names { if let place = value(name, of: object) { return place } }
        return nil
    }

    /// The text of a string; nil for anything else.
    func string(_ place: Int?) -> String? {
        guard let place, self[place].kind == .string else { return nil }
        return text(self[place])
    }
}

extension JSONWriter {
    /// A value as it stands, if there is one.
    mutating func field(_ name: String, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        key(name)
        raw(tape.bytes[tape.slice(place)])
    }

    /// An id, which some write as a number and we as text; an empty one is none.
    mutating func id(_ name: String, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        let token = tape[place]
        if token.kind == .string, token.count == 0 { return }
        key(name)
        if token.isNumber { string(tape.bytes[token.range]) } else { raw(tape.bytes[tape.slice(place)]) }
    }

    /// The fields of an object but for some, without its braces.
    mutating func fields(of object: Int?, but left: Set<String> = [], prefix: String = "", in tape: JSONTape) {
        guard let object else { return }
        for place in tape.keys(of: object) {
            if left.isEmpty, prefix.isEmpty {
                rawKey(tape.bytes[tape.slice(place)])
            } else {
                let name = tape.text(tape[place]) ?? "?"
                if left.contains(name) { continue }
                key(prefix + name)
            }
            raw(tape.bytes[tape.slice(tape[place].next)])
        }
    }
}
