// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// A scan for texts at the outermost levels of an unauthenticated document, in one pass and without allocations.
///
/// The document is not validated, so a result may come from invalid JSON. Names with escapes are not found. Example: in
/// `{"batch":[{"event":"a"}],"api_key":"k"}` the place of `api_key` is that of `"k"`.
package struct JSONKeyScan {
    private let bytes: [UInt8]
    private let end: Int
    /// The remaining number of members and elements to visit. The rest of the document is ignored.
    private var steps: Int
    /// The last object or array that was walked over.
    private var walked = 0..<0

    /// - Parameter range: The part of `bytes` that is the document.
    package init(_ bytes: [UInt8], in range: Range<Int>? = nil, steps: Int = 10_000) {
        self.bytes = bytes
        self.steps = steps
        end = min(bytes.count, range?.upperBound ?? bytes.count)
        root = range?.lowerBound ?? 0
        while root < end, JSONKeyScan.isSpace(bytes[root]) { root += 1 }
    }

    /// The position of the document.
    package private(set) var root: Int

    package func isObject(_ place: Int) -> Bool { place < end && bytes[place] == UInt8(ascii: "{") }
    package func isArray(_ place: Int) -> Bool { place < end && bytes[place] == UInt8(ascii: "[") }

    /// Returns the positions of the first values with these names in an object; `nil` for missing ones.
    ///
    /// - Parameter visit: Called with each as it is found, and the index of its name. A value that it walks over is not walked over again.
    package mutating func places<let count: Int>(
        of names: InlineArray<count, StaticString>, in object: Int, visit: (inout JSONKeyScan, _ name: Int, _ place: Int) -> Void = { _, _, _ in }
    ) -> InlineArray<count, Int?> {
        var places = InlineArray<count, Int?>(repeating: nil)
        guard isObject(object) else { return places }
        var (member, left) = (sbj_member(), count)
        member.next = object + 1
        while left > 0 {
            guard next(&member, sbj_next_member) else {
                ended(object, at: Int(member.next))
                break
            }
            for i in 0..<count where places[i] == nil && isName(member, names[i]) {
                places[i] = member.value
                left -= 1
                visit(&self, i, member.value)
            }
        }
        return places
    }

    /// Returns the first result of `find` for an element of an array.
    package mutating func first<R>(in array: Int, _ find: (inout JSONKeyScan, _ element: Int) -> R?) -> R? {
        guard isArray(array) else { return nil }
        var element = sbj_member()
        element.next = array + 1
        while next(&element, sbj_next_element) {
            if let found = find(&self, element.value) { return found }
        }
        ended(array, at: Int(element.next))
        return nil
    }

    /// Returns the text of a string of at most `limit` bytes; nil for any other value.
    package func text(_ place: Int?, atMost limit: Int = 256) -> String? {
        guard let place, place < end, bytes[place] == UInt8(ascii: "\"") else { return nil }
        let stop = min(end, place + 1 + limit)
        var at = place + 1
        var isEscaped = false
        while at < stop, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\") {
                isEscaped = true
                at += 1
            }
            at += 1
        }
        guard at < stop else { return nil }
        let tape = JSONTape(over: bytes)
        return tape.text(JSONToken(.string, offset: place + 1, count: at - place - 1, index: 0, escaped: isEscaped))
    }

    /// Moves past the last value to the next member.
    private mutating func next(_ member: inout sbj_member, _ move: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<sbj_member>?) -> Int32) -> Bool {
        guard steps > 0 else {
            member.next = end
            return false
        }
        steps -= 1
        if member.value > 0 {
            let value = Int(member.value)
            member.next = walked.lowerBound == value ? walked.upperBound : skipped(value)
        }
        // The C code reads inside [0, end) and keeps no pointer.
        return bytes.withUnsafeBufferPointer { move($0.baseAddress, end, &member) } != 0
    }

    private func skipped(_ value: Int) -> Int {
        // As above.
        bytes.withUnsafeBufferPointer { Int(sbj_skip_value($0.baseAddress, value, end)) }
    }

    /// Stores the end of an object or array that was walked over.
    private mutating func ended(_ container: Int, at place: Int) {
        if place < end, bytes[place] | 0x20 == UInt8(ascii: "}") { walked = container..<place + 1 }
    }

    private func isName(_ member: sbj_member, _ name: StaticString) -> Bool {
        guard member.key_count == name.utf8CodeUnitCount else { return false }
        // A static string lives as long as the program and has that many bytes; the key is inside the document.
        return bytes.withUnsafeBufferPointer { bytes in
            (0..<member.key_count).allSatisfy { bytes[member.key + $0] == name.utf8Start[$0] }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}
