// SPDX-License-Identifier: Apache-2.0

/// The bytes of a backup after decryption, from its file or from memory.
protocol BackupStream: AnyObject {
    /// Returns the next bytes, at most `count`; none at the end.
    func read(_ count: Int) throws -> [UInt8]
    var isAtEnd: Bool { get }
}

extension BackupStream {
    /// Returns exactly `count` bytes.
    func readAll(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(count - bytes.count)
            if more.isEmpty { throw EncryptedReader.damaged }
            bytes += more
        }
        return bytes
    }
}

/// Decrypted bytes in memory.
final class DecryptedBackup: BackupStream {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    func read(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    var isAtEnd: Bool { rest.isEmpty }
}
