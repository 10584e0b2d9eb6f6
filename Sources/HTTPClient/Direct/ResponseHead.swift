// SPDX-License-Identifier: Apache-2.0

/// The head of a response, read strictly: a head that two clients could read differently is rejected.
///
///     HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n   →   200, length 2, keeps alive
///     HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n   →   badResponse
package struct ResponseHead: Sendable, Equatable {
    package private(set) var status: Int
    /// The raw `Content-Type` field.
    package private(set) var contentType: String?
    /// The length of the body; nil if it is not stated.
    package private(set) var length: Int?
    package private(set) var isChunked = false
    /// Whether the connection stays open.
    package private(set) var keepsAlive: Bool

    /// Reads the lines of a head, each with its line end, and the empty one.
    package init(_ bytes: [UInt8]) throws(CourierFailure) {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast(2)
        guard let first = lines.first else { throw .badResponse }
        (status, keepsAlive) = try ResponseHead.statusLine(first)
        for line in lines.dropFirst() { try read(line) }
        // Of both, the length is the one that may be forged.
        if isChunked, length != nil { (length, keepsAlive) = (nil, false) }
    }

    /// Reads `HTTP/1.1 200 OK` with its carriage return. Older versions keep no connection.
    private static func statusLine(_ line: ArraySlice<UInt8>) throws(CourierFailure) -> (status: Int, keepsAlive: Bool) {
        let version = line.prefix(9)
        let isNew = version.elementsEqual("HTTP/1.1 ".utf8)
        let digits = line.dropFirst(9).prefix(3)
        guard isNew || version.elementsEqual("HTTP/1.0 ".utf8), line.last == 0x0d, digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            [0x20, 0x0d].contains(line[digits.endIndex])
        else { throw .badResponse }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100...599).contains(status), status != 101 else { throw .badResponse }
        return (status, isNew)
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(CourierFailure) {
        guard line.last == 0x0d, let colon = line.firstIndex(of: 0x3a), colon > line.startIndex else { throw .badResponse }
        let name = line[..<colon]
        guard name.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .badResponse }
        let value = line[(colon + 1)...].dropLast()
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { throw .badResponse }
        switch name.count {
        case 10 where name.isField("connection"): if value.hasClose { keepsAlive = false }
        case 12 where name.isField("content-type"): contentType = value.prefix(128).trimmedText
        case 14 where name.isField("content-length"): try readLength(value)
        case 17 where name.isField("transfer-encoding"):
            guard !isChunked, value.lowercasedText == "chunked" else { throw .badResponse }
            isChunked = true
        default: break
        }
    }

    private mutating func readLength(_ value: ArraySlice<UInt8>) throws(CourierFailure) {
        let digits = value.trimmedText.utf8
        guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .badResponse }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard length == nil || length == number else { throw .badResponse }
        length = number
    }
}

extension ArraySlice<UInt8> {
    /// Whether it is a name, given in lower case, in any case.
    fileprivate func isField(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in zip(self, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 != 0x2d } }
    }

    /// The value without spaces around it.
    private var trimmed: ArraySlice<UInt8> {
        let start = firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
        let end = lastIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
        return start == endIndex ? self[start...] : self[start...end]
    }

    fileprivate var trimmedText: String { String(decoding: trimmed, as: UTF8.self) }

    /// Whether `close` is in a list such as `Keep-Alive, close`.
    fileprivate var hasClose: Bool { split(separator: 0x2c).contains { $0.trimmed.count == 5 && $0.trimmed.isField("close") } }

    fileprivate var lowercasedText: String { trimmedText.lowercased() }
}
