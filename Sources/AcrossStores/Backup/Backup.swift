// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AppDirectory
import AuditStore
import CrashStore
import Crypto
import Database
import EventStore
import FileStore
import FunctionStore
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
    ///     files   further names of the bytes of files or copies, while no file is removed
    ///     last    MANIFEST, synced: a folder without it is not a backup
    ///
    /// With a key, the folder contains one encrypted file instead.
    ///
    /// - Parameters:
    ///   - includesKeys: Whether an unencrypted backup contains `accounts.key`. Whoever has both can sign in as any user.
    ///   - updates: Whether a backup that the folder has is replaced. Only files of users that it lacks are copied.
    package func backUp(
        to folder: String, _ key: BackupKey? = nil, includesKeys: Bool = false, updates: Bool = false
    ) async throws -> BackupManifest {
        do {
            let isUpdate = try updates && Backup.isUpdatable(folder, of: events.hash, key)
            let fileBytes = try await files.bytesOfAllApps()
            try Backup.prepare(folder, of: paths, companionFiles, fileBytes: fileBytes, isUpdate: isUpdate)
            files.holdBlobs()
            defer { files.releaseBlobs() }
            return try await copy(to: folder, key, includesKeys: includesKeys, isUpdate: isUpdate)
        } catch let error where StoreError.isOfFile(error) {
            throw Refusal(.invalid, "The backup failed: \(error).", hint: "Name a writable folder with enough free space.")
        }
    }

    /// The file of the accounts' key, if there are accounts and a backup does not contain it.
    package func keyApart(from manifest: BackupManifest) -> String? {
        let isIncluded = manifest.entries.contains { $0.path.description == AccountKeyFile.name }
        return accounts.secrets.key == nil || isIncluded ? nil : accounts.secrets.path
    }

    private func copy(to folder: String, _ key: BackupKey?, includesKeys: Bool, isUpdate: Bool) async throws -> BackupManifest {
        do {
            let pinned = try await pin()
            // A key that the configuration keeps elsewhere stays there.
            let isWanted = (key != nil || includesKeys) && accounts.secrets.key != nil && accounts.secrets.path == paths.accountsKey
            let accountsKey = isWanted ? paths.accountsKey : nil
            return try await onOwnThread("signalbox.backup") { try pinned.copy(to: folder, key, accountsKey, isUpdate: isUpdate) }
        } catch {
            // An incomplete copy would use disk space, and the folder could not be named again.
            try? isUpdate ? BackupUpdate.abandon(folder) : Folder.empty(folder)
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

    func copy(to folder: String, _ key: BackupKey?, _ accountsKey: String?, isUpdate: Bool) throws -> BackupManifest {
        try snapshots.withLock { list in
            defer { list = [] }
            return try Backup.copy(list, paths, accountsKey, to: isUpdate ? UpdatedBackupFolder(folder) : Backup.target(folder, paths, key))
        }
    }
}

/// The steps of a backup and of its restoration.
package enum Backup {
    static let mainPath = BackupPath("main.db")

    /// The functions are first: a restored folder then has each change that made a run, and at most repeats it. The main file is before the
    /// days. If data retention removes a day meanwhile, its counts are in the main file already.
    fileprivate static func pinned(_ paths: StorePaths, _ companionFiles: [String]) throws -> [(name: String, snapshot: FileSnapshot)] {
        let functions = companionFiles.filter { $0 == FunctionStore.fileName }
        let others = companionFiles.filter { $0 != FunctionStore.fileName }
        let stores = try (functions + ["main.db"] + others).map { (name: $0, snapshot: try FileSnapshot("\(paths.root)/\($0)")) }
        return try stores
            + paths.days().compactMap { day in
                try FileSnapshot(ifExists: paths.file(of: day)).map { (name: "events/\(day.text).db", snapshot: $0) }
            }
    }

    fileprivate static func target(_ folder: String, _ paths: StorePaths, _ key: BackupKey?) throws -> any BackupTarget {
        if let key { return try EncryptedBackup(in: folder, scratch: paths.uploads, key) }
        try Folder.make(folder + "/events")
        return BackupFolder(path: folder)
    }

    fileprivate static func copy(
        _ files: [(name: String, snapshot: FileSnapshot)], _ paths: StorePaths, _ accountsKey: String?, to target: any BackupTarget
    ) throws -> BackupManifest {
        var manifest = BackupManifest(entries: [])
        for (name, snapshot) in files {
            manifest.entries.append(try target.add(name, snapshot))
            if name == FileStore.fileName { manifest.entries += try copyFiles(of: snapshot.file(), paths, to: target) }
            if name == CrashStore.fileName { manifest.entries += try copySymbols(of: snapshot.file(), paths, to: target) }
        }
        if let accountsKey { manifest.entries.append(try target.add(AccountKeyFile.name, file: accountsKey)) }
        try target.finish(manifest)
        return manifest
    }

    /// Restores a verified backup into an empty data folder. An encrypted one is verified while it is restored.
    package static func restore(
        _ folder: String, _ key: BackupKey? = nil, accountsKey: AccountsKeyPlace = .backup, into data: String
    ) throws -> BackupManifest {
        let verified = key == nil ? try verify(folder) : nil
        let paths = StorePaths(root: data)
        try Folder.make(data)
        // Existing files may belong to another database. SQLite would apply an old write-ahead log to the restored file.
        guard try Folder.names(in: data).allSatisfy({ $0 == "lock" }) else {
            throw Refusal(.conflict, "The data folder is not empty.", hint: "Restore into an empty folder, then start ingestd on it.")
        }
        do {
            var place = RestoredFiles(paths)
            try Folder.make(paths.events)
            let manifest: BackupManifest
            if let key {
                manifest = try decrypt(folder, key) { try place.file(for: $0) }
            } else {
                manifest = verified ?? BackupManifest(entries: [])
                for entry in manifest.entries { try copyFile("\(folder)/\(entry.path)", to: try place.file(for: entry.path)) }
            }
            try restoreAccountsKey(paths, accountsKey)
            try finishRestoring(paths, place)
            return manifest
        } catch {
            try? RestoredFiles.remove(from: data)
            throw error
        }
    }

    private static func finishRestoring(_ paths: StorePaths, _ place: RestoredFiles) throws {
        let data = paths.root
        try EventStore.prepareRestored(place.draft)
        // An older backup may lack a store's file, which the first start makes.
        for kind in Stores.companionKinds where Folder.exists("\(data)/\(kind.fileName)") { try kind.prepareRestored("\(data)/\(kind.fileName)") }
        try AuditStore.recordRestoration(in: data, at: WallClock.system.now())
        // Each change closed its file, so the logs are empty. SQLite may leave them where it cannot remove them.
        for name in try Folder.names(in: data) where name.hasSuffix("-wal") || name.hasSuffix("-shm") { try Folder.remove("\(data)/\(name)") }
        for folder in place.folders { try Folder.sync(folder) }
        // The main file gets its name last. An interrupted restoration leaves no data folder, because one needs a main file.
        try Folder.rename(place.draft, to: paths.main)
        try Folder.sync(data)
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
