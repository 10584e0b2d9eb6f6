// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into the objects of an import, in bounded memory.
///
///     {"id": "a"}\n{"id": "b"}\n      lines
///     [{"id": "a"}, {"id": "b"}]      a list
///     {"users": [{"id": "a"}]}        Firebase's export: a list inside an object with one name
///
/// Objects are only delimited here. What is inside is checked by whoever parses them.
package struct EntrySplitter: Sendable {
    package enum Problem: Error, Equatable, Sendable {
        /// Something else than objects, at this entry.
        case malformed(entry: Int)
        case tooLong(entry: Int)
        /// The stream ended inside an entry.
        case unfinished
    }

    package static let mostBytes = 64 << 10
    private static let opening = Array("{\"users\":[".utf8)

    private var entry: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// The number of bytes of the opening of an export that were seen; nil once it cannot be one.
    private var opened: Int? = 0
    /// Whether the objects are in a list, and in the object of an export.
    private var isInList = false
    private var isInExport = false
    private var isClosed = false
    package private(set) var count = 0

    package init() {}

    /// Adds bytes and calls a closure with each entry that ends in them.
    package mutating func add(_ bytes: ArraySlice<UInt8>, _ take: ([UInt8]) -> Void) throws(Problem) {
        for byte in bytes {
            if depth > 0 {
                try continueEntry(byte, take)
            } else if let seen = opened {
                try open(byte, seen, take)
            } else {
                try between(byte)
            }
        }
    }

    package func finish() throws(Problem) {
        guard depth == 0, opened ?? 0 == 0, !isInList || isClosed, !isInExport else { throw .unfinished }
    }

    // MARK: Bytes

    /// The first bytes: of an export, of a list, or of the first entry.
    private mutating func open(_ byte: UInt8, _ seen: Int, _ take: ([UInt8]) -> Void) throws(Problem) {
        // Spaces stand between the tokens of the opening, and nowhere else in it.
        if EntrySplitter.isSpace(byte), !(2...7).contains(seen) { return }
        if byte == EntrySplitter.opening[seen] {
            entry.append(byte)
            opened = seen + 1
            if seen + 1 == EntrySplitter.opening.count { (opened, isInList, isInExport, entry) = (nil, true, true, []) }
            return
        }
        // The bytes belong to a list or an entry.
        let kept = entry
        (opened, entry) = (nil, [])
        for old in kept + [byte] {
            if depth > 0 { try continueEntry(old, take) } else { try between(old) }
        }
    }

    private mutating func between(_ byte: UInt8) throws(Problem) {
        switch byte {
        case _ where EntrySplitter.isSpace(byte): return
        case UInt8(ascii: "{") where !isClosed:
            (depth, entry) = (1, [byte])
        case UInt8(ascii: ",") where isInList && !isClosed && count > 0: return
        case UInt8(ascii: "[") where !isInList && count == 0: isInList = true
        case UInt8(ascii: "]") where isInList && !isClosed: isClosed = true
        case UInt8(ascii: "}") where isInExport && isClosed: isInExport = false
        default: throw .malformed(entry: count)
        }
    }

    private mutating func continueEntry(_ byte: UInt8, _ take: ([UInt8]) -> Void) throws(Problem) {
        try step(byte)
        guard depth == 0 else { return }
        count += 1
        let whole = entry
        entry = []
        take(whole)
    }

    private mutating func step(_ byte: UInt8) throws(Problem) {
        guard entry.count < EntrySplitter.mostBytes else { throw .tooLong(entry: count) }
        entry.append(byte)
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
}
