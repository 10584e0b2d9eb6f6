// SPDX-License-Identifier: Apache-2.0

/// Files of Firestore's exports, and entities of them.
extension Grower {
    static let firestoreExports: [Grower] = [
        entity("properties") { n in (0..<n).flatMap { property("a\($0)", number(1, 1)) } },
        entity("elements of an array") { n in (0..<n).flatMap { _ in property("a", number(1, 1), isMultiple: true) } },
        entity("elements of arrays in turn") { n in (0..<n).flatMap { property("a\($0 % 100)", number(1, 1), isMultiple: true) } },
        entity("elements of a vector", isAccepted: false) { n in
            (0..<n).flatMap { _ in property("a", [0x21] + [UInt8](repeating: 0, count: 8), meaning: 31, isMultiple: true) }
        },
        entity("maps in an array") { n in
            (0..<n).flatMap { _ in property("a", text(3, property("b", number(1, 1))), meaning: 19, isMultiple: true) }
        },
        entity("maps in a map") { n in
            property("m", text(3, (0..<n).flatMap { property("b\($0)", text(3, property("c", [])), meaning: 19) }), meaning: 19)
        },
        entity("nested maps", isAccepted: false) { n in
            (0..<min(n, 40)).reduce([UInt8](repeating: 0x70, count: 2 * n)) { inner, _ in property("m", text(3, inner), meaning: 19) }
        },
        entity("a long text") { n in property("a", text(3, [UInt8](repeating: 0x61, count: n))) },
        entity("long bytes") { n in property("a", text(3, [UInt8](repeating: 0x61, count: n)), meaning: 14) },
        entity("values of a property") { n in property("a", (0..<n).flatMap { _ in text(3, [0x61]) }) },
        entity("unknown fields") { n in (0..<n).flatMap { _ in number(31, 1) } },
        entity("unknown groups") { n in (0..<n).flatMap { _ in group(31, number(1, 1)) } },
        entity("groups in groups", isAccepted: false) { n in (0..<n).flatMap { _ in tag(31, 3) } },
        entity("a long reference") { n in
            property("r", group(12, text(13, "s~p") + (0..<min(n, 90)).flatMap { group(14, text(15, "c\($0)") + text(17, "d")) }))
        },
        entity("elements of a reference", isAccepted: false) { n in
            property("r", group(12, text(13, "s~p") + (0..<n).flatMap { group(14, text(15, "c\($0)") + text(17, "d")) }))
        },
        Grower("firestoreexports", "elements of a key", isAccepted: false) { n in key((0..<n).map { "c\($0)" }) },
        Grower("firestoreexports", "fields of a key", isAccepted: false) { n in text(13, (0..<n).flatMap { _ in text(13, "s~p") }) },
        Grower("firestoreexports", "records") { n in log((0..<n).map { _ in (1, key(["c"])) }) },
        Grower("firestoreexports", "a record in many fragments") { n in log([(2, key(["c"]))] + (0..<n).map { _ in (3, [0xf8]) } + [(4, [])]) },
        Grower("firestoreexports", "first fragments", isAccepted: false) { n in log((0..<n).map { _ in (2, [1]) }) },
        Grower("firestoreexports", "last fragments", isAccepted: false) { n in log((0..<n).map { _ in (4, [1]) }) },
        Grower("firestoreexports", "zeros", isAccepted: false) { n in [UInt8](repeating: 0, count: n) },
    ]

    private static func entity(_ name: String, isAccepted: Bool = true, _ properties: @escaping @Sendable (Int) -> [UInt8]) -> Grower {
        Grower("firestoreexports", name, isAccepted: isAccepted) { key(["c"]) + properties($0) }
    }

    // MARK: Messages

    private static func varint(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
    }

    private static func tag(_ field: Int, _ wire: Int) -> [UInt8] { varint(field << 3 | wire) }
    private static func number(_ field: Int, _ value: Int) -> [UInt8] { tag(field, 0) + varint(value) }
    private static func text(_ field: Int, _ bytes: [UInt8]) -> [UInt8] { tag(field, 2) + varint(bytes.count) + bytes }
    private static func text(_ field: Int, _ text: String) -> [UInt8] { Self.text(field, Array(text.utf8)) }
    private static func group(_ field: Int, _ content: [UInt8]) -> [UInt8] { tag(field, 3) + content + tag(field, 4) }

    private static func key(_ kinds: [String]) -> [UInt8] {
        text(13, text(13, "s~p") + text(14, kinds.flatMap { group(1, text(2, $0) + text(4, "d")) }))
    }

    private static func property(_ name: String, _ value: [UInt8], meaning: Int = 0, isMultiple: Bool = false) -> [UInt8] {
        text(15, number(1, meaning) + text(3, name) + number(4, isMultiple ? 1 : 0) + text(5, value))
    }

    // MARK: Records

    /// Fragments of a file. None may cross the end of a block, so zeros fill the rest of one.
    private static func log(_ fragments: [(kind: UInt8, bytes: [UInt8])]) -> [UInt8] {
        var file: [UInt8] = []
        for (kind, bytes) in fragments {
            let room = 32_768 - file.count % 32_768
            if room < bytes.count + 7 { file += [UInt8](repeating: 0, count: room) }
            let sum = checksum([kind] + bytes)
            file += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + [UInt8(bytes.count & 0xff), UInt8(bytes.count >> 8), kind] + bytes
        }
        return file
    }

    /// CRC-32C, masked as LevelDB does.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest = ~UInt32(0)
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? (rest >> 1) ^ 0x82f6_3b78 : rest >> 1 }
        }
        let sum = ~rest
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }
}
