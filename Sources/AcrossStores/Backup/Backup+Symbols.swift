// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import Platform

extension Backup {
    /// Copies the symbol files listed in the crash database. They never change. One that was removed meanwhile is omitted.
    static func copySymbols(of crashes: CrashDB, _ paths: StorePaths, to folder: String) throws -> [BackupManifest.Entry] {
        var entries: [BackupManifest.Entry] = []
        for (app, name) in try crashes.symbolFiles() {
            let path = "symbols/\(app)/\(name)"
            try Folder.makeAll("\(folder)/symbols/\(app)")
            do {
                try copyFile("\(paths.symbols)/\(app)/\(name)", to: folder + "/" + path)
            } catch let error as FileError where error.isMissing {
                continue
            }
            entries.append(try .init(path: path, bytes: Folder.size(of: folder + "/" + path), sha256: try sum(of: folder + "/" + path)))
        }
        return entries
    }

    /// Returns the folder into which a symbol file is restored; nil for any other file.
    static func symbolFolder(of entry: BackupManifest.Entry, in paths: StorePaths) -> String? {
        let names = entry.path.names
        return names.count == 3 && names[0] == "symbols" ? "\(paths.symbols)/\(names[1])" : nil
    }
}
