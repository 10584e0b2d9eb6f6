// SPDX-License-Identifier: Apache-2.0

package import Database
import Platform

extension StorePaths {
    package var fileRows: String { root + "/" + FileStore.fileName }
    /// The folder of uploads that are not finished.
    package var incoming: String { root + "/incoming" }
    /// The folder of the bytes of files, by app.
    package var files: String { root + "/files" }
    /// The path of a file's bytes within the data folder, as backups name it.
    package static func blob(_ name: BlobName, app: Int64) -> String { "files/\(app)/\(name.folder)/\(name.text)" }
}

extension ReadSession {
    package func withFiles<T>(_ body: (FileDB) throws -> T) throws -> T { try withSnapshot(paths.fileRows, body) }
}
