import Events
import JSON

extension SourceText {
    /// Writes the object at `index` to the arena without the members and elements in `dropped`, names without escapes; empty if nothing is left.
    mutating func rewrite(_ index: Int, without dropped: Set<Int>) -> ByteRange {
        var writer = JSONWriter(reserving: tape[index].count)
        writeObject(index, dropped, &writer)
        guard writer.bytes.count > 2 else { return .none }
        let range = ByteRange(offset: arena.count, count: writer.bytes.count, in: .arena)
        arena.append(contentsOf: writer.bytes)
        return range
    }

    private func writeObject(_ index: Int, _ dropped: Set<Int>, _ writer: inout JSONWriter) {
        writer.beginObject()
        var at = index + 1
        while at < tape[index].next {
            let value = tape[at].next
            if !dropped.contains(at) {
                writer.key(tape.text(tape[at]) ?? "")
                writeValue(value, dropped, &writer)
            }
            at = tape[value].next
        }
        writer.endObject()
    }

    /// Only what holds something to leave out, or a name to write anew, is taken apart.
    private func writeValue(_ index: Int, _ dropped: Set<Int>, _ writer: inout JSONWriter) {
        let token = tape[index]
        let inside = index + 1..<max(index + 1, token.next)
        guard inside.contains(where: { dropped.contains($0) || (tape[$0].kind == .key && tape[$0].escaped) }) else {
            writer.raw(tape.bytes[tape.slice(index)])
            return
        }
        guard token.kind == .array else {
            writeObject(index, dropped, &writer)
            return
        }
        writer.beginArray()
        var at = index + 1
        while at < token.next {
            if !dropped.contains(at) { writeValue(at, dropped, &writer) }
            at = tape[at].next
        }
        writer.endArray()
    }
}
