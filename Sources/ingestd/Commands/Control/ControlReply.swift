import JSON

/// A JSON answer of the daemon, to look things up in.
struct ControlReply: Sendable {
    private let tape: JSONTape
    private let index: Int
    private static let parser = JSONParser()

    init(_ bytes: [UInt8]) throws {
        do {
            tape = try ControlReply.parser.withReader { reader throws(JSONFailure) in try reader.parse(bytes) }
        } catch {
            throw Failure("What answered at the control socket is not ingestd.", hint: "Remove the socket file where no daemon runs.")
        }
        index = 0
    }

    private init(_ tape: JSONTape, _ index: Int) {
        self.tape = tape
        self.index = index
    }

    /// The fields of an object, in their order.
    var fields: [(name: String, value: ControlReply)] {
        guard tape[index].kind == .object else { return [] }
        var out: [(name: String, value: ControlReply)] = []
        var i = index + 1
        while i < tape[index].next {
            out.append((tape.text(tape[i]) ?? "", ControlReply(tape, i + 1)))
            i = tape[i + 1].next
        }
        return out
    }

    /// The elements of an array.
    var elements: [ControlReply] {
        guard tape[index].kind == .array else { return [] }
        var out: [ControlReply] = []
        var i = index + 1
        while i < tape[index].next {
            out.append(ControlReply(tape, i))
            i = tape[i].next
        }
        return out
    }

    subscript(_ name: String) -> ControlReply? { fields.first { $0.name == name }?.value }

    /// A string's text, an array's elements with commas, any other value as JSON.
    var text: String {
        tape[index].kind == .array ? elements.map(\.text).joined(separator: ",") : tape.text(tape[index]) ?? ""
    }

    /// A field's text; empty where it is missing.
    func text(_ name: String) -> String { self[name]?.text ?? "" }

    /// As it came.
    var json: ArraySlice<UInt8> { tape.bytes[tape.slice(index)] }
}
