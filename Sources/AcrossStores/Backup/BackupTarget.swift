// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
import Platform

/// The place that the files of a backup go to: a folder, or one encrypted file.
protocol BackupTarget {
    /// Adds the pinned version of a database file.
    func add(_ name: String, _ snapshot: FileSnapshot) throws -> BackupManifest.Entry
    /// Adds a file that does not change. Throws a `FileError` if it is missing.
    func add(_ name: String, file path: String) throws -> BackupManifest.Entry
    /// Adds a file that never changes and whose sum is known. Throws a `FileError` if it is missing.
    func add(_ entry: BackupManifest.Entry, unchanged source: String) throws -> BackupManifest.Entry
    /// Adds the manifest, which makes the backup complete, and waits for the disk.
    func finish(_ manifest: BackupManifest) throws
}

/// A folder with a copy of each file.
struct BackupFolder: BackupTarget {
    let path: String

    func add(_ name: String, _ snapshot: FileSnapshot) throws -> BackupManifest.Entry {
        try snapshot.copy(to: "\(path)/\(name)")
        return try entry(name)
    }

    func add(_ name: String, file source: String) throws -> BackupManifest.Entry {
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        try Folder.makeAll("\(path)/\(folder)")
        try Backup.copyFile(source, to: "\(path)/\(name)")
        return try entry(name)
    }

    /// Adds a further name of the file where both are on one disk, and a copy elsewhere.
    func add(_ entry: BackupManifest.Entry, unchanged source: String) throws -> BackupManifest.Entry {
        let place = "\(path)/\(entry.path)"
        try Folder.makeAll(([path] + entry.path.names.dropLast().map(String.init)).joined(separator: "/"))
        if try !Folder.link(source, to: place) { try Backup.copyFile(source, to: place) }
        return entry
    }

    private func entry(_ name: String) throws -> BackupManifest.Entry {
        try .init(path: name, bytes: Folder.size(of: "\(path)/\(name)"), sha256: try Backup.sum(of: "\(path)/\(name)"))
    }

    func finish(_ manifest: BackupManifest) throws {
        let file = try File(path + "/" + BackupManifest.fileName, .create)
        try file.write(Array(manifest.text.utf8))
        try file.sync()
        try Folder.sync(path)
    }
}

/// One encrypted file: a record per file, the last one the manifest.
///
///     length of the path (2 bytes), path, length of the content (8 bytes), content
///
/// A database file is first copied to the data folder's `uploads`, which each start empties, because only a file can be copied while
/// writers go on. It never leaves the disk of the data.
final class EncryptedBackup: BackupTarget {
    static let fileName = "backup.enc"

    private let folder: String
    private let scratch: String
    private let writer: EncryptedWriter

    init(in folder: String, scratch: String, _ key: BackupKey) throws {
        (self.folder, self.scratch) = (folder, scratch)
        writer = try EncryptedWriter("\(folder)/\(EncryptedBackup.fileName)", key)
    }

    func add(_ name: String, _ snapshot: FileSnapshot) throws -> BackupManifest.Entry {
        let copy = "\(scratch)/backup-\(randomToken(prefix: "", bits: 64)).db"
        defer { try? Folder.remove(copy) }
        try snapshot.copy(to: copy)
        return try add(name, file: copy)
    }

    func add(_ name: String, file path: String) throws -> BackupManifest.Entry {
        let source = try File(path, .read)
        let size = try source.size
        try begin(name, size)
        var hash = SHA256()
        var offset = 0
        while offset < size {
            let bytes = try source.read(at: offset, count: min(1 << 20, size - offset))
            // The record's length is written already.
            if bytes.isEmpty { throw Refusal(.storageFailed, "A file shrank during the backup.", hint: "Try again.") }
            hash.update(bytes.span)
            try writer.write(bytes)
            offset += bytes.count
        }
        return try .init(path: name, bytes: Int64(size), sha256: Hex.encode(hash.finish()))
    }

    func add(_ entry: BackupManifest.Entry, unchanged source: String) throws -> BackupManifest.Entry {
        try add(entry.path.description, file: source)
    }

    private func begin(_ name: String, _ size: Int) throws {
        let path = Array(name.utf8)
        try writer.write(EncryptedBackup.bytes(UInt64(path.count), 2) + path + EncryptedBackup.bytes(UInt64(size), 8))
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    func finish(_ manifest: BackupManifest) throws {
        let text = Array(manifest.text.utf8)
        try begin(BackupManifest.fileName, text.count)
        try writer.write(text)
        try writer.finish()
        try Folder.sync(folder)
    }
}
