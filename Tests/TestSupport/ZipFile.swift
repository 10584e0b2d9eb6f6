// SPDX-License-Identifier: Apache-2.0

/// A ZIP archive, valid unless a field is changed.
package struct ZipFile {
    package struct Entry {
        package var name: [UInt8]
        package var packed: [UInt8]
        package var size: Int
        package var packedSize: Int
        package var checksum: Int
        package var method = 0
        package var flags = 0
        /// The offset that the directory states; nil for the right one.
        package var offset: Int?

        /// - Parameter deflated: The deflated bytes, if the entry is compressed.
        package init(_ name: String, _ bytes: [UInt8], deflated: [UInt8]? = nil) {
            self.name = Array(name.utf8)
            packed = deflated ?? bytes
            method = deflated == nil ? 0 : 8
            (size, packedSize, checksum) = (bytes.count, packed.count, ZipFile.checksum(bytes))
        }
    }

    package var entries: [Entry]
    package var prefix: [UInt8] = []
    package var comment: [UInt8] = []
    /// The fields of the last record; nil for the right ones.
    package var count: Int?
    package var directoryOffset: Int?
    package var directoryBytes: Int?
    package var disk = 0

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package var bytes: [UInt8] {
        var (out, directory): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            let start = out.count
            let sizes = little(entry.checksum, 4) + little(entry.packedSize, 4) + little(entry.size, 4) + little(entry.name.count, 2) + little(0, 2)
            let method = little(entry.flags, 2) + little(entry.method, 2) + little(0, 4)
            out += little(0x0403_4b50, 4) + little(20, 2) + method + sizes + entry.name + entry.packed
            directory += little(0x0201_4b50, 4) + little(20, 2) + little(20, 2) + method + sizes + little(0, 10) + little(entry.offset ?? start, 4)
            directory += entry.name
        }
        let number = little(count ?? entries.count, 2)
        let place = little(directoryBytes ?? directory.count, 4) + little(directoryOffset ?? out.count, 4)
        return prefix + out + directory + little(0x0605_4b50, 4) + little(disk, 2) + little(0, 2) + number + number + place
            + little(comment.count, 2) + comment
    }

    private func little(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * min($0, 7))) } }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320 }
        }
        return Int(~value)
    }
}
