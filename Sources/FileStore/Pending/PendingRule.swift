// SPDX-License-Identifier: Apache-2.0

import Database
package import Files
package import Platform

/// A folder in which new files of clients stay unreadable until a function allows them.
///
///     uploads/ until scan       uploads/a.png waits for scan
///     "" until scan             every file does
///
/// Of several rules the one with the longest prefix applies.
package struct PendingRule: Sendable, Hashable {
    package static let most = 50

    /// The beginning of the paths: a folder with its slash, or empty.
    package let prefix: String
    /// The name of the function. There need not be one.
    package let function: String

    /// Returns nil for a prefix that is no folder.
    package init?(prefix: String, function: String) {
        guard prefix.isEmpty || prefix.utf8.last == UInt8(ascii: "/") && FilePath(prefix + "x") != nil, !function.isEmpty else { return nil }
        (self.prefix, self.function) = (prefix, function)
    }

    /// Reads a line of the setting. A path has no control characters, and neither has a name.
    init?(line: Substring.UTF8View) {
        guard let tab = line.firstIndex(of: 0x09) else { return nil }
        self.init(prefix: String(Substring(line[line.index(after: tab)...])), function: String(Substring(line[..<tab])))
    }

    var line: String { "\(function)\t\(prefix)" }
}

/// A file that waits for a function. A file under the same path stays readable meanwhile.
package struct PendingFile: Sendable, Hashable {
    package var file: StoredFile
    /// The name of the function.
    package var function: String
    /// The number of runs of functions that led to it.
    package var depth: Int
}

extension FileStore {
    package func pendingRules(of app: AppID) async throws -> [PendingRule] { try await lookUp { try $0.pendingRules(of: app) } }

    /// Replaces the rules. Files that wait already go on to wait for their function.
    package func setPendingRules(_ rules: [PendingRule], app: AppID) async throws { try await change(app) { try $0.file.set(rules, app: app) } }

    /// Returns files of an app that wait, in the order of their paths, after a path.
    package func pendingFiles(of app: AppID, after path: String = "", limit: Int) async throws -> [PendingFile] {
        try await read { try $0.pendingFiles(of: app, after: path, limit: limit) }
    }

    /// Returns files of all apps that wait, after one of them.
    package func pendingFiles(after last: StoredFile?, limit: Int) async throws -> [PendingFile] {
        try await read { try $0.pendingFiles(afterApp: last?.app, path: last?.path.text ?? "", limit: limit) }
    }

    /// Whether a version still waits.
    package func isPending(_ file: StoredFile) async throws -> Bool {
        try await lookUp { try $0.pending(file.path, app: file.app)?.file.generation == file.generation }
    }

    /// Opens a version that waits; nil if there is none.
    package func openPending(_ path: FilePath, generation: Int64, app: AppID) async throws -> OpenedFile? {
        try await onceMoreIfMissing { [blobs] in
            try await lookUp { file in
                guard let pending = try file.pending(path, app: app), pending.file.generation == generation else { return nil }
                return try file.open(pending.file, in: blobs)
            }
        }
    }

    /// Publishes a version that waits, or deletes it. Returns the published file; nil without one. Throws `FileFault.notFound` if it does not wait.
    package func decide(_ path: FilePath, generation: Int64, allow: Bool, app: AppID) async throws -> StoredFile? {
        if allow { return try await change(app) { try $0.publish(path, generation: generation, app: app) } }
        try await SpareSpace.forRemoval { try await change(app) { try $0.deny(path, generation: generation, app: app) } }
        return nil
    }
}

extension FileContext {
    /// Stores a new file as one that waits.
    func hold(_ new: NewFile, until function: String) throws -> StoredFile {
        let earlier = try file.pending(new.path, app: new.app)
        // Of clients, only its uploader replaces a version that nobody has seen.
        let isOther = earlier?.file.owner.map { owner in new.owner.map { $0.hasSameBytes(as: owner) } != true } ?? false
        if new.isFromClient, isOther { throw FileFault.conditionFailed }
        try requireFinalQuota(new.size, of: new.isInUserQuota ? new.owner : nil, app: new.app, instead: earlier?.file)
        if let earlier { try leave(earlier.file) }
        let stored = try stored(new)
        try file.put(PendingFile(file: stored, function: function, depth: new.depth))
        try file.add(FileUsage(bytes: new.size, files: 1), of: new.owner, app: new.app)
        if new.source == nil { self.stored.append((new.app, new.size)) }
        holds = true
        var answer = stored
        answer.pendingUntil = function
        return answer
    }

    /// Takes a version out of those that wait.
    private func takePending(_ path: FilePath, generation: Int64, app: AppID) throws -> PendingFile {
        guard let pending = try file.pending(path, app: app), pending.file.generation == generation else { throw FileFault.notFound }
        try file.removePending(path, app: app)
        return pending
    }

    fileprivate func deny(_ path: FilePath, generation: Int64, app: AppID) throws {
        try leave(takePending(path, generation: generation, app: app).file)
    }

    fileprivate func publish(_ path: FilePath, generation: Int64, app: AppID) throws -> StoredFile {
        let pending = try takePending(path, generation: generation, app: app)
        if let old = try file.file(path, app: app) { try leave(old) }
        var published = pending.file
        (published.generation, published.pendingUntil) = (nextStamp(), nil)
        try file.put(published)
        try file.log(.finalized, published, at: published.generation, depth: pending.depth)
        return published
    }

    /// Deletes the version of a path that waits.
    func dropPending(_ path: FilePath, app: AppID) throws {
        guard let pending = try file.pending(path, app: app) else { return }
        try leave(pending.file)
        try file.removePending(path, app: app)
    }
}
