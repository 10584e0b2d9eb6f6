// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import AuditStore
@testable import Crypto
@testable import Database
@testable import EventStore

@Suite struct EncryptedBackupTests {
    private static let key = BackupKey.key([UInt8](repeating: 7, count: 32))

    /// Backs up a folder with an app and a marked text, and returns the folder of the backup.
    private static func backup(_ key: BackupKey) async throws -> TemporaryFolder {
        let (data, backup) = (TemporaryFolder(), TemporaryFolder())
        try await withStore(in: data) { store in
            _ = try await store.events.createAppWithKeys(named: "marked-name")
            let manifest = try await store.backUp(to: backup.path, key)
            #expect(
                manifest.entries.map(\.path.description).prefix(8) == [
                    "functions.db", "main.db", "messages.db", "crashes.db", "audit.db", "accounts.db", "documents.db", "files.db",
                ])
        }
        #expect(try Folder.names(in: backup.path) == [EncryptedBackup.fileName])
        #expect(try Folder.names(in: data.path + "/uploads").isEmpty)
        return backup
    }

    private static func file(_ backup: TemporaryFolder) -> String { "\(backup.path)/\(EncryptedBackup.fileName)" }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let file = try File(path, .read)
        return try file.read(at: 0, count: try file.size)
    }

    private static func apps(_ folder: String) async throws -> [String] {
        let store = try Stores(folder) { fatalError($0) }
        async let running: Void = store.run()
        let names = store.events.directory.now.apps.values.map(\.name)
        store.close()
        await running
        return names
    }

    @Test(arguments: [key, BackupKey.passphrase(Array("correct horse".utf8))])
    func `an encrypted backup restores with its secret and shows no text`(key: BackupKey) async throws {
        let backup = try await Self.backup(key)
        let bytes = try Self.bytes(Self.file(backup))
        for text in ["marked-name", "SQLite format", "main.db", "MANIFEST"] { #expect(!bytes.holds(Array(text.utf8)), "\(text)") }
        let target = TemporaryFolder()
        #expect(try Backup.verify(backup.path, key).entries.count == 9)
        #expect(try Backup.restore(backup.path, key, into: target.path).entries.count == 9)
        let left = try Folder.names(in: target.path).sorted()
        #expect(left == ["accounts.db", "audit.db", "crashes.db", "documents.db", "events", "files.db", "functions.db", "main.db", "messages.db"])
        #expect(try await Self.apps(target.path) == ["marked-name"])
    }

    @Test func `a wrong secret, or one of the other kind, restores nothing`() async throws {
        let backup = try await Self.backup(Self.key)
        for wrong in [BackupKey.key([UInt8](repeating: 8, count: 32)), .passphrase(Array("correct horse".utf8))] {
            let target = TemporaryFolder()
            #expect(throws: Refusal.self) { try Backup.restore(backup.path, wrong, into: target.path) }
            #expect(try Folder.names(in: target.path).isEmpty)
        }
    }

    @Test func `a changed, truncated, extended or reordered file is found, and what was restored is removed`() async throws {
        let backup = try await Self.backup(Self.key)
        let whole = try Self.bytes(Self.file(backup))
        let (head, chunk) = (EncryptionHeader.length, EncryptedChunk.bytes + AESGCM.tagLength)
        #expect(whole.count > head + 3 * chunk)
        var damaged: [[UInt8]] = [[], Array(whole.prefix(head)), Array(whole.prefix(head - 1)), whole + [0], Array(whole.dropLast())]
        // Cut between chunks; the second chunk removed, repeated, and swapped with the third.
        damaged.append(Array(whole.prefix(head + 2 * chunk)))
        let (first, second, third) = (head..<head + chunk, head + chunk..<head + 2 * chunk, head + 2 * chunk..<head + 3 * chunk)
        damaged.append(Array(whole[..<first.upperBound] + whole[third.lowerBound...]))
        damaged.append(Array(whole[..<second.upperBound] + whole[second.lowerBound...]))
        damaged.append(Array(whole[..<second.lowerBound] + whole[third] + whole[second] + whole[third.upperBound...]))
        for place in [0, 8, 9, 13, 44, head, head + chunk - 1, whole.count / 2, whole.count - 1] {
            var changed = whole
            changed[place] ^= 1
            damaged.append(changed)
        }
        for (number, bytes) in damaged.enumerated() {
            let (copy, target) = (TemporaryFolder(), TemporaryFolder())
            try File(Self.file(copy), .create).write(bytes)
            #expect(throws: Refusal.self, "\(number)") { try Backup.verify(copy.path, Self.key) }
            #expect(throws: Refusal.self, "\(number)") { try Backup.restore(copy.path, Self.key, into: target.path) }
            #expect(try Folder.names(in: target.path).isEmpty, "\(number)")
        }
    }

    @Test(arguments: [0, 1, EncryptedChunk.bytes - 1, EncryptedChunk.bytes, EncryptedChunk.bytes + 1, 3 * EncryptedChunk.bytes])
    func `a stream of any length is read as it was written`(count: Int) throws {
        let folder = TemporaryFolder()
        let content = someBytes(count)
        let writer = try EncryptedWriter(folder.path + "/a", Self.key)
        for start in stride(from: 0, to: count, by: 50_000) { try writer.write(Array(content[start..<min(count, start + 50_000)])) }
        try writer.finish()
        let reader = try EncryptedReader(folder.path + "/a", Self.key)
        #expect(try reader.readAll(count) == content)
        #expect(try reader.read(1).isEmpty && reader.isAtEnd)
        #expect(throws: Refusal.self) { try reader.readAll(1) }
    }

    /// The manifest inside would notice a cut backup, too; the stream itself must not end early.
    @Test(arguments: [1, 2]) func `a stream cut between chunks is damaged, not shorter`(kept: Int) throws {
        let folder = TemporaryFolder()
        let writer = try EncryptedWriter(folder.path + "/a", Self.key)
        try writer.write([UInt8](repeating: 1, count: 2 * EncryptedChunk.bytes + 10))
        try writer.finish()
        let length = EncryptionHeader.length + kept * (EncryptedChunk.bytes + AESGCM.tagLength)
        try File(folder.path + "/b", .create).write(Array(Self.bytes(folder.path + "/a").prefix(length)))
        let reader = try EncryptedReader(folder.path + "/b", Self.key)
        #expect(throws: Refusal.self) { while try !reader.read(EncryptedChunk.bytes).isEmpty {} }
    }

    @Test func `two backups with the same key share no bytes`() throws {
        let folder = TemporaryFolder()
        for name in ["a", "b"] {
            let writer = try EncryptedWriter("\(folder.path)/\(name)", Self.key)
            try writer.write([UInt8](repeating: 0, count: 1_000))
            try writer.finish()
        }
        let (a, b) = (try Self.bytes(folder.path + "/a"), try Self.bytes(folder.path + "/b"))
        #expect(a.dropFirst(EncryptionHeader.length) != b.dropFirst(EncryptionHeader.length))
    }

    @Test func `a header that asks for too much memory is no backup`() throws {
        let key = BackupKey.passphrase(Array("correct horse".utf8))
        var bytes = EncryptionHeader(for: key).bytes
        #expect(EncryptionHeader(bytes) != nil)
        bytes[10] = 30
        #expect(EncryptionHeader(bytes) == nil)
        bytes[10] = 17
        bytes[8] = 2
        #expect(EncryptionHeader(bytes) == nil)
    }

    @Test func `secrets in files have bounds`() {
        #expect(BackupKey.key(ofFile: [UInt8](repeating: 1, count: 31)) == nil && BackupKey.key(ofFile: [UInt8](repeating: 1, count: 32)) != nil)
        #expect(BackupKey.key(ofFile: [UInt8](repeating: 1, count: 4_097)) == nil)
        for (text, isOne) in [
            ("elevenbytes", false), ("twelve bytes", true), ("twelve bytes\r\n", true), ("twelve bytes\nmore", false), ("\n\n\n\n", false),
        ] {
            #expect((BackupKey.passphrase(ofFile: Array(text.utf8)) != nil) == isOne, "\(text)")
        }
    }

    @Test(arguments: [true, false]) func `a proof restores, opens and removes the copy`(isEncrypted: Bool) async throws {
        let (data, backup, place) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let key = isEncrypted ? Self.key : nil
        try await withStore(in: data) { store in
            for name in ["a", "b"] { _ = try await store.events.createAppWithKeys(named: name) }
            _ = try await store.backUp(to: backup.path, key)
        }
        let (manifest, apps) = try await Backup.prove(backup.path, key, in: place.path + "/copy")
        #expect(apps == 2 && manifest.entries.count == 9)
        #expect(try Folder.names(in: place.path).isEmpty)
    }
}
