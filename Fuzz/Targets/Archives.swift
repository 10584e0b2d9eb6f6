// SPDX-License-Identifier: Apache-2.0

import Symbols

/// ZIP archives, and bundles of source maps. Entries unpack to what the directory states, within a budget.
enum Archives {
    private static let entryBytes = 1 << 18
    private static let readEntries = 64

    static func run(_ bytes: [UInt8]) {
        guard let archive = try? ZipArchive(bytes: bytes) else { return }
        accepted()
        require(archive.entries.reduce(0) { $0 + $1.packedSize } <= bytes.count, "entries that share bytes")
        for entry in archive.entries.prefix(readEntries) { check(entry, of: archive) }
        guard let bundle = try? ArtifactBundle(bytes: bytes) else { return }
        require(bundle.scripts.count <= archive.entries.count, "more scripts than files")
        for script in bundle.scripts {
            require(archive.entries.contains(script.map) && script.code.map(archive.entries.contains) != false, "a file that the archive has not")
        }
    }

    private static func check(_ entry: ZipArchive.Entry, of archive: ZipArchive) {
        require(!entry.name.isEmpty && entry.size >= 0, "an entry without a name")
        var size = 0
        let isRead = (try? archive.read(entry, most: entryBytes) { size += $0.count }) != nil
        require(size <= entry.size, "an entry that is larger than stated")
        require(!isRead || size == entry.size && size <= entryBytes, "an entry that is smaller than stated, or above the limit")
    }
}
