// SPDX-License-Identifier: Apache-2.0

/// Why an entity of an export is no document.
package enum EntityFault: String, Error, CaseIterable, Sendable {
    case malformed = "is not an entity"
    case namespace = "is in a namespace, which only Datastore has"
    case path = "has a name that documents cannot have"
    case tooDeep = "has more than 20 levels of maps and arrays"
    case text = "has text that is not UTF-8"
    case time = "has a time outside of the years 1 to 9999"
    case place = "has a geo point that is out of range"
    case reference = "has a reference that names no document"
    case vector = "has a vector with other values than numbers"
    case repeatedField = "has a field twice"
    case user = "has a value of a type that Firestore does not have"
}

/// A field of a message in the wire format of protocol buffers.
struct ProtoField {
    enum Content {
        case number(UInt64)
        case eight(UInt64)
        case four
        case bytes(Range<Int>)
        /// The fields of the group follow, up to its end.
        case group
    }

    let number: Int
    let content: Content
}

/// A reader of the fields of a message, in order. It never goes back, so its work is proportional to the message.
struct ProtoCursor {
    private static let groupDepth = 64

    let bytes: [UInt8]
    private var place: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (place, end) = (range.lowerBound, range.upperBound)
    }

    /// Returns the next field; nil at the end of the message, or of the group with a number.
    mutating func next(inGroup group: Int? = nil) throws(EntityFault) -> ProtoField? {
        if place == end {
            if group == nil { return nil }
            throw .malformed
        }
        let tag = try varint()
        guard let number = Int(exactly: tag >> 3), number > 0 else { throw .malformed }
        switch tag & 7 {
        case 0: return ProtoField(number: number, content: .number(try varint()))
        case 1: return ProtoField(number: number, content: .eight(try fixed(8)))
        case 2:
            guard let count = Int(exactly: try varint()), count <= end - place else { throw .malformed }
            place += count
            return ProtoField(number: number, content: .bytes((place - count)..<place))
        case 3: return ProtoField(number: number, content: .group)
        case 4:
            guard number == group else { throw .malformed }
            return nil
        case 5:
            _ = try fixed(4)
            return ProtoField(number: number, content: .four)
        default: throw .malformed
        }
    }

    /// Skips the fields of a group whose meaning is not known.
    mutating func skip(_ field: ProtoField) throws(EntityFault) {
        guard case .group = field.content else { return }
        var open = [field.number]
        while let group = open.last {
            guard let inner = try next(inGroup: group) else {
                open.removeLast()
                continue
            }
            guard case .group = inner.content else { continue }
            guard open.count < Self.groupDepth else { throw .malformed }
            open.append(inner.number)
        }
    }

    /// The text of a field with bytes.
    func text(_ field: ProtoField) throws(EntityFault) -> String {
        guard case .bytes(let range) = field.content else { throw .malformed }
        guard let text = String(validating: bytes[range], as: UTF8.self) else { throw .text }
        return text
    }

    private mutating func varint() throws(EntityFault) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while place < end, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .malformed
    }

    private mutating func fixed(_ count: Int) throws(EntityFault) -> UInt64 {
        guard count <= end - place else { throw .malformed }
        place += count
        return bytes[(place - count)..<place].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
