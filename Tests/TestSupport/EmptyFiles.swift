// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuditStore
import CrashStore
import Database
import DocumentStore
import EventStore
import FileStore
import Foundation
import FunctionStore
import MessageStore
import Platform
import SQLite

/// The files of a data folder without a row, as a first start leaves them that is killed before its first commit.
///
/// Making their schemas takes a fifth of the processor time of most tests. First starts are the matter of tests with child processes. Each
/// folder has secrets of its own.
package enum EmptyFiles {
    private struct Made {
        var bytes: Data
        /// Where the file has a secret of its folder.
        var secret: Range<Data.Index>?
    }

    private static let made = Result { try make() }
    /// In the place of secrets until they are drawn.
    private static let marker = [UInt8]((1...32).map { $0 &* 37 })

    /// Writes the files to a folder that is empty.
    package static func place(in folder: String) throws {
        guard Folder.exists(folder), try Folder.names(in: folder).isEmpty else { return }
        for (name, made) in try made.get() {
            let path = "\(folder)/\(name)"
            var bytes = made.bytes
            if let secret = made.secret { bytes.replaceSubrange(secret, with: secret.map { _ in UInt8.random(in: 0...255) }) }
            let isCreated = FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
            guard isCreated else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private static func make() throws -> [String: Made] {
        let folder = TemporaryFolder()
        let paths = StorePaths(root: folder.path)
        try MainDB.change(paths.main) { _ in }
        try MessageDB.change(paths.messages) { _ in }
        try CrashDB.change(paths.crashes) { _ in }
        try AuditDB.change(paths.audit) { _ in }
        try AccountDB.change(paths.accounts) { _ in }
        try FunctionDB.change(paths.functions) { _ in }
        try DocumentDB.change(paths.documents) { try mark("epoch", bytes: 16, in: $0.connection) }
        try FileDB.change(paths.fileRows) { try mark("link_key", bytes: 32, in: $0.connection) }
        let names = try Folder.names(in: folder.path).filter { $0.hasSuffix(".db") }
        let lengths = [DocumentStore.fileName: 16, FileStore.fileName: 32]
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
                let secret = lengths[name].flatMap { bytes.range(of: Data(marker.prefix($0))) }
                if secret == nil && lengths[name] != nil { throw CocoaError(.fileReadCorruptFile) }
                return (name, Made(bytes: bytes, secret: secret))
            })
    }

    /// Puts the marker in the place of a secret.
    private static func mark(_ key: String, bytes: Int, in file: Connection) throws {
        try file.statement("UPDATE meta SET value = ? WHERE key = ?").run(.blob(Array(marker.prefix(bytes))), .text(key))
    }
}
