// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// Writes an encrypted stream to a new file, in constant memory.
final class EncryptedWriter {
    private let file: File
    private let key: [UInt8]
    private var number: UInt64 = 0
    private var waiting: [UInt8] = []

    init(_ path: String, _ secret: BackupKey, _ scrypt: Scrypt = .standard) throws {
        let header = EncryptionHeader(for: secret, scrypt)
        guard let key = header.chunkKey(secret) else { throw Refusal(.internalError, "The key of the backup could not be made.") }
        self.key = key
        file = try File(path, .new)
        try file.write(header.bytes)
    }

    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        var start = 0
        // A full chunk stays until more follows, because the last one is marked.
        while waiting.count - start > EncryptedChunk.bytes {
            try seal(Array(waiting[start..<start + EncryptedChunk.bytes]), isLast: false)
            start += EncryptedChunk.bytes
        }
        waiting.removeFirst(start)
    }

    /// Writes the last chunk and waits for the disk.
    func finish() throws {
        try seal(waiting, isLast: true)
        try file.sync()
    }

    private func seal(_ bytes: [UInt8], isLast: Bool) throws {
        try file.write(AESGCM.seal(bytes, key: key, nonce: EncryptedChunk.nonce(number, isLast: isLast)))
        number += 1
    }
}

/// Reads an encrypted stream. Bytes are given out only after their chunk was authenticated.
final class EncryptedReader: BackupStream {
    private let file: File
    private let key: [UInt8]
    private let size: Int
    private var offset = EncryptionHeader.length
    private var number: UInt64 = 0
    private var ready: ArraySlice<UInt8> = []

    /// Throws a refusal for a file that is no backup, and for a secret of the other kind.
    init(_ path: String, _ secret: BackupKey) throws {
        file = try File(path, .read)
        size = try file.size
        guard let header = EncryptionHeader(try file.read(at: 0, count: EncryptionHeader.length)) else {
            throw Refusal(.invalid, "\(path) is no encrypted backup of this version.", hint: "Use a backup of ingestd, or a newer ingestd.")
        }
        guard let key = header.chunkKey(secret) else {
            let kind = header.needsPassphrase ? "passphrase (--passphrase-file)" : "key file (--key-file)"
            throw Refusal(.invalid, "The backup was encrypted with a \(kind).", hint: "Give that one.")
        }
        self.key = key
    }

    /// Returns the next bytes, at most `count`; none at the end of the stream.
    func read(_ count: Int) throws -> [UInt8] {
        if ready.isEmpty, offset < size { ready = try nextChunk()[...] }
        defer { ready = ready.dropFirst(count) }
        return Array(ready.prefix(count))
    }

    var isAtEnd: Bool { ready.isEmpty && offset >= size }

    private func nextChunk() throws -> [UInt8] {
        let length = min(EncryptedChunk.bytes + AESGCM.tagLength, size - offset)
        let isLast = offset + length == size
        let sealed = try file.read(at: offset, count: length)
        guard let bytes = AESGCM.open(sealed, key: key, nonce: EncryptedChunk.nonce(number, isLast: isLast)) else {
            throw number == 0 ? EncryptedReader.wrongKey : EncryptedReader.damaged
        }
        offset += length
        number += 1
        return bytes
    }

    static let damaged = Refusal(.invalid, "The encrypted backup is damaged or truncated.", hint: "Use another backup.")
    private static let wrongKey = Refusal(
        .invalid, "The backup cannot be decrypted.", hint: "Give the key or passphrase that it was made with. If it is right, the backup is damaged.")
}
