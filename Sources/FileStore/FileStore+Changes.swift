// SPDX-License-Identifier: Apache-2.0

import Database
package import Files
package import Platform

/// The user who owns a copy.
package enum CopyOwner: Sendable, Hashable {
    /// The owner of the source, for a copy that a server makes: the erasure of that user takes it, too.
    case same
    /// The user who copies; nil for a client without a token.
    case caller(String?)

    fileprivate func user(of source: StoredFile) -> String? {
        switch self {
        case .same: source.owner
        case .caller(let user): user
        }
    }
}

extension FileStore {
    /// Deletes a file; durable on return. Throws `FileFault`.
    ///
    /// - Parameter depth: The number of runs of functions that led to it.
    package func delete(
        _ path: FilePath, app: AppID, if condition: FileCondition = .any, by judge: FileJudge? = nil, depth: Int = 0
    ) async throws {
        try await judged(path, app: app, if: condition, by: judge, written: { _ in nil }) { condition in
            try await SpareSpace.forRemoval { try await change(app) { try $0.delete(path, app: app, if: condition, depth: depth) } }
        }
    }

    /// Changes the details of a file. A caller whom the judge refuses does not learn whether there is one.
    ///
    /// - Parameter edit: Changes the details that the file has now.
    package func editDetails(
        of path: FilePath, app: AppID, if condition: FileCondition = .any, by judge: FileJudge? = nil, _ edit: (inout FileDetails) -> Void
    ) async throws -> StoredFile {
        for _ in 0..<FileStore.judgements {
            let file = try await file(path, app: app)
            var details = file?.details ?? FileDetails()
            edit(&details)
            try await judge?(path, file, WrittenFile(path, size: file?.size, details: details, sums: file?.sums))
            guard let file else { throw FileFault.notFound }
            guard condition.holds(for: file) else { throw FileFault.conditionFailed }
            if let part = details.invalidPart { throw FileFault.invalidDetail(part) }
            do {
                return try await change(app) { [details] in try $0.change(path, app: app, if: .unchanged(file)) { $0.details = details } }
            } catch FileFault.conditionFailed { continue }
        }
        throw FileFault.conditionFailed
    }

    /// Changes the download tokens of a file.
    ///
    /// - Parameter seen: The file that the caller may read; nil for a server, which may read any.
    package func editTokens(
        of path: FilePath, app: AppID, seen file: StoredFile? = nil, _ edit: @escaping @Sendable (inout String?) -> Void
    ) async throws -> StoredFile {
        let condition = file.map { FileCondition.unchanged($0) } ?? .any
        return try await change(app) { try $0.change(path, app: app, if: condition) { edit(&$0.tokens) } }
    }

    // MARK: Copies

    /// Copies a file within its app. The copy shares the bytes on the disk, and counts in full.
    ///
    /// - Parameters:
    ///   - details: The details of the copy; nil for those of the source.
    ///   - owner: The user who owns the copy.
    ///   - read: Decides whether the source may be read; nil stands for no file.
    ///   - judge: Decides about the copy.
    ///   - depth: The number of runs of functions that led to it.
    package func copy(
        _ source: FilePath, to path: FilePath, app: AppID, details: FileDetails? = nil, owner: CopyOwner = .same, if condition: FileCondition = .any,
        reading read: (StoredFile?) async throws -> Void = { _ in }, by judge: FileJudge? = nil, depth: Int = 0
    ) async throws -> StoredFile {
        try reserve.check()
        // The source may be replaced while it is copied; the new one is copied then.
        for _ in 0..<FileStore.judgements {
            let file = try await file(source, app: app)
            try await read(file)
            guard let file else { throw FileFault.notFound }
            do {
                let written = WrittenFile(path, size: file.size, details: details ?? file.details, sums: file.sums)
                let made: StoredFile? = try await judged(path, app: app, if: condition, by: judge, written: { _ in written }) { condition in
                    try await copy(file, details, to: path, owner: owner, if: condition, depth: depth)
                }
                if let made { return made }
            } catch let error as FileError where error.isMissing { continue }
        }
        throw FileFault.conditionFailed
    }

    /// Returns nil if the source is no longer there.
    private func copy(
        _ source: StoredFile, _ details: FileDetails?, to path: FilePath, owner: CopyOwner, if condition: FileCondition, depth: Int
    ) async throws -> StoredFile? {
        guard case .blob(let name) = source.place else { return try await record(source, .bytes([]), details, to: path, owner, condition, depth) }
        let link = BlobName.random()
        inFlight.insert(link)
        defer { inFlight.remove(link) }
        try await threads.run { [blobs] in try blobs.link(name, to: link, app: source.app) }
        do {
            if let copy = try await record(source, .blob(link), details, to: path, owner, condition, depth) { return copy }
        } catch {
            try await threads.run { [blobs] in blobs.discard(link, app: source.app) }
            throw error
        }
        try await threads.run { [blobs] in blobs.discard(link, app: source.app) }
        return nil
    }

    private func record(
        _ source: StoredFile, _ contents: NewFile.Contents, _ details: FileDetails?, to path: FilePath, _ owner: CopyOwner,
        _ condition: FileCondition, _ depth: Int
    ) async throws -> StoredFile? {
        try await change(source.app, bytes: Int(UploadState.inlineBytes)) { context in
            guard let current = try context.file.file(source.path, app: source.app), current == source else { return nil }
            var contents = contents
            if case .row(let number) = current.place {
                guard let bytes = try context.file.contents(number) else { throw FileStoreError.damaged }
                contents = .bytes(bytes)
            }
            var new = NewFile(
                app: source.app, path: path, contents: contents, size: current.size, details: details ?? current.details,
                sums: current.sums, owner: owner.user(of: current))
            (new.isInUserQuota, new.isFromClient) = (owner != .same, owner != .same)
            (new.condition, new.depth, new.source) = (condition, depth, current)
            return try context.record(new)
        }
    }

    // MARK: Links

    /// Makes a link to a file, which need not exist yet.
    package func makeLink(
        to path: FilePath, app: AppID, expires: Timestamp, generation: Int64? = nil, disposition: FileLink.Disposition? = nil,
        isRevocable: Bool = false
    ) async throws -> FileLink {
        let seconds = expires.milliseconds / 1_000
        var link = FileLink(app: app, path: path, generation: generation, expires: seconds, disposition: disposition)
        let now = clock.now()
        if isRevocable { link.revocable = try await change(app) { try $0.file.addLink(path, app: app, expires: expires, at: now) } }
        return link
    }

    /// Whether a signed link may still be used.
    package func isValid(_ link: FileLink) async throws -> Bool {
        if link.isOver(at: clock.now()) { return false }
        guard let id = link.revocable else { return true }
        return try await lookUp { try $0.hasLink(id, to: link.path, app: link.app) }
    }

    /// Revokes a link. Returns whether there was one.
    package func revokeLink(_ id: Int64, to path: FilePath, app: AppID) async throws -> Bool {
        try await change(app) { try $0.file.removeLink(id, to: path, app: app) }
    }
}
