// SPDX-License-Identifier: Apache-2.0

import Database
import JSON
import Platform
import AcrossStores

/// `ingestd backup` and `ingestd restore`.
enum BackupCommands {
    static let backup = Command(
        "backup", "Copies all data to a new folder while the daemon runs, with a manifest of SHA-256 sums.", operands: ["DIR"],
        options: [.data, .config, .json]
    ) { arguments in
        // The daemon has another working directory.
        let target = try absolute(arguments.operand(0))
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", "/v1/backup", timeout: .seconds(86_400)) { $0.field("directory", target) }
        }
        try requireSeen(target)
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Backed up \(made.text("files")) files, \(made.text("bytes")) bytes, to \(target).")
    }

    /// Detects a daemon with a private `/tmp`, whose backup would not be visible here.
    private static func requireSeen(_ target: String) throws {
        let isThere: Bool
        do throws(FileError) {
            isThere = try Folder.names(in: target).contains(BackupManifest.fileName)
        } catch {
            // A folder that this user may not read does exist.
            isThere = !error.isMissing
        }
        guard isThere else {
            throw Failure(
                "The daemon wrote the backup, but \(target) is not visible from here.",
                hint: "The service may have a private /tmp. Name a folder below /var/backups/ingestd.")
        }
    }

    private static let verifyOnly = Option("--verify", .none, "Verifies the backup against its manifest and restores nothing.")

    static let restore = Command(
        "restore", "Restores a backup into an empty data folder, after verifying it.", operands: ["DIR"],
        options: [verifyOnly, .data, .config, .json]
    ) { arguments in
        let source = arguments.operand(0)
        guard Folder.exists(source + "/" + BackupManifest.fileName) else {
            throw Failure("\(source) contains no backup of ingestd.", hint: "Name a folder that `ingestd backup` wrote.")
        }
        if arguments.has(verifyOnly) { return try report(try Backup.verify(source), "The backup is complete", arguments) }
        let folder = try DataFolder(arguments).configuration.storage.directory
        try report(try restored(source, into: folder), "Restored into \(folder)", arguments)
    }

    /// No daemon can start on the folder before it is complete.
    private static func restored(_ source: String, into folder: String) throws -> BackupManifest {
        try DataFolder.rejectForeign(StorePaths(root: folder))
        try Folder.make(folder)
        let lock = try File(StorePaths(root: folder).lock, .keep)
        guard try lock.lock() else { throw StoreError.locked(path: folder) }
        return try withExtendedLifetime(lock) { try Backup.restore(source, into: folder) }
    }

    private static func report(_ manifest: BackupManifest, _ what: String, _ arguments: Arguments) throws {
        let bytes = manifest.entries.reduce(0) { $0 + $1.bytes }
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("files", manifest.entries.count)
                json.field("bytes", bytes)
            }
        } else {
            try Console.print("\(what): \(manifest.entries.count) files, \(bytes) bytes.")
        }
    }

    private static func absolute(_ path: String) throws -> String {
        do {
            return try OwnProcess.absolutePath(of: path)
        } catch {
            throw Failure("Could not resolve the working directory: \(error.reason).", hint: "Give the absolute path of the backup.")
        }
    }
}
