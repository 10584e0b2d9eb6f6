// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Crypto
import Database
import Platform
import SQLite

/// The file of the key outside `accounts.db`, which encrypts signing keys and seals refresh tokens and password hashes.
///
/// A copy of the database alone opens nothing. The file has one line and mode 0600, and is made with the first account.
package enum AccountKeyFile {
    package static let name = "accounts.key"

    /// Reads a key. Throws a `StoreError` for a missing or malformed file, and for one that every user may read.
    package static func read(_ path: String) throws -> AccountsKey {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, limit: 256)
        } catch {
            throw error.isMissing ? StoreError.keyMissing(path: path) : StoreError.keyUnusable(path: path, reason: error.reason)
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard let key = AccountsKey(text: text) else { throw StoreError.keyUnusable(path: path, reason: "it does not contain a key of accounts") }
        guard SmallFile.mode(path).map({ $0 & 0o007 == 0 }) == true else {
            throw StoreError.keyUnusable(path: path, reason: "every user of this machine may read it")
        }
        return key
    }

    /// Creates a key file durably.
    static func create(_ path: String) throws -> AccountsKey {
        let draft = path + ".new"
        try Folder.remove(draft)
        let key = AccountsKey.make()
        let file = try File(draft, .new)
        try file.write(Array((key.text.revealed + "\n").utf8))
        try file.sync()
        try Folder.rename(draft, to: path)
        try Folder.sync(path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        return key
    }
}

extension AccountDB {
    /// The fingerprint of the key that this file belongs to; nil before the first account.
    package func keyFingerprint() throws -> String? {
        try statement("SELECT value FROM meta WHERE key = 'key_fingerprint'").first { $0.text(0) }
    }

    func keepFingerprint(of key: AccountsKey) throws {
        try statement("INSERT OR IGNORE INTO meta (key, value) VALUES ('key_fingerprint', ?)").run(.text(key.fingerprint))
    }

    /// Returns the key of this file. Nil if it has none yet; throws if the one at the path is missing or another.
    package func key(at path: String) throws -> AccountsKey? {
        guard let fingerprint = try keyFingerprint() else { return Folder.exists(path) ? try AccountKeyFile.read(path) : nil }
        let key = try AccountKeyFile.read(path)
        guard key.fingerprint.utf8.elementsEqual(fingerprint.utf8) else {
            throw StoreError.keyUnusable(path: path, reason: "it is not the key of accounts.db")
        }
        return key
    }
}
