// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import EventStore
import MessageStore
import Platform

/// Checks of the folder for a backup.
extension Backup {
    /// Creates the folder. Rejects one that is not empty, is part of the data folder's working folders, or has too little space.
    static func prepare(_ folder: String, of paths: StorePaths, _ companionFiles: [String]) throws {
        let isNew = !Folder.exists(folder)
        if !isNew, let names = try? Folder.names(in: folder), !names.isEmpty {
            throw Refusal(.conflict, "The backup folder is not empty.", hint: "Name a new or empty folder.")
        }
        try Folder.make(folder)
        do {
            try rejectOwnFolders(folder, of: paths)
            try requireSpace(into: folder, paths, companionFiles)
        } catch {
            if isNew { try Folder.removeEmpty(folder) }
            throw error
        }
    }

    /// Rejects the folders whose files the daemon reads, counts or deletes as its own.
    private static func rejectOwnFolders(_ folder: String, of paths: StorePaths) throws {
        let place = try Folder.real(folder) + "/"
        for own in [paths.events, paths.symbols, paths.uploads] where Folder.exists(own) {
            guard try place.hasPrefix(Folder.real(own) + "/") else { continue }
            throw Refusal(
                .invalid, "The backup folder is one of the daemon's working folders.", hint: "Name a folder outside events, symbols and uploads.")
        }
    }

    /// Checks the free space before writing, because a full disk would stop intake until the copy is removed.
    private static func requireSpace(into folder: String, _ paths: StorePaths, _ companionFiles: [String]) throws {
        let files = try [paths.main] + companionFiles.map { "\(paths.root)/\($0)" } + paths.days().map(paths.file)
        let needed = files.reduce(0) { $0 + Folder.size(of: $1) }
        let free = try Folder.freeBytes(at: folder)
        guard free < needed else { return }
        throw Refusal(
            .invalid, "The backup needs \(needed) bytes, but only \(free) are free.", hint: "Free disk space, or name a folder on another disk.")
    }
}
