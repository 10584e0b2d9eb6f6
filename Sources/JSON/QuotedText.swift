// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends the text as a JSON string. Returns whether any character was escaped.
    @discardableResult
    mutating func appendQuoted(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { appendQuoted($0) }
    }

    /// Most texts need no escapes and are copied at once. The buffer is not kept.
    mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        append(UInt8(ascii: "\""))
        var start = 0
        var isEscaped = false
        for at in text.indices where text[at] < 0x20 || text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "\\") {
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<at]))
            appendEscaped(text[at])
            start = at + 1
            isEscaped = true
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
        return isEscaped
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0c: append(UInt8(ascii: "f"))
        case 0x0d: append(UInt8(ascii: "r"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }
}
