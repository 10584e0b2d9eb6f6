// SPDX-License-Identifier: Apache-2.0

import Platform

extension Backup {
    /// Compares a backup with its manifest.
    ///
    /// Files that the manifest does not name are errors too. Otherwise a truncated manifest would silently restore less.
    package static func verify(_ folder: String) throws -> BackupManifest {
        let file = try File(folder + "/" + BackupManifest.fileName, .read)
        let text = String(decoding: try file.read(at: 0, count: try file.size), as: UTF8.self)
        guard let manifest = BackupManifest(text: text), manifest.entries.contains(where: { $0.path == Backup.mainPath }) else {
            throw Refusal(.invalid, "The manifest in \(folder) is malformed or incomplete.", hint: "Use another backup of ingestd.")
        }
        let named = Set(manifest.entries.map(\.path))
        for path in try files(in: folder) where BackupPath(path).map({ !named.contains($0) }) ?? true {
            throw Refusal(
                .invalid, "The manifest does not list \(path).",
                hint: "If ingestd wrote the file, the backup is damaged: use another. Otherwise move the file away.")
        }
        for entry in manifest.entries {
            let path = "\(folder)/\(entry.path)"
            guard Folder.exists(path), Folder.size(of: path) == entry.bytes, try sum(of: path) == entry.sha256 else {
                throw Refusal(.invalid, "\(entry.path) does not match its entry in the manifest.", hint: "The backup is damaged; use another.")
            }
        }
        return manifest
    }

    /// Returns the paths of all files of a backup, as a manifest names them.
    private static func files(in folder: String) throws -> [String] {
        var files: [String] = []
        for name in try Folder.names(in: folder) where name != BackupManifest.fileName {
            switch name {
            case "events": files += try Folder.names(in: "\(folder)/events").map { "events/\($0)" }
            case "symbols":
                for app in try Folder.names(in: "\(folder)/symbols") {
                    files += try Folder.names(in: "\(folder)/symbols/\(app)").map { "symbols/\(app)/\($0)" }
                }
            default: files.append(name)
            }
        }
        return files
    }
}
