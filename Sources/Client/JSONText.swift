// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON writer that appends to a byte array. `JSONEncoder` takes ten times as long for an event.
package struct JSONText {
    package var bytes: [UInt8]
    private var needsComma = false

    /// Appends to the given bytes, which are left as they are.
    package init(appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    package mutating func object(_ fields: (inout JSONText) -> Void) {
        enclose(0x7b, 0x7d, fields)
    }

    package mutating func object(_ name: StaticString, _ fields: (inout JSONText) -> Void) {
        key(name)
        object(fields)
    }

    package mutating func list<Element>(_ name: StaticString, _ elements: [Element], _ write: (inout JSONText, Element) -> Void) {
        key(name)
        list(elements, write)
    }

    package mutating func list<Element>(_ elements: [Element], _ write: (inout JSONText, Element) -> Void) {
        enclose(0x5b, 0x5d) { json in
            for element in elements {
                json.separate()
                write(&json, element)
            }
        }
    }

    package mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    package mutating func field(_ name: StaticString, _ number: Int64) {
        key(name)
        raw(String(number))
    }

    package mutating func field(_ name: StaticString, _ flag: Bool) {
        key(name)
        raw(flag ? "true" : "false")
    }

    package mutating func null(_ name: String) {
        key(name)
        raw("null")
    }

    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3a)
    }

    package mutating func key(_ name: String) {
        separate()
        string(name)
        bytes.append(0x3a)
    }

    /// Appends fields that are already encoded, without braces.
    package mutating func fields(_ json: ArraySlice<UInt8>) {
        guard !json.isEmpty else { return }
        separate()
        bytes += json
    }

    /// Appends text that is already JSON.
    package mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5c: bytes.append(contentsOf: [0x5c, byte])
            case 0..<0x20: raw(byte < 16 ? "\\u000\(String(byte, radix: 16))" : "\\u00\(String(byte, radix: 16))")
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2c) }
        needsComma = true
    }

    private mutating func enclose(_ first: UInt8, _ last: UInt8, _ body: (inout JSONText) -> Void) {
        bytes.append(first)
        needsComma = false
        body(&self)
        bytes.append(last)
        needsComma = true
    }
}

extension JSONText {
    /// Appends a new UUIDv7 as a string value.
    mutating func id(milliseconds: Int64) {
        bytes.append(0x22)
        TimeOrderedID.write(milliseconds: milliseconds, to: &bytes)
        bytes.append(0x22)
    }
}
