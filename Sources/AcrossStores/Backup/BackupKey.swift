// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The secret that encrypts a backup. Without it the backup cannot be read.
package enum BackupKey: Sendable {
    /// A random key of 32 bytes.
    case key([UInt8])
    case passphrase([UInt8])

    package static let shortestPassphrase = 12

    /// A key from the contents of a key file: at least 32 bytes, such as those of `head -c 32 /dev/urandom`.
    package static func key(ofFile bytes: [UInt8]) -> BackupKey? {
        (32...4_096).contains(bytes.count) ? .key(SHA256.hash(bytes)) : nil
    }

    /// A passphrase without the line end of its file.
    package static func passphrase(ofFile bytes: [UInt8]) -> BackupKey? {
        let ends: [UInt8] = [0x0a, 0x0d]
        let text = Array(bytes.reversed().drop { ends.contains($0) }.reversed())
        return (shortestPassphrase...1_024).contains(text.count) && !text.contains(where: ends.contains) ? .passphrase(text) : nil
    }
}

/// The start of an encrypted backup: how its key is made. Everything behind it is encrypted.
///
///     "SBBACKUP"  version 1  kind (0 key, 1 passphrase)  three parameters of scrypt  32 random bytes
///
/// The header is part of the key's derivation, so a changed one makes every chunk fail.
package struct EncryptionHeader: Equatable {
    package static let length = 45
    private static let magic = Array("SBBACKUP".utf8)
    private static let saltLength = 32

    let needsPassphrase: Bool
    let scrypt: Scrypt
    let salt: [UInt8]

    /// A header with a random salt, which makes every backup's key another.
    init(for key: BackupKey, _ scrypt: Scrypt = .standard) {
        if case .passphrase = key { needsPassphrase = true } else { needsPassphrase = false }
        self.scrypt = scrypt
        salt = randomBytes(EncryptionHeader.saltLength)
    }

    /// Nil for bytes that are not a header of this version.
    package init?(_ bytes: [UInt8]) {
        let magic = EncryptionHeader.magic
        guard bytes.count == EncryptionHeader.length, bytes.starts(with: magic), bytes[8] == 1, bytes[9] <= 1 else { return nil }
        needsPassphrase = bytes[9] == 1
        scrypt = Scrypt(logCost: bytes[10], blockSize: bytes[11], parallelism: bytes[12])
        salt = Array(bytes[13...])
        if needsPassphrase, !scrypt.isBounded { return nil }
    }

    package var bytes: [UInt8] {
        EncryptionHeader.magic + [1, needsPassphrase ? 1 : 0, scrypt.logCost, scrypt.blockSize, scrypt.parallelism] + salt
    }

    /// Returns the key of the chunks; nil if the secret is of the other kind.
    func chunkKey(_ secret: BackupKey) -> [UInt8]? {
        switch secret {
        case .key(let key): needsPassphrase ? nil : HMACSHA256.authenticate(bytes, key: key)
        case .passphrase(let text): needsPassphrase ? scrypt.key(text, salt: salt).map { HMACSHA256.authenticate(bytes, key: $0) } : nil
        }
    }
}

/// Writes and reads chunks: 64 KiB of AES-256-GCM each, whose nonce is the chunk's number and a mark of the last one.
///
///     chunk 0, chunk 1, …, last chunk (marked, may be shorter)
///
/// A removed, repeated or reordered chunk has another number, and a truncated stream has no marked last chunk.
enum EncryptedChunk {
    static let bytes = 64 << 10

    static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
        [isLast ? 1 : 0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}
