// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

/// A file whose bytes are on the disk or in memory, and that has no row yet.
struct NewFile: Sendable {
    enum Contents: Sendable {
        case blob(BlobName)
        case bytes([UInt8])
    }

    var app: AppID
    var path: FilePath
    var contents: Contents
    var size: Int64
    var details: FileDetails
    var sums: FileSums
    var owner: String?
    /// Whether the owner's quota holds. A server may exceed it.
    var isInUserQuota = true
    var tokens: String?
    var condition = FileCondition.any
    /// The number of runs of functions that led to it.
    var depth = 0
    /// Whether a client uploaded or copied it, so that rules may let it wait for a function.
    var isFromClient = false
    /// The function that it waits for, as an import says; nil leaves it to the rules.
    var pendingUntil: String?
    /// Its times; nil for now.
    var times: FileTimes?
    /// The file that it is a copy of.
    var source: StoredFile?
}

extension FileContext {
    /// Gives a file its row: precondition and quota, the old file leaves, usage and the log follow, all in the caller's savepoint.
    func record(_ new: NewFile) throws -> StoredFile {
        let old = try file.file(new.path, app: new.app)
        guard new.condition.holds(for: old) else { throw FileFault.conditionFailed }
        let rule = try new.isFromClient ? file.functionToWaitFor(new.path, app: new.app) : nil
        if let function = new.pendingUntil ?? rule { return try hold(new, until: function) }
        // A version that waits is older.
        try dropPending(new.path, app: new.app)
        try requireFinalQuota(new.size, of: new.isInUserQuota ? new.owner : nil, app: new.app, instead: old)
        if let old { try leave(old) }
        let stored = try stored(new)
        try file.put(stored)
        try file.add(FileUsage(bytes: new.size, files: 1), of: new.owner, app: new.app)
        try file.log(.finalized, stored, at: stored.generation, depth: new.depth)
        if new.source == nil { self.stored.append((new.app, new.size)) }
        return stored
    }

    /// Returns a new file as its row will describe it.
    func stored(_ new: NewFile) throws -> StoredFile {
        let time = now
        let times = new.times ?? FileTimes(created: time, updated: time)
        return StoredFile(
            app: new.app, path: new.path, place: try place(of: new.contents), size: new.size, details: new.details, sums: new.sums,
            generation: nextStamp(), metageneration: 1, tokens: new.tokens, owner: new.owner, created: times.created, updated: times.updated)
    }

    private func place(of contents: NewFile.Contents) throws -> StoredFile.Place {
        switch contents {
        case .blob(let name): .blob(name)
        case .bytes(let bytes): .row(try file.addContents(bytes))
        }
    }

    /// Removes a file with its links.
    func delete(_ path: FilePath, app: AppID, if condition: FileCondition = .any, depth: Int = 0) throws {
        // A caller who was judged without a file has the condition that there is none.
        guard let old = try file.file(path, app: app) else { throw [.any, .absent].contains(condition) ? FileFault.notFound : .conditionFailed }
        guard condition.holds(for: old) else { throw FileFault.conditionFailed }
        try remove(old)
        try file.log(.deleted, old, at: nextStamp(), depth: depth)
    }

    /// Removes a file without a trace in the log.
    func remove(_ old: StoredFile) throws {
        try dropPending(old.path, app: old.app)
        try leave(old)
        try file.removeFile(old.path, app: old.app)
        try file.removeLinks(of: old.path, app: old.app)
    }

    /// Replaces the details of a file.
    func change(_ path: FilePath, app: AppID, if condition: FileCondition, _ edit: (inout StoredFile) -> Void) throws -> StoredFile {
        guard var stored = try file.file(path, app: app) else { throw FileFault.notFound }
        guard condition.holds(for: stored) else { throw FileFault.conditionFailed }
        edit(&stored)
        stored.metageneration += 1
        stored.updated = now
        try file.put(stored)
        try file.log(.updated, stored, at: nextStamp())
        return stored
    }

    /// Takes a file out of the usage, and its bytes out of the database or towards their removal from the disk.
    func leave(_ old: StoredFile) throws {
        switch old.place {
        case .blob(let name):
            try file.leave(name, app: old.app)
            leaves = true
        case .row(let number): try file.removeContents(number)
        }
        try file.add(-FileUsage(bytes: old.size, files: 1), of: old.owner, app: old.app)
    }
}
