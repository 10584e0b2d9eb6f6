// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// The path of a value through objects of documents that are known to be valid JSON without repeated names.
///
/// Other members are skipped, 64 bytes at a time, without being read:
///
///     ["m", "b"] in {"a":[1,2],"m":{"b":"x"}}   the bytes of "x"
package struct JSONFieldPath: Sendable {
    /// Names as they stand between quotes.
    private let names: [[UInt8]]

    package init(_ names: [String]) {
        self.names = names.map { name in
            var quoted: [UInt8] = []
            quoted.appendQuoted(name)
            return Array(quoted.dropFirst().dropLast())
        }
    }

    /// Returns the range of the value; nil if there is none.
    package func place(in document: Span<UInt8>) -> Range<Int>? {
        document.withUnsafeBufferPointer { bytes in
            var place = 0
            for name in names {
                guard let value = JSONFieldPath.value(of: name, at: place, in: bytes) else { return nil }
                place = value
            }
            guard place < bytes.count else { return nil }
            // The C code reads inside [0, count) and keeps no pointer.
            return place..<Int(sbj_skip_value(bytes.baseAddress, place, bytes.count))
        }
    }

    /// Returns the place of a member's value in the object at a place; nil for anything but an object with that member.
    private static func value(of name: [UInt8], at object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard object < bytes.count, bytes[object] == UInt8(ascii: "{") else { return nil }
        var member = sbj_member()
        member.next = object + 1
        // As above.
        while sbj_next_member(bytes.baseAddress, bytes.count, &member) != 0 {
            if member.key_count == name.count, bytes[member.key..<member.key + member.key_count].elementsEqual(name) { return member.value }
            member.next = sbj_skip_value(bytes.baseAddress, member.value, bytes.count)
        }
        return nil
    }
}
