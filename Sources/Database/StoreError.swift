// SPDX-License-Identifier: Apache-2.0

import SQLite

/// The reason why a data folder cannot be used, with a hint for its operator.
package enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case locked(path: String)
    case newerSchema(path: String, found: Int, known: Int)
    case notADataFolder(path: String)
    case mainFileMissing(path: String)
    case fileMissing(path: String)
    case damaged(path: String, reason: String)
    case diskFull(path: String)
    /// The key outside the database that its secrets are encrypted with.
    case keyMissing(path: String)
    case keyUnusable(path: String, reason: String)
    case stopped

    /// Describes a damaged file; nil for any other error.
    package init?(damage error: any Error) {
        guard let error = error as? SQLiteError, error.isDamage else { return nil }
        self = .damaged(path: error.path, reason: error.message)
    }

    /// Describes a file that cannot be written because the disk is full; nil for any other error.
    package init?(fullDisk error: any Error) {
        guard let error = error as? SQLiteError, error.code.primary == .full else { return nil }
        self = .diskFull(path: error.path)
    }

    package var description: String {
        switch self {
        case .locked(let path): "the data folder \(path) is in use by another ingestd"
        case .newerSchema(let path, let found, let known): "\(path) was written by a newer ingestd (schema \(found); this version supports \(known))"
        case .notADataFolder(let path): "\(path) is not a data folder of ingestd"
        case .mainFileMissing(let path): "\(path) is missing or empty, but the folder contains data that belongs to it"
        case .fileMissing(let path): "\(path) is missing from the data folder"
        case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
        case .diskFull(let path): "\(path) cannot be written: the disk is full"
        case .keyMissing(let path): "\(path), the key of accounts.db, is missing"
        case .keyUnusable(let path, let reason): "\(path) cannot be used as the key of accounts.db: \(reason)"
        case .stopped: "the store has stopped"
        }
    }

    package var hint: String {
        switch self {
        case .locked: "Stop the other process, or use another folder with --data."
        case .newerSchema: "Run the newer version, or restore a backup made by this version."
        case .notADataFolder: "Use an empty folder, or a data folder of ingestd."
        case .mainFileMissing: "Move the folder away and restore the newest backup, or start with an empty folder."
        case .fileMissing:
            "Restore the newest backup. Without a backup, create an empty file of that name to continue without the lost data."
        case .damaged: "Move the folder away and restore the newest backup as described in docs/operate/backup.md."
        case .diskFull: "Free disk space, and run the command again."
        case .keyMissing: "Put the file back, with mode 0600. Without it no session, password or signing key of accounts.db can be used."
        case .keyUnusable: "Put back the file that belongs to this data folder, with mode 0600."
        case .stopped: "Restart the daemon."
        }
    }
}
