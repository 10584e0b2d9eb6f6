// SPDX-License-Identifier: Apache-2.0

/// An entity tag (RFC 9110, 8.8.3): the name of one state of a resource.
///
/// Example: `"a1"` is strong, `W/"a1"` is weak. Weak tags never match where bytes must be the same.
package struct EntityTag: Hashable, Sendable {
    /// The bytes between the quotes.
    private let opaque: [UInt8]
    package let isWeak: Bool

    /// A strong tag of the server's own. The text has visible ASCII characters without quotes.
    package init(_ text: String) {
        precondition(text.utf8.allSatisfy(EntityTag.isContent), "an entity tag has visible characters without quotes")
        self.init(opaque: Array(text.utf8), isWeak: false)
    }

    fileprivate init(opaque: [UInt8], isWeak: Bool) {
        (self.opaque, self.isWeak) = (opaque, isWeak)
    }

    /// The value of an `ETag` field.
    package var text: String { (isWeak ? "W/\"" : "\"") + String(decoding: opaque, as: UTF8.self) + "\"" }

    /// Whether both name the same bytes: neither is weak.
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Whether both name equivalent states.
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    static func isContent(_ byte: UInt8) -> Bool { byte == 0x21 || byte >= 0x23 && byte != 0x7f }
}

/// The value of `If-Match` or `If-None-Match`.
///
/// Example: `*` is any, `"a", W/"b"` are two tags, and `a` without quotes is malformed.
package enum EntityTagList: Sendable, Equatable {
    case any
    case tags([EntityTag])
    case malformed

    /// Reads the fields of a name as one list, in one pass.
    package init(_ fields: [String]) {
        if fields.count == 1, EntityTagList.isStar(fields[0]) {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        for field in fields {
            var reader = EntityTagReader(field)
            guard reader.readList(into: &tags) else {
                self = .malformed
                return
            }
        }
        self = tags.isEmpty ? .malformed : .tags(tags)
    }

    private static func isStar(_ field: String) -> Bool {
        let bytes = Array(field.utf8)
        return bytes[bytes.trimmed(bytes.indices)].elementsEqual([0x2a])
    }
}

extension EntityTag {
    /// Parses exactly one tag.
    package init?(parsing field: String) {
        var tags: [EntityTag] = []
        var reader = EntityTagReader(field)
        guard reader.readList(into: &tags), tags.count == 1, !reader.hadComma else { return nil }
        self = tags[0]
    }
}

/// A cursor over a comma-separated list of tags. Empty elements are skipped.
private struct EntityTagReader {
    private let bytes: [UInt8]
    private var index = 0
    private(set) var hadComma = false

    init(_ field: String) {
        bytes = Array(field.utf8)
    }

    /// Appends all tags; returns `false` if the field is malformed.
    mutating func readList(into tags: inout [EntityTag]) -> Bool {
        while true {
            skipBlanks()
            guard index < bytes.count else { return true }
            if bytes[index] != 0x2c {
                guard let tag = readTag() else { return false }
                tags.append(tag)
                skipBlanks()
                guard index < bytes.count else { return true }
            }
            guard bytes[index] == 0x2c else { return false }
            hadComma = true
            index += 1
        }
    }

    private mutating func readTag() -> EntityTag? {
        let isWeak = bytes[index] == 0x57
        if isWeak {
            guard index + 1 < bytes.count, bytes[index + 1] == 0x2f else { return nil }
            index += 2
        }
        guard index < bytes.count, bytes[index] == 0x22 else { return nil }
        let start = index + 1
        var end = start
        while end < bytes.count, EntityTag.isContent(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == 0x22 else { return nil }
        index = end + 1
        return EntityTag(opaque: Array(bytes[start..<end]), isWeak: isWeak)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }
}
