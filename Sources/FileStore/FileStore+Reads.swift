// SPDX-License-Identifier: Apache-2.0

package import Files
package import Platform
package import Rules

/// A file that is open for reading. It stays readable when the file is replaced or deleted.
package struct OpenedFile: Sendable {
    package enum Contents: Sendable {
        case bytes([UInt8])
        case file(File)
    }

    package var file: StoredFile
    package var contents: Contents
}

/// A decision about reading a file, with the file if it was allowed and there is one.
package struct DecidedFile: Sendable {
    /// The revision of the rules that decided; nil without rules that can be read.
    package var revision: Int64?
    package var decision: RuleDecision?
    package var file: OpenedFile?
}

extension FileDB {
    /// Opens the bytes of a row at once, while it is young.
    func open(_ file: StoredFile, in blobs: BlobFolder) throws -> OpenedFile {
        switch file.place {
        case .blob(let name): return OpenedFile(file: file, contents: .file(try blobs.open(name, app: file.app)))
        case .row(let number):
            guard let bytes = try contents(number) else { throw FileStoreError.damaged }
            return OpenedFile(file: file, contents: .bytes(bytes))
        }
    }
}

extension FileStore {
    /// Returns a file's row; nil if there is none.
    package func file(_ path: FilePath, app: AppID) async throws -> StoredFile? { try await lookUp { try $0.file(path, app: app) } }

    /// Opens a file; nil if there is none.
    ///
    /// A replacement between the read of the row and the opening removes the bytes that the row named, so the row is read once more.
    package func open(_ path: FilePath, app: AppID) async throws -> OpenedFile? {
        try await onceMoreIfMissing { [blobs] in
            try await lookUp { file in try file.file(path, app: app).map { try file.open($0, in: blobs) } }
        }
    }

    /// Opens a file if the newest rules of the app allow it, in one read with the decision.
    ///
    /// - Parameter decide: Decides by the rules and, if they look at it, the row of the file. Nil leaves the decision to the caller, and the
    ///   file closed.
    package func open(
        _ path: FilePath, app: AppID, if decide: @escaping @Sendable (FileRuleset?, () throws -> StoredFile?) throws -> RuleDecision?
    ) async throws -> DecidedFile {
        try await onceMoreIfMissing { [blobs, ruleCache] in
            try await lookUp { file in
                let newest = try ruleCache.rules(of: app, in: file)
                var row: StoredFile??
                let decision = try decide(newest) {
                    if let row { return row }
                    let found = try file.file(path, app: app)
                    row = .some(found)
                    return found
                }
                let revision = newest?.rules == nil ? nil : newest?.revision
                guard decision?.isAllowed == true else { return DecidedFile(revision: revision, decision: decision) }
                let opened = try (try row ?? file.file(path, app: app)).map { try file.open($0, in: blobs) }
                return DecidedFile(revision: revision, decision: decision, file: opened)
            }
        }
    }

    func onceMoreIfMissing<T>(_ open: () async throws -> T) async throws -> T {
        do { return try await open() } catch let error as FileError where error.isMissing { return try await open() }
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

    /// Returns changes after a number, oldest first, for a reader that goes on from `next`.
    package func changePage(of app: AppID, after seq: Int64, limit: Int) async throws -> FileChangePage {
        try await read { try $0.changePage(of: app, after: seq, limit: limit) }
    }

    /// Returns the number of the last change of all apps.
    package func lastChange() async throws -> Int64 { try await lookUp { try $0.stamp() } }
}
