// SPDX-License-Identifier: Apache-2.0

package import Files
package import Platform

/// A file as an export describes it. Only its generation is new where it is imported.
package struct ImportedFile: Sendable, Hashable {
    package var path: FilePath
    package var size: Int64
    package var sha256: [UInt8]
    package var details: FileDetails
    /// Download tokens of Firebase, separated by commas.
    package var tokens: String?
    package var owner: String?
    package var times: FileTimes?
    /// The function that the file waits for.
    package var pendingUntil: String?

    package init(_ path: FilePath, size: Int64, sha256: [UInt8], details: FileDetails) {
        (self.path, self.size, self.sha256, self.details) = (path, size, sha256, details)
    }
}

/// The times of a file that was not uploaded now.
package struct FileTimes: Sendable, Hashable {
    package var created: Timestamp
    package var updated: Timestamp

    package init(created: Timestamp, updated: Timestamp) { (self.created, self.updated) = (created, updated) }
}

extension UploadEnd {
    /// The end of an upload whose body named the file.
    package init(_ file: ImportedFile, app: AppID, md5: [UInt8]? = nil) {
        var request = UploadRequest(file.path, app: app)
        (request.details, request.owner) = (file.details, file.owner)
        self.init(ExpectedSums(sha256: file.sha256, md5: md5), of: request, tokens: file.tokens)
        (times, pendingUntil) = (file.times, file.pendingUntil)
    }
}

extension FileStore {
    /// Gives files that are here with their bytes the entries of an export; durable on return. Returns which of them are here.
    package func restore(_ files: [ImportedFile], app: AppID) async throws -> [Bool] {
        try await change(app, bytes: files.reduce(0) { $0 + $1.details.bytes }) { context in
            try files.map { try context.restore($0, app: app) }
        }
    }
}

extension FileContext {
    /// Returns whether the file is here with its bytes.
    fileprivate func restore(_ imported: ImportedFile, app: AppID) throws -> Bool {
        if let function = imported.pendingUntil { return try restorePending(imported, until: function, app: app) }
        guard let old = try file.file(imported.path, app: app), let new = imported.updated(old) else { return false }
        if new == old { return true }
        try file.put(new)
        try moveUsage(of: old, to: new)
        try file.log(.updated, new, at: nextStamp())
        return true
    }

    private func restorePending(_ imported: ImportedFile, until function: String, app: AppID) throws -> Bool {
        guard var pending = try file.pending(imported.path, app: app) else {
            // Its function has allowed it here.
            return try file.file(imported.path, app: app).flatMap(imported.updated) != nil
        }
        guard pending.function.hasSameBytes(as: function), let new = imported.updated(pending.file) else { return false }
        let old = pending.file
        if new == old { return true }
        pending.file = new
        try file.put(pending)
        try moveUsage(of: old, to: new)
        return true
    }

    private func moveUsage(of old: StoredFile, to new: StoredFile) throws {
        let usage = FileUsage(bytes: old.size, files: 1)
        try file.add(usage, of: new.owner, app: new.app)
        try file.add(-usage, of: old.owner, app: old.app)
    }
}

extension ImportedFile {
    /// Returns a stored file with this entry, and the same if it has that already; nil if its bytes are others.
    fileprivate func updated(_ old: StoredFile) -> StoredFile? {
        guard old.size == size, old.sums.sha256 == sha256 else { return nil }
        var new = old
        (new.details, new.tokens, new.owner) = (details, tokens, owner)
        if let times { (new.created, new.updated) = (times.created, times.updated) }
        if new != old { new.metageneration += 1 }
        return new
    }
}
