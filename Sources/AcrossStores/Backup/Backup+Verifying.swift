// SPDX-License-Identifier: Apache-2.0

import Platform

extension Backup {
    /// Compares a backup with its manifest.
    ///
    /// Files that the manifest does not name are errors too. Otherwise a truncated manifest would silently restore less.
    package static func verify(_ folder: String) throws -> BackupManifest {
        try BackupUpdate.complete(folder)
        let manifest = try manifest(in: folder)
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

    /// Whether a folder has a backup that is not encrypted.
    package static func isPlain(_ folder: String) -> Bool {
        Folder.exists("\(folder)/\(BackupManifest.fileName)") || BackupUpdate.isDecided(folder)
    }

    /// Reads the manifest of a backup.
    static func manifest(in folder: String) throws -> BackupManifest {
        let file = try File(folder + "/" + BackupManifest.fileName, .read)
        let text = String(decoding: try file.read(at: 0, count: try file.size), as: UTF8.self)
        guard let manifest = BackupManifest(text: text), manifest.entries.contains(where: { $0.path == Backup.mainPath }) else {
            throw Refusal(.invalid, "The manifest in \(folder) is malformed or incomplete.", hint: "Use another backup of ingestd.")
        }
        return manifest
    }

    /// The folders of a backup, with the number of folders on the way to a file.
    private static let folders = ["events": 1, "symbols": 2, "files": 3]

    /// Returns the paths of all files of a backup, as a manifest names them.
    static func files(in folder: String) throws -> [String] {
        let names = try Folder.names(in: folder).filter { $0 != BackupManifest.fileName && $0 != BackupUpdate.folderName }
        return try names.flatMap { try files($0, in: folder, depth: folders[$0] ?? 0) }
    }

    private static func files(_ path: String, in folder: String, depth: Int) throws -> [String] {
        if depth == 0 { return [path] }
        return try Folder.names(in: "\(folder)/\(path)").flatMap { try files("\(path)/\($0)", in: folder, depth: depth - 1) }
    }
}
