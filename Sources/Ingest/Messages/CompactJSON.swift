// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

extension JSONWriter {
    /// Writes a value without whitespace between its parts. Throws if a string contains an unpaired surrogate.
    package mutating func compact(_ place: Int, of tape: JSONTape) throws(Refusal) {
        switch tape[place].kind {
        case .object:
            beginObject()
            for key in tape.keys(of: place) {
                try JSONWriter.requireText(key, of: tape)
                rawKey(tape.bytes[tape.slice(key)])
                try compact(tape[key].next, of: tape)
            }
            endObject()
        case .array:
            beginArray()
            for element in tape.elements(of: place) { try compact(element, of: tape) }
            endArray()
        case .string:
            try JSONWriter.requireText(place, of: tape)
            raw(tape.bytes[tape.slice(place)])
        default: raw(tape.bytes[tape.slice(place)])
        }
    }

    private static func requireText(_ place: Int, of tape: JSONTape) throws(Refusal) {
        guard tape[place].escaped, tape.text(tape[place]) == nil else { return }
        throw Refusal(.invalidJSON, "A string in the body contains an unpaired surrogate.")
    }
}
