// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import Synchronization

/// The files on the disk: `incoming` for those that are being uploaded, and a folder for each app.
///
///     incoming/9f86d081884c7d659a2feaa0c55ad015        an upload
///     files/1/9f/9f86d081884c7d659a2feaa0c55ad015      a file; it never changes
final class BlobFolder: Sendable {
    let incoming: OpenFolder
    private let files: OpenFolder
    /// The number of holders that need all files to stay.
    private let holds = Mutex(0)

    init(_ paths: StorePaths) throws {
        try Folder.make(paths.incoming)
        try Folder.make(paths.files)
        incoming = try OpenFolder(paths.incoming)
        files = try OpenFolder(paths.files)
    }

    private func folder(of name: BlobName, app: AppID) throws(FileError) -> OpenFolder {
        try files.folder(String(app.rawValue)).folder(name.folder)
    }

    private func makeFolder(of name: BlobName, app: AppID) throws(FileError) -> OpenFolder {
        do {
            return try folder(of: name, app: app)
        } catch  where error.isMissing {
            return try files.makeFolder(String(app.rawValue)).makeFolder(name.folder)
        }
    }

    /// Opens a file for reading. Throws a `FileError` that `isMissing` if its row was replaced meanwhile.
    func open(_ name: BlobName, app: AppID) throws(FileError) -> File { try folder(of: name, app: app).file(name.text, .read) }

    /// Moves an upload to its final place, durably.
    func move(_ upload: BlobName, to name: BlobName, app: AppID) throws(FileError) {
        let folder = try makeFolder(of: name, app: app)
        try incoming.move(upload.text, to: folder, as: name.text)
        try folder.sync()
    }

    /// Moves a file that got no row back to the uploads.
    func moveBack(_ name: BlobName, app: AppID) throws(FileError) {
        try folder(of: name, app: app).move(name.text, to: incoming, as: name.text)
        try incoming.sync()
    }

    /// Gives a file a second name, durably.
    func link(_ source: BlobName, to name: BlobName, app: AppID) throws(FileError) {
        let folder = try makeFolder(of: name, app: app)
        try self.folder(of: source, app: app).link(source.text, to: folder, as: name.text)
        try folder.sync()
    }

    /// Removes a file that never had a row.
    func discard(_ name: BlobName, app: AppID) {
        // One that stays is removed at the next start.
        try? folder(of: name, app: app).remove(name.text)
    }

    // MARK: Removal

    /// Removes a file that lost its row, unless a holder needs it. Returns whether it is gone.
    func remove(_ blob: LeavingBlob) throws -> Bool {
        try holds.withLock { holds in
            guard holds == 0 else { return false }
            do {
                try (blob.app == LeavingBlob.incoming ? incoming : folder(of: blob.name, app: blob.app)).remove(blob.name.text)
            } catch let error as FileError where error.isMissing {}
            return true
        }
    }

    /// Keeps all files until `release`.
    func hold() { holds.withLock { $0 += 1 } }

    func release() { holds.withLock { $0 -= 1 } }

    // MARK: Names

    /// Returns the folders of the disk, each with the app that its files are of.
    func folders() throws -> [(app: AppID, folder: OpenFolder)] {
        var out = [(app: LeavingBlob.incoming, folder: incoming)]
        for name in try files.names() {
            guard let number = Int64(name), number > 0, let ofApp = try? files.folder(name) else { continue }
            for inner in try ofApp.names() {
                if let folder = try? ofApp.folder(inner) { out.append((AppID(rawValue: number), folder)) }
            }
        }
        return out
    }

    /// Removes the folders of an app that are empty.
    func removeEmptyFolders(of app: AppID) throws {
        let name = String(app.rawValue)
        guard let ofApp = try? files.folder(name) else { return }
        for inner in try ofApp.names() { try ofApp.removeIfEmpty(inner) }
        try files.removeIfEmpty(name)
    }
}
