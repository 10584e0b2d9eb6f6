// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The uploads under way, kept in the folder, so that they go on after the end of the app.
final class UnfinishedUploads: Sendable {
    struct Entry: Codable, Equatable {
        var upload: UnfinishedUpload
        var state: UploadSource.FileState
        /// An upload of a user is that user's alone.
        var user: String?
        /// The upload's URL at the daemon.
        var location: URL
    }

    static let maxEntries = 100
    private let file: URL
    private let entries: Locked<[Entry]>
    /// Held while the file is written, and taken before `entries`, so that readers do not wait for the disk.
    private let writing = Locked(())

    init(folder: URL) {
        file = folder.appendingPathComponent("uploads.json")
        entries = Locked((try? JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))) ?? [])
    }

    var all: [UnfinishedUpload] { entries.withLock { $0.map(\.upload) } }

    /// Returns the location of the same upload of the same file.
    func location(_ upload: UnfinishedUpload, _ state: UploadSource.FileState, user: String?) -> URL? {
        entries.withLock { $0.first { $0.upload == upload && $0.state == state && $0.user == user }?.location }
    }

    /// Adds an upload, or replaces an earlier one to the path. The daemon ends those that are dropped.
    func add(_ entry: Entry) {
        change { $0 = ($0.filter { $0.upload.path != entry.upload.path } + [entry]).suffix(UnfinishedUploads.maxEntries) }
    }

    func remove(_ location: URL) {
        change { $0.removeAll { $0.location == location } }
    }

    private func change(_ body: (inout [Entry]) -> Void) {
        writing.withLock { _ in
            let changed = entries.withLock { entries in
                body(&entries)
                return entries
            }
            // Without the file an upload begins again after the end of the app, which is slower and not wrong.
            try? JSONEncoder().encode(changed).write(to: file, options: .atomic)
        }
    }
}
