// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

extension Backup {
    package static func isEncrypted(_ folder: String) -> Bool { Folder.exists("\(folder)/\(EncryptedBackup.fileName)") }

    /// Decrypts a whole backup and compares it with the manifest inside; writes nothing.
    package static func verify(_ folder: String, _ key: BackupKey) throws -> BackupManifest {
        try decrypt(folder, key) { _ in nil }
    }

    /// Decrypts a backup. `place` names the file for each entry; nil to only check it.
    static func decrypt(_ folder: String, _ key: BackupKey, to place: (BackupPath) throws -> String?) throws -> BackupManifest {
        try records(in: EncryptedReader("\(folder)/\(EncryptedBackup.fileName)", key), to: place)
    }

    /// Compares decrypted bytes with the manifest in them.
    package static func verify(decrypted bytes: [UInt8]) throws -> BackupManifest {
        try records(in: DecryptedBackup(bytes)) { _ in nil }
    }

    private static func records(in reader: some BackupStream, to place: (BackupPath) throws -> String?) throws -> BackupManifest {
        var found: [BackupManifest.Entry] = []
        var paths: Set<BackupPath> = []
        while true {
            let path = String(decoding: try reader.readAll(try number(reader, 2)), as: UTF8.self)
            let size = try number(reader, 8)
            if path.hasSameBytes(as: BackupManifest.fileName) {
                let manifest = try self.manifest(reader, size)
                guard reader.isAtEnd, manifest.entries == found, mainPath.map(paths.contains) == true else { throw EncryptedReader.damaged }
                return manifest
            }
            guard let checked = BackupPath(path), paths.insert(checked).inserted else { throw EncryptedReader.damaged }
            let sum = try copy(size, from: reader, to: try place(checked).map { try File($0, .create) })
            found.append(try .init(path: path, bytes: Int64(size), sha256: sum))
        }
    }

    private static let mostManifestBytes = 64 << 20

    private static func manifest(_ reader: some BackupStream, _ size: Int) throws -> BackupManifest {
        guard size <= mostManifestBytes, let manifest = BackupManifest(text: String(decoding: try reader.readAll(size), as: UTF8.self)) else {
            throw EncryptedReader.damaged
        }
        return manifest
    }

    private static func number(_ reader: some BackupStream, _ count: Int) throws -> Int {
        let value = try reader.readAll(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw EncryptedReader.damaged }
        return number
    }

    private static func copy(_ size: Int, from reader: some BackupStream, to file: File?) throws -> String {
        var hash = SHA256()
        var left = size
        while left > 0 {
            let bytes = try reader.read(min(left, EncryptedChunk.bytes))
            if bytes.isEmpty { throw EncryptedReader.damaged }
            hash.update(bytes.span)
            try file?.write(bytes)
            left -= bytes.count
        }
        try file?.sync()
        return Hex.encode(hash.finish())
    }
}
