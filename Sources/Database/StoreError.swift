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
    case stopped

    /// Describes a damaged file; nil for any other error.
    package init?(damage error: any Error) {
        guard let error = error as? SQLiteError, error.isDamage else { return nil }
        self = .damaged(path: error.path, reason: error.message)
    }

    package var description: String {
        switch self {
        case .locked(let path): "the data folder \(path) is in use by another ingestd"
        case .newerSchema(let path, let found, let known): "\(path) was written by a newer ingestd (schema \(found), this one knows \(known))"
        case .notADataFolder(let path): "\(path) is not a data folder of ingestd"
        case .mainFileMissing(let path): "\(path) is missing or empty, and beside it lies data that it belongs to"
        case .fileMissing(let path): "\(path) is missing, though this data folder had it"
        case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
        case .stopped: "the store has stopped"
        }
    }

    package var hint: String {
        switch self {
        case .locked: "Stop the other process, or name another folder with --data."
        case .newerSchema: "Run the newer program, or restore a backup that this one made."
        case .notADataFolder: "Name an empty folder, or one that ingestd has made."
        case .mainFileMissing: "Move the folder away and restore the newest backup, or begin anew with an empty folder."
        case .fileMissing:
            "Restore the newest backup. Where there is none, an empty file of that name lets ingestd begin it anew; what it held is gone."
        case .damaged: "Move the folder away and restore the newest backup; docs/operate/backup.md says how."
        case .stopped: "Start the daemon again."
        }
    }
}
