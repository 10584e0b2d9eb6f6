// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import Platform

extension Backup {
    /// Copies the symbol files listed in the crash database. They never change. One that was removed meanwhile is omitted.
    static func copySymbols(of crashes: CrashDB, _ paths: StorePaths, to target: any BackupTarget) throws -> [BackupManifest.Entry] {
        var entries: [BackupManifest.Entry] = []
        for (app, name) in try crashes.symbolFiles() {
            do {
                entries.append(try target.add("symbols/\(app)/\(name)", file: "\(paths.symbols)/\(app)/\(name)"))
            } catch let error as FileError where error.isMissing {
                continue
            }
        }
        return entries
    }

    /// Returns the folder into which a symbol file is restored; nil for any other file.
    static func symbolFolder(of path: BackupPath, in paths: StorePaths) -> String? {
        let names = path.names
        return names.count == 3 && names[0] == "symbols" ? "\(paths.symbols)/\(names[1])" : nil
    }
}
