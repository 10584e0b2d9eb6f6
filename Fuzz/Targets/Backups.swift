// SPDX-License-Identifier: Apache-2.0

import AcrossStores

/// The header of encrypted backups, and their records after decryption.
enum Backups {
    static func run(_ bytes: [UInt8]) {
        if let header = EncryptionHeader(Array(bytes.prefix(EncryptionHeader.length))) {
            accepted()
            require(header.bytes.elementsEqual(bytes.prefix(EncryptionHeader.length)), "a header that reads as another")
            require(EncryptionHeader(header.bytes) == header, "a header that does not read as itself")
        }
        guard let manifest = try? Backup.verify(decrypted: bytes) else { return }
        accepted()
        require(BackupManifest(text: manifest.text) == manifest, "a manifest that reads as another")
        require(Set(manifest.entries.map(\.path)).count == manifest.entries.count, "a file that is there twice")
        var left = bytes.count
        for entry in manifest.entries {
            require(entry.bytes >= 0 && entry.bytes <= left, "a file that is larger than the backup")
            left -= Int(entry.bytes)
        }
    }
}
