// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
import FileStore
import Platform

extension Backup {
    /// Adds the bytes of the files listed in their database. They never change, and their sums are in their rows.
    ///
    /// A row whose bytes are missing is left out: the rest of the data should not be lost with them.
    static func copyFiles(of rows: FileDB, _ paths: StorePaths, to target: any BackupTarget) throws -> [BackupManifest.Entry] {
        var entries: [BackupManifest.Entry] = []
        try rows.eachBlob { app, name, size, sum in
            let path = StorePaths.blob(name, app: app.rawValue)
            let known = try BackupManifest.Entry(path: path, bytes: size, sha256: Hex.encode(sum))
            do {
                entries.append(try target.add(known, unchanged: "\(paths.root)/\(path)"))
            } catch let error as FileError where error.isMissing {}
        }
        return entries
    }

    /// Returns the folders into which a file's bytes are restored, outermost first; nil for any other file.
    static func fileFolders(of path: BackupPath, in paths: StorePaths) -> [String]? {
        let names = path.names
        guard names.count == 4, names[0] == "files" else { return nil }
        return [paths.files, "\(paths.files)/\(names[1])", "\(paths.files)/\(names[1])/\(names[2])"]
    }
}
