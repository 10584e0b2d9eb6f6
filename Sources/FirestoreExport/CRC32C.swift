// SPDX-License-Identifier: Apache-2.0

/// The checksum of records: CRC-32 with Castagnoli's polynomial, as LevelDB masks it.
enum CRC32C {
    /// The remainders of single bytes, and of bytes followed by one to three zero bytes: four bytes take one step.
    private static let tables: [[UInt32]] = {
        var tables = [
            (0..<256).map { byte -> UInt32 in (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82f6_3b78 : rest >> 1 } }
        ]
        for _ in 1..<4 { tables.append(tables[tables.count - 1].map { $0 >> 8 ^ tables[0][Int($0 & 0xff)] }) }
        return tables
    }()

    /// The masked checksum of bytes. The mask keeps checksums of bytes that contain checksums apart.
    static func masked(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        let (one, two, three, four) = (tables[0], tables[1], tables[2], tables[3])
        var (rest, place) = (~UInt32(0), bytes.startIndex)
        while bytes.endIndex - place >= 4 {
            rest ^= UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 3]) << 24
            rest = four[Int(rest & 0xff)] ^ three[Int(rest >> 8 & 0xff)] ^ two[Int(rest >> 16 & 0xff)] ^ one[Int(rest >> 24)]
            place += 4
        }
        for byte in bytes[place...] { rest = rest >> 8 ^ one[Int((rest ^ UInt32(byte)) & 0xff)] }
        let sum = ~rest
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }
}
