// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuditStore
import CrashStore
import Database
import EventStore
import Foundation
import FunctionStore
import MessageStore
import Platform

/// The files of a data folder without a row, as a first start leaves them that is killed before its first commit.
///
/// Making their schemas takes a fifth of the processor time of most tests. First starts are the matter of tests with child processes. The
/// files of documents and of files are left out, as their schemas come with secrets of the folder.
package enum EmptyFiles {
    private static let made = Result { try make() }

    /// Writes the files to a folder that is empty.
    package static func place(in folder: String) throws {
        guard Folder.exists(folder), try Folder.names(in: folder).isEmpty else { return }
        for (name, bytes) in try made.get() {
            let path = "\(folder)/\(name)"
            let isCreated = FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
            guard isCreated else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private static func make() throws -> [String: Data] {
        let folder = TemporaryFolder()
        let paths = StorePaths(root: folder.path)
        try MainDB.change(paths.main) { _ in }
        try MessageDB.change(paths.messages) { _ in }
        try CrashDB.change(paths.crashes) { _ in }
        try AuditDB.change(paths.audit) { _ in }
        try AccountDB.change(paths.accounts) { _ in }
        try FunctionDB.change(paths.functions) { _ in }
        let names = try Folder.names(in: folder.path).filter { $0.hasSuffix(".db") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($0)"))) })
    }
}
