// SPDX-License-Identifier: Apache-2.0

import Database
import CrashStore
import EventStore
import FileStore
import Platform

/// The files of a data folder that is being restored.
struct RestoredFiles {
    private let paths: StorePaths
    /// The folders to sync.
    private(set) var folders: Set<String>

    init(_ paths: StorePaths) {
        self.paths = paths
        folders = [paths.events]
    }

    /// The main file until everything else is in place.
    var draft: String { paths.main + ".restored" }

    /// Returns the file for an entry and makes its folder.
    mutating func file(for path: BackupPath) throws -> String {
        if let folder = Backup.symbolFolder(of: path, in: paths) {
            try Folder.makeAll(folder)
            folders.formUnion([paths.symbols, folder])
        }
        if let folders = Backup.fileFolders(of: path, in: paths) {
            if let inner = folders.last, !self.folders.contains(inner) { try Folder.makeAll(inner) }
            self.folders.formUnion(folders)
        }
        return path == Backup.mainPath ? draft : "\(paths.root)/\(path)"
    }

    /// Removes what an unsuccessful restoration left.
    static func remove(from data: String) throws {
        let paths = StorePaths(root: data)
        for folder in [paths.events, paths.symbols, paths.files] where Folder.exists(folder) {
            try Folder.empty(folder)
            try Folder.removeEmpty(folder)
        }
        for name in try Folder.names(in: data) where name != "lock" { try Folder.remove("\(data)/\(name)") }
    }
}
