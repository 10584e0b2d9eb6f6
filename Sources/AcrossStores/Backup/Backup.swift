// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import AuditStore
import CrashStore
import Crypto
import Database
import EventStore
import MessageStore
import Platform
import Synchronization

extension Stores {
    /// Copies all stores to a new folder while intake goes on.
    ///
    /// The writer of events pauses while read transactions are opened on all files. It then goes on, and the copy reads the pinned
    /// versions, so the event files belong together although copying takes long:
    ///
    ///     pin     main.db, messages.db, crashes.db, events/2026-11-20.db, events/2026-11-21.db
    ///     intake  continues, into the write-ahead logs
    ///     copy    each file as of the pin, with its size and SHA-256; symbol files
    ///     last    MANIFEST, synced: a folder without it is not a backup
    package func backUp(to folder: String) async throws -> BackupManifest {
        do {
            try Backup.prepare(folder, of: paths, companionFiles)
            return try await copy(to: folder)
        } catch let error where StoreError.isOfFile(error) {
            throw Refusal(.invalid, "The backup failed: \(error).", hint: "Name a writable folder with enough free space.")
        }
    }

    private func copy(to folder: String) async throws -> BackupManifest {
        do {
            let pinned = try await pin()
            return try await onOwnThread("signalbox.backup") { try pinned.copy(to: folder) }
        } catch {
            // An incomplete copy would use disk space, and the folder could not be named again.
            try? Folder.empty(folder)
            throw error
        }
    }

    private var companionFiles: [String] { companions.map { type(of: $0).fileName } }

    /// Opens a read transaction on every file while the writer of events is paused.
    private func pin() async throws -> PinnedFiles {
        let pinned = PinnedFiles(paths, companionFiles)
        try await events.change { _ in
            try pinned.pin()
        }
        return pinned
    }
}

/// The read transactions of a backup, on the main file, each companion's and each day's.
private final class PinnedFiles: Sendable {
    private let paths: StorePaths
    private let companionFiles: [String]
    private let snapshots = Mutex<[(name: String, snapshot: FileSnapshot)]>([])

    init(_ paths: StorePaths, _ companionFiles: [String]) {
        self.paths = paths
        self.companionFiles = companionFiles
    }

    func pin() throws {
        try snapshots.withLock { list in
            list = try Backup.pinned(paths, companionFiles)
        }
    }

    func copy(to folder: String) throws -> BackupManifest {
        try snapshots.withLock { list in
            defer { list = [] }
            return try Backup.copy(list, paths, to: folder)
        }
    }
}

/// The steps of a backup and of its restoration.
package enum Backup {
    static let mainPath = BackupPath("main.db")

    /// The main file is first. If data retention removes a day meanwhile, its counts are in the main file already.
    fileprivate static func pinned(_ paths: StorePaths, _ companionFiles: [String]) throws -> [(name: String, snapshot: FileSnapshot)] {
        let stores = try (["main.db"] + companionFiles).map { (name: $0, snapshot: try FileSnapshot("\(paths.root)/\($0)")) }
        return try stores
            + paths.days().compactMap { day in
                try FileSnapshot(ifExists: paths.file(of: day)).map { (name: "events/\(day.text).db", snapshot: $0) }
            }
    }

    fileprivate static func copy(
        _ files: [(name: String, snapshot: FileSnapshot)], _ paths: StorePaths, to folder: String
    ) throws -> BackupManifest {
        var manifest = BackupManifest(entries: [])
        for (name, snapshot) in files {
            let path = folder + "/" + name
            try snapshot.copy(to: path)
            manifest.entries.append(
                try .init(path: name, bytes: Folder.size(of: path), sha256: try sum(of: path)))
            if name == CrashStore.fileName { manifest.entries += try copySymbols(of: snapshot.file(), paths, to: folder) }
        }
        let file = try File(folder + "/" + BackupManifest.fileName, .create)
        try file.write(Array(manifest.text.utf8))
        try file.sync()
        try Folder.sync(folder)
        return manifest
    }

    /// Restores a verified backup into an empty data folder.
    package static func restore(_ folder: String, into data: String) throws -> BackupManifest {
        let manifest = try verify(folder)
        let paths = StorePaths(root: data)
        try Folder.make(data)
        // Existing files may belong to another database. SQLite would apply an old write-ahead log to the restored file.
        guard try Folder.names(in: data).allSatisfy({ $0 == "lock" }) else {
            throw Refusal(.conflict, "The data folder is not empty.", hint: "Restore into an empty folder, then start ingestd on it.")
        }
        var folders: Set<String> = [paths.events]
        try Folder.make(paths.events)
        let draft = paths.main + ".restored"
        for entry in manifest.entries {
            if let folder = symbolFolder(of: entry, in: paths) {
                try Folder.makeAll(folder)
                folders.formUnion([paths.symbols, folder])
            }
            try copyFile("\(folder)/\(entry.path)", to: entry.path == mainPath ? draft : "\(data)/\(entry.path)")
        }
        try EventStore.prepareRestored(draft)
        // An older backup may lack a store's file, which the first start makes.
        for kind in Stores.companionKinds where Folder.exists("\(data)/\(kind.fileName)") { try kind.prepareRestored("\(data)/\(kind.fileName)") }
        try AuditStore.recordRestoration(in: data, at: WallClock.system.now())
        for folder in folders { try Folder.sync(folder) }
        // The main file gets its name last. An interrupted restoration leaves no data folder, because one needs a main file.
        try Folder.rename(draft, to: paths.main)
        try Folder.sync(data)
        return manifest
    }

    private static let chunk = 1 << 20

    static func copyFile(_ from: String, to path: String) throws {
        let source = try File(from, .read)
        let target = try File(path, .create)
        var offset = 0
        while case let bytes = try source.read(at: offset, count: chunk), !bytes.isEmpty {
            try target.write(bytes)
            offset += bytes.count
        }
        try target.sync()
    }

    static func sum(of path: String) throws -> String {
        let file = try File(path, .read)
        var hash = SHA256()
        var offset = 0
        while case let bytes = try file.read(at: offset, count: chunk), !bytes.isEmpty {
            hash.update(bytes.span)
            offset += bytes.count
        }
        return Hex.encode(hash.finish())
    }
}
