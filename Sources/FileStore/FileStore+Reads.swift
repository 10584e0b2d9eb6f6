// SPDX-License-Identifier: Apache-2.0

package import Files
package import Platform

/// A file that is open for reading. It stays readable when the file is replaced or deleted.
package struct OpenedFile: Sendable {
    package enum Contents: Sendable {
        case bytes([UInt8])
        case file(File)
    }

    package var file: StoredFile
    package var contents: Contents
}

extension FileStore {
    /// Returns a file's row; nil if there is none.
    package func file(_ path: FilePath, app: AppID) async throws -> StoredFile? { try await lookUp { try $0.file(path, app: app) } }

    /// Opens a file; nil if there is none.
    ///
    /// A replacement between the read of the row and the opening removes the bytes that the row named, so the row is read once more.
    package func open(_ path: FilePath, app: AppID) async throws -> OpenedFile? {
        do {
            return try await openOnce(path, app)
        } catch let error as FileError where error.isMissing {
            return try await openOnce(path, app)
        }
    }

    private func openOnce(_ path: FilePath, _ app: AppID) async throws -> OpenedFile? {
        try await lookUp { [blobs] file in
            guard let stored = try file.file(path, app: app) else { return nil }
            switch stored.place {
            // Opened at once, while the row is young.
            case .blob(let name): return OpenedFile(file: stored, contents: .file(try blobs.open(name, app: app)))
            case .row(let number):
                guard let bytes = try file.contents(number) else { throw FileStoreError.damaged }
                return OpenedFile(file: stored, contents: .bytes(bytes))
            }
        }
    }

    /// Returns the bytes of the files of all apps.
    package func bytesOfAllApps() async throws -> Int64 { try await lookUp { try $0.usage(.all).bytes } }

    package func list(_ query: FileListingQuery, app: AppID) async throws -> FileListing {
        try await read { file in
            var scan = FileListingScan(query, app: app, in: file)
            return try scan.run()
        }
    }

    /// Returns what an app has; with an owner what that user has.
    package func usage(of app: AppID, owner: String? = nil) async throws -> FileUsage {
        try await lookUp { try $0.usage(FileAccount(app: app, owner: owner ?? "")) }
    }

    /// Returns the usage of users in the order of their IDs, after an ID.
    package func usages(of app: AppID, after owner: String = "", limit: Int = 100) async throws -> [FileOwnerUsage] {
        try await read { try $0.usages(app, after: owner, limit: limit) }
    }

    /// Returns the usage of the users with the most bytes.
    package func largestUsages(of app: AppID, limit: Int) async throws -> [FileOwnerUsage] {
        try await read { try $0.largestUsages(app, limit: limit) }
    }

    /// Returns open uploads of several requests.
    package func uploads(of app: AppID, limit: Int = 100) async throws -> [StoredUpload] {
        try await read { try $0.uploads(app, limit: limit) }
    }

    /// Returns changes after a number, oldest first.
    package func changes(of app: AppID, after seq: Int64, limit: Int = 1_000) async throws -> [FileChange] {
        try await read { try $0.changes(of: app, after: seq, limit: limit) }
    }

    /// Returns the number of the last change of all apps.
    package func lastChange() async throws -> Int64 { try await lookUp { try $0.stamp() } }
}
