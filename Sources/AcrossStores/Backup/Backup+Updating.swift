// SPDX-License-Identifier: Apache-2.0

import Database
import Platform

/// The update of a backup in its folder, which copies only files that are new.
///
///     .next/main.db, .next/files/1/9f/…    written first; the old backup is whole
///     .next/MANIFEST                       synced: the update is decided
///     MANIFEST                             the old one goes; new files move to their places; files not listed go
///     MANIFEST                             the new one moves to its place
///
/// A kill before the second line leaves the old backup. After it, the next use of the backup completes the update.
struct BackupUpdate {
    static let folderName = ".next"

    private let folder: String
    let next: String
    /// The files of the backup that is updated, by path.
    let known: [BackupPath: BackupManifest.Entry]

    /// Begins an update of a complete backup.
    init(of folder: String) throws {
        (self.folder, next) = (folder, "\(folder)/\(BackupUpdate.folderName)")
        try BackupUpdate.complete(folder)
        known = Dictionary(try Backup.manifest(in: folder).entries.map { ($0.path, $0) }) { first, _ in first }
        if Folder.exists(next) { try Folder.empty(next) }
        try Folder.makeAll("\(next)/events")
    }

    /// Decides the update: from here on it is completed.
    func decide(_ manifest: BackupManifest) throws {
        let inner = Set(manifest.entries.map { BackupUpdate.folder(of: $0.path, in: next) })
        for folder in inner where Folder.exists(folder) { try Folder.sync(folder) }
        let draft = "\(next)/\(BackupManifest.fileName).new"
        let file = try File(draft, .create)
        try file.write(Array(manifest.text.utf8))
        try file.sync()
        // A manifest that is half written must not decide.
        try Folder.rename(draft, to: "\(next)/\(BackupManifest.fileName)")
        try Folder.sync(next)
        try BackupUpdate.complete(folder)
    }

    private static func folder(of path: BackupPath, in root: String) -> String {
        ([root] + path.names.dropLast().map(String.init)).joined(separator: "/")
    }

    /// Whether an update was decided and not completed.
    static func isDecided(_ folder: String) -> Bool { Folder.exists("\(folder)/\(folderName)/\(BackupManifest.fileName)") }

    /// Completes an update that was decided and interrupted.
    static func complete(_ folder: String) throws {
        let next = "\(folder)/\(folderName)"
        guard isDecided(folder) else { return }
        let manifest = try Backup.manifest(in: next)
        try Folder.remove("\(folder)/\(BackupManifest.fileName)")
        try Folder.sync(folder)
        var changed: Set<String> = [folder]
        for entry in manifest.entries where Folder.exists("\(next)/\(entry.path)") {
            let inner = BackupUpdate.folder(of: entry.path, in: folder)
            try Folder.makeAll(inner)
            try Folder.rename("\(next)/\(entry.path)", to: "\(folder)/\(entry.path)")
            changed.insert(inner)
        }
        let listed = Set(manifest.entries.map(\.path.description))
        for path in try Backup.files(in: folder) where !listed.contains(path) { try Folder.remove("\(folder)/\(path)") }
        for inner in changed { try Folder.sync(inner) }
        try Folder.rename("\(next)/\(BackupManifest.fileName)", to: "\(folder)/\(BackupManifest.fileName)")
        try Folder.sync(folder)
        try discard(folder)
    }

    /// Removes what an update that failed has left, unless it was decided.
    static func abandon(_ folder: String) throws {
        if !isDecided(folder) { try discard(folder) }
    }

    private static func discard(_ folder: String) throws {
        let next = "\(folder)/\(folderName)"
        guard Folder.exists(next) else { return }
        try Folder.empty(next)
        try Folder.removeEmpty(next)
    }
}

/// The folder of a backup that is updated.
struct UpdatedBackupFolder: BackupTarget {
    private let path: String
    private let update: BackupUpdate
    private let new: BackupFolder

    init(_ path: String) throws {
        self.path = path
        update = try BackupUpdate(of: path)
        new = BackupFolder(path: update.next)
    }

    func add(_ name: String, _ snapshot: FileSnapshot) throws -> BackupManifest.Entry { try new.add(name, snapshot) }

    func add(_ name: String, file source: String) throws -> BackupManifest.Entry { try new.add(name, file: source) }

    /// Keeps a file that the backup has.
    func add(_ entry: BackupManifest.Entry, unchanged source: String) throws -> BackupManifest.Entry {
        if let known = update.known[entry.path], known == entry, Folder.size(of: "\(path)/\(entry.path)") == entry.bytes { return known }
        return try new.add(entry, unchanged: source)
    }

    func finish(_ manifest: BackupManifest) throws {
        try update.decide(manifest)
    }
}
