// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Compressed bodies and binary symbol files.
    static let binaries = codings + machO + elf + archives + backups + sessionChunks

    // MARK: Codings

    /// The first byte selects the coding: identity, gzip, deflate, br, zstd.
    private static let codings: [Grower] = [
        bytes("codings", "plain bytes", [0], [0x61]),
        bytes("codings", "empty gzip members", [1], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        bytes("codings", "a long gzip name", [1, 0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3], [0x61]),
        bytes("codings", "empty stored blocks", [2], [0, 0, 0, 0xff, 0xff]),
        bytes("codings", "stored blocks of one byte", [2], [0, 1, 0, 0xfe, 0xff, 0x61]),
        bytes("codings", "deflated zeros", [2], [0xec, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 0x0e, 0x37, 0xa0]),
        bytes("codings", "brotli metadata", [3, 0x0c], [0x0c, 0x00]),
        bytes("codings", "empty zstd frames", [4], [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00]),
        bytes("codings", "skippable zstd frames", [4], [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]),
        bytes("codings", "zstd frames of one byte", [4], [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01, 0x09, 0x00, 0x00, 0x61]),
        bytes("codings", "empty zstd blocks", [4, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00], [0, 0, 0]),
        bytes("codings", "zstd runs", [4, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00], [0x42, 0x00, 0x00, 0x61]),
    ]

    private static func bytes(_ target: String, _ name: String, _ start: [UInt8], _ unit: [UInt8]) -> Grower {
        Grower(target, name, isAccepted: false) { n in start + (0..<n).flatMap { _ in unit } }
    }

    // MARK: Mach-O

    private static let machO: [Grower] = [
        Grower("symbols", "load commands") { machO(commands: [uuid, dwarf(sections: 1)] + Array(repeating: little(0x99) + little(8), count: $0)) },
        Grower("symbols", "DWARF sections") { machO(commands: [uuid, dwarf(sections: $0)]) },
        Grower("symbols", "DWARF segments") { n in machO(commands: [uuid] + (0..<n).map { _ in dwarf(sections: 1) }) },
        Grower("symbols", "architectures in one place") { n in
            let file = machO(commands: [uuid, dwarf(sections: 1)] + Array(repeating: little(0x99) + little(8), count: n))
            let count = min(n, 32)
            let start = UInt32(8 + 20 * count)
            let entry = big(0x0100_000c) + big(0) + big(start) + big(UInt32(file.count)) + big(0)
            return big(0xcafe_babe) + big(UInt32(count)) + (0..<count).flatMap { _ in entry } + file
        },
    ]

    private static let uuid = little(0x1b) + little(24) + [UInt8](repeating: 7, count: 16)

    private static func machO(commands: [[UInt8]]) -> [UInt8] {
        let all = commands.flatMap { $0 }
        let head = [0xfeed_facf, 0x0100_000c, 0, 2, UInt32(commands.count), UInt32(all.count), 0, 0].flatMap(little)
        return head + all
    }

    private static func dwarf(sections: Int) -> [UInt8] {
        let name = Array("__DWARF".utf8) + zeros(9)
        let head = little(0x19) + little(UInt32(72 + 80 * sections)) + name + zeros(40) + little(UInt32(sections)) + little(0)
        let section = Array("__debug_info".utf8) + zeros(28) + little(1) + zeros(36)
        return head + (0..<sections).flatMap { _ in section }
    }

    // MARK: ELF

    private static let elf: [Grower] = [
        Grower("symbols", "sections", isAccepted: false) { elf(sections: $0, kind: 1, notes: 0) },
        Grower("symbols", "sections of notes in one place", isAccepted: false) { elf(sections: $0, kind: 7, notes: $0) },
        Grower("symbols", "notes", isAccepted: false) { elf(sections: 1, kind: 7, notes: $0) },
    ]

    /// A 64-bit file whose sections share the same bytes: notes of 12 bytes that are not a build ID.
    private static func elf(sections: Int, kind: UInt32, notes: Int) -> [UInt8] {
        let table = UInt32(64 + 12 * notes)
        let words: [[UInt8]] = [
            [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], zeros(8), [2, 0, 62, 0], little(1), zeros(8), zeros(8), little(table), zeros(4), zeros(4),
        ]
        let head = words.flatMap { $0 } + [64, 0, 56, 0, 0, 0, 64, 0] + little(UInt32(min(sections, 65_000))).prefix(2) + [0, 0]
        let note = zeros(8) + little(1)
        let section = little(0) + little(kind) + zeros(8) + zeros(8) + little(64) + zeros(4) + little(UInt32(12 * notes)) + zeros(4) + zeros(24)
        return head + (0..<notes).flatMap { _ in note } + (0..<sections).flatMap { _ in section }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    private static func little(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    private static func big(_ word: UInt32) -> [UInt8] { little(word).reversed() }
}
