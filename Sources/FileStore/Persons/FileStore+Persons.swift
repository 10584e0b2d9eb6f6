// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Files
package import Platform

extension RemovalCounts.Kind {
    package static let files = Self("files")
}

extension FileStore {
    /// Returns the paths below which files are a person's, such as `users/{uid}/`.
    package func personPaths(of app: AppID) async throws -> [PersonFolder] { try await lookUp { try $0.personPaths(of: app) } }

    package func setPersonPaths(_ paths: [PersonFolder], app: AppID) async throws { try await change(app) { try $0.file.set(paths, app: app) } }

    // MARK: Export

    /// Returns the files of a user in the order of their paths, after a path: those the user uploaded and those below a path of persons.
    package func files(of person: String, app: AppID, after path: FilePath? = nil, limit: Int = 500) async throws -> [StoredFile] {
        try await read { file in
            let folders = try file.personPaths(of: app).compactMap { $0.prefix(of: person) }
            var found = try file.files(ofOwner: person, app: app, after: path, limit: limit)
            for folder in folders { found += try file.files(below: folder, app: app, after: path, limit: limit) }
            let sorted = found.sorted { $0.path < $1.path }
            return Array(zip(sorted, [nil] + sorted.map(Optional.some)).filter { $0.path != $1?.path }.map(\.0).prefix(limit))
        }
    }

    /// Returns those of them that wait for functions.
    package func pendingFiles(of person: String, app: AppID, after path: FilePath? = nil, limit: Int = 500) async throws -> [PendingFile] {
        try await read { file in
            try file.pendingPaths(of: person, app: app, after: path, limit: limit).compactMap { try file.pending($0, app: app) }
        }
    }

    // MARK: Erasure

    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        for person in removal.users {
            var last: FilePath?
            while case let page = try await files(of: person, app: removal.app, after: last), !page.isEmpty {
                counts[.files] += page.count
                last = page.last?.path
            }
            last = nil
            while case let page = try await pendingPaths(of: person, app: removal.app, after: last), !page.isEmpty {
                counts[.files] += page.count
                last = page.last
            }
        }
        return counts
    }

    /// Removes the files and uploads of a person, links to paths of the person, and what the log of changes says of them. Responses to uploads
    /// that became such a file are not repeated any more.
    ///
    /// An anonymization removes them, too: what a file contains cannot be made anonymous. After a kill in between the files that remain are
    /// found again.
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        let (app, limit) = (removal.app, bounds.removedAtOnce)
        for person in removal.users {
            let folders = try await personPaths(of: app).compactMap { $0.prefix(of: person) }
            // An upload that ends beside this becomes a file before the next change, or none.
            inFlight.erase { $0.app == app && $0.isOf(person, below: folders) }
            while case let uploads = try await change(app, { try $0.cancelSome(of: person, app: app, below: folders, atMost: limit) }), uploads > 0 {}
            // Those that wait go first: one that is allowed before is among the files then.
            while case let found = try await change(app, { try $0.dropSomePending(of: person, below: folders, app: app, atMost: limit) }), found > 0 {
                counts[.files] += found
            }
            try await SpareSpace.inPieces(atMost: limit) { limit in
                let page = try await files(of: person, app: app, limit: limit)
                if page.isEmpty { return 0 }
                counts[.files] += try await change(app) { context in try page.filter { try context.removeIfUnchanged($0) }.count }
                return page.count
            }
            for folder in folders {
                while try await change(app, { try $0.file.removeLinks(below: folder, app: app, atMost: limit) }) > 0 {}
            }
            openUploads.forgetEnded { $0.app == app && $0.isOf(person, below: folders) }
            try await forgetChanges(of: person, below: folders, app: app)
        }
        folderMeter.forget(removal.app)
        // Those of ended uploads, too, and those that an erasure left when it was killed.
        await removeLeavingBlobs()
        return counts
    }

    private func pendingPaths(of person: String, app: AppID, after path: FilePath?) async throws -> [FilePath] {
        try await read { try $0.pendingPaths(of: person, app: app, after: path, limit: 500) }
    }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    private func forgetChanges(of person: String, below folders: [String], app: AppID) async throws {
        var last: Int64? = 0
        while let seq = last {
            let (found, next) = try await read { try $0.changes(of: person, below: folders, app: app, after: seq, limit: 5_000) }
            if !found.isEmpty { try await change(app) { try $0.file.removeChanges(found) } }
            last = next
        }
    }
}

extension UploadRequest {
    fileprivate func isOf(_ person: String, below folders: [String]) -> Bool {
        if owner.map({ $0.hasSameBytes(as: person) }) ?? false { return true }
        guard let path else { return false }
        return folders.contains { path.text.utf8.starts(with: $0.utf8) }
    }
}

extension StoredFile {
    fileprivate func isOf(_ person: String, below folders: [String]) -> Bool {
        owner.map { $0.hasSameBytes(as: person) } ?? false || folders.contains { path.text.utf8.starts(with: $0.utf8) }
    }
}

extension FileDB {
    fileprivate func pendingPaths(of person: String, app: AppID, after path: FilePath?, limit: Int) throws -> [FilePath] {
        let folders = try personPaths(of: app).compactMap { $0.prefix(of: person) }
        return try pendingPaths(ofOwner: person, below: folders, app: app, after: path, limit: limit)
    }
}

extension FileContext {
    /// Removes a file unless it was replaced since it was read.
    fileprivate func removeIfUnchanged(_ old: StoredFile) throws -> Bool {
        guard let current = try file.file(old.path, app: old.app), current.generation == old.generation else { return false }
        try remove(current)
        return true
    }

    /// Removes files of a person that wait for a function. Returns their number.
    fileprivate func dropSomePending(of person: String, below folders: [String], app: AppID, atMost limit: Int) throws -> Int {
        let paths = try file.pendingPaths(ofOwner: person, below: folders, app: app, after: nil, limit: limit)
        for path in paths { try dropPending(path, app: app) }
        return paths.count
    }

    /// Ends open uploads of a person.
    fileprivate func cancelSome(of person: String, app: AppID, below folders: [String], atMost limit: Int) throws -> Int {
        var uploads = try file.uploads(of: person, app: app, limit: limit)
        for folder in folders { uploads += try file.uploads(below: folder, app: app, limit: limit) }
        let some = Dictionary(uploads.map { ($0.id, $0) }) { first, _ in first }
        for upload in some.values { try cancel(upload) }
        return some.count
    }
}
