/// Why a data folder cannot be used, in words for its operator.
package enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case locked(path: String)
    case newerSchema(path: String, found: Int, known: Int)
    case notADataFolder(path: String)
    case stopped

    package var description: String {
        switch self {
        case .locked(let path): "the data folder \(path) is in use by another ingestd"
        case .newerSchema(let path, let found, let known): "\(path) was written by a newer ingestd (schema \(found), this one knows \(known))"
        case .notADataFolder(let path): "\(path) is not a data folder of ingestd"
        case .stopped: "the store has stopped"
        }
    }

    package var hint: String {
        switch self {
        case .locked: "Stop the other process, or name another folder with --data."
        case .newerSchema: "Run the newer program, or restore a backup that this one made."
        case .notADataFolder: "Name an empty folder, or one that ingestd has made."
        case .stopped: "Start the daemon again."
        }
    }
}
