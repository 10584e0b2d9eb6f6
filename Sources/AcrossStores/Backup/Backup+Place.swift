// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import AppDirectory
import EventStore
import FileStore
import MessageStore
import Platform

/// Checks of the folder for a backup.
extension Backup {
    /// Creates the folder. Rejects one that is not empty, is part of the data folder's working folders, or has too little space.
    ///
    /// - Parameter fileBytes: The size of the bytes of files.
    static func prepare(_ folder: String, of paths: StorePaths, _ companionFiles: [String], fileBytes: Int64, isUpdate: Bool) throws {
        let isNew = !Folder.exists(folder)
        if !isNew, !isUpdate, let names = try? Folder.names(in: folder), !names.isEmpty {
            throw Refusal(.conflict, "The backup folder is not empty.", hint: "Name a new or empty folder, or update the backup in it.")
        }
        try Folder.make(folder)
        do {
            try rejectOwnFolders(folder, of: paths)
            try requireSpace(into: folder, paths, companionFiles, fileBytes: isUpdate ? 0 : fileBytes)
        } catch {
            if isNew { try Folder.removeEmpty(folder) }
            throw error
        }
    }

    /// Rejects the folders whose files the daemon reads, counts or deletes as its own.
    private static func rejectOwnFolders(_ folder: String, of paths: StorePaths) throws {
        let place = try Folder.real(folder) + "/"
        for own in [paths.events, paths.symbols, paths.uploads, paths.files, paths.incoming] where Folder.exists(own) {
            guard try place.hasPrefix(Folder.real(own) + "/") else { continue }
            throw Refusal(
                .invalid, "The backup folder is one of the daemon's working folders.",
                hint: "Name a folder outside events, symbols, uploads, files and incoming.")
        }
    }

    /// Checks the free space before writing, because a full disk would stop intake until the copy is removed.
    private static func requireSpace(into folder: String, _ paths: StorePaths, _ companionFiles: [String], fileBytes: Int64) throws {
        let files = try [paths.main] + companionFiles.map { "\(paths.root)/\($0)" } + paths.days().map(paths.file)
        // On one disk the bytes of files get a further name instead of a copy.
        let copied = Folder.areTogether(folder, paths.root) ? 0 : fileBytes
        let needed = files.reduce(copied) { $0 + Folder.size(of: $1) }
        let free = try Folder.freeBytes(at: folder)
        guard free < needed else { return }
        throw Refusal(
            .invalid, "The backup needs \(needed) bytes, but only \(free) are free.", hint: "Free disk space, or name a folder on another disk.")
    }

    /// Whether a folder has a backup of this data folder that can be updated. Throws if it has another one.
    static func isUpdatable(_ folder: String, of hash: KeyedHash, _ key: BackupKey?) throws -> Bool {
        guard key == nil else {
            throw Refusal(.invalid, "An encrypted backup cannot be updated.", hint: "Name a new folder, or leave out the secret.")
        }
        guard isPlain(folder) else { return false }
        try BackupUpdate.complete(folder)
        guard try isBackup(folder, of: hash) else {
            throw Refusal(.conflict, "The folder has a backup of another data folder.", hint: "Name a new folder.")
        }
        return true
    }

    private static func isBackup(_ folder: String, of hash: KeyedHash) throws -> Bool {
        // SQLite makes empty files beside a database that it reads.
        defer { for suffix in ["-wal", "-shm"] { try? Folder.remove("\(folder)/main.db\(suffix)") } }
        return try hasMain(folder, of: hash)
    }

    private static func hasMain(_ folder: String, of hash: KeyedHash) throws -> Bool {
        let main: MainDB = try FileSnapshot("\(folder)/main.db").file()
        return try main.isOfFolder(hash)
    }
}
