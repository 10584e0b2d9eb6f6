// SPDX-License-Identifier: Apache-2.0

/// A reader of LevelDB's log format, in which Firestore writes the files of an export.
///
/// A file has blocks of 32 KiB, a block has fragments, and a record is one fragment or a first, middle and last ones:
///
///     checksum (4), length (2), kind (1), bytes     kind: 1 whole, 2 first, 3 middle, 4 last
///
/// Zeros fill the end of a block that has no room for a header, and may fill the last block behind its fragments. Other zeros are damage: a hole
/// that a crash or a bad copy left.
///
/// Fragments with a wrong checksum or length are skipped with the rest of their block, as their length cannot be trusted.
package struct RecordLog {
    package static let blockBytes = 32_768
    /// The largest record. A document has 1 MiB, but each element of an array repeats the name of its field.
    package static let recordBytes = 32 << 20
    private static let headerBytes = 7
    private let mostBytes: Int

    package enum Item: Equatable, Sendable {
        /// A record with the place of its first fragment in the file.
        case record([UInt8], offset: Int)
        case damage(Damage, offset: Int)
    }

    package enum Damage: String, Error, CaseIterable, Sendable {
        case checksum = "the checksum is wrong"
        case length = "a fragment is longer than its block"
        case kind = "a fragment is of an unknown kind"
        case start = "the first fragment is missing"
        case end = "the last fragment is missing"
        case zeros = "the rest of the block is empty"
        case tooLarge = "the record is larger than 32 MiB"
    }

    private var offset = 0
    /// The fragments of an unfinished record.
    private var fragments: (bytes: [UInt8], offset: Int)?
    /// Whether the next fragments belong to a record that was reported as damaged.
    private var isSkipping = false
    /// The place of zeros that are padding if no block follows.
    private var padding: Int?

    package init(recordBytes: Int = recordBytes) {
        mostBytes = recordBytes
    }

    /// Reads the next block. All blocks except the last one of a file are of full size.
    package mutating func read(_ block: ArraySlice<UInt8>) -> [Item] {
        var (items, place) = ([Item](), block.startIndex)
        if let at = padding {
            damage(.zeros, at, &items)
            padding = nil
        }
        while block.endIndex - place >= Self.headerBytes {
            let header = block[place..<(place + Self.headerBytes)]
            let length = Int(header[place + 4]) | Int(header[place + 5]) << 8
            let kind = header[place + 6]
            let at = offset + place - block.startIndex
            if kind == 0, length == 0, block[place...].allSatisfy({ $0 == 0 }) {
                if place == block.startIndex { damage(.zeros, at, &items) } else { padding = at }
                break
            }
            let start = place + Self.headerBytes
            guard length <= block.endIndex - start else {
                damage(.length, at, &items)
                break
            }
            let sum = header.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard CRC32C.masked(block[(start - 1)..<(start + length)]) == sum else {
                damage(.checksum, at, &items)
                break
            }
            add(kind, block[start..<(start + length)], at, &items)
            place = start + length
        }
        let rest = block.endIndex - place
        if block.count < Self.blockBytes, (1..<Self.headerBytes).contains(rest) { damage(.length, offset + block.count - rest, &items) }
        offset += block.count
        return items
    }

    /// Reports a record that the end of the file cuts off.
    package mutating func finish() -> [Item] {
        var items: [Item] = []
        end(&items)
        return items
    }

    private mutating func add(_ kind: UInt8, _ bytes: ArraySlice<UInt8>, _ at: Int, _ items: inout [Item]) {
        switch kind {
        case 1:
            end(&items)
            items.append(.record(Array(bytes), offset: at))
        case 2:
            end(&items)
            fragments = (Array(bytes), at)
        case 3, 4:
            if isSkipping {
                isSkipping = kind == 3
                return
            }
            guard let begun = fragments, begun.bytes.count + bytes.count <= mostBytes else {
                damage(fragments == nil ? .start : .tooLarge, at, &items)
                isSkipping = kind == 3
                return
            }
            fragments?.bytes += bytes
            if kind == 4, let whole = fragments {
                fragments = nil
                items.append(.record(whole.bytes, offset: whole.offset))
            }
        default: damage(.kind, at, &items)
        }
    }

    /// Ends what came before a first fragment, or before the end of the file.
    private mutating func end(_ items: inout [Item]) {
        if let fragments { items.append(.damage(.end, offset: fragments.offset)) }
        (fragments, isSkipping) = (nil, false)
    }

    /// Reports one damage for a record, and skips its further fragments.
    private mutating func damage(_ damage: Damage, _ at: Int, _ items: inout [Item]) {
        items.append(.damage(damage, offset: fragments?.offset ?? at))
        (fragments, isSkipping) = (nil, true)
    }
}
