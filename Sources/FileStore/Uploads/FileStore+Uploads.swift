// SPDX-License-Identifier: Apache-2.0

import Files
package import Platform

extension FileStore {
    /// Begins an upload of one request. Its declared length is reserved until it ends. Throws `FileFault`.
    package func begin(_ request: UploadRequest) async throws -> UploadTurn {
        try checkSize(request)
        let declared = request.length ?? 0
        let (left, readsMD5) = try await lookUp { [bounds, ruleCache] file in
            (try file.space(for: request, bounds), try ruleCache.rules(of: request.app, in: file)?.readsMD5 ?? false)
        }
        let reservation = try reservations.take(declared, left)
        return UploadTurn(upload: FileUpload(request, nil, reservation, withMD5: request.needsMD5 || readsMD5, in: self), number: 0)
    }

    /// Begins an upload of several requests, with its declared length reserved; durable on return.
    ///
    /// - Parameters:
    ///   - claims: The claims of the caller, for the requests that follow.
    ///   - way: The protocol, for the same.
    ///   - address: The address of the client, for its limit; nil for a server.
    package func create(
        _ request: UploadRequest, claims: [UInt8] = [], way: UploadWay, address: String? = nil
    ) async throws -> StoredUpload {
        try checkSize(request)
        let now = clock.now()
        let upload = StoredUpload(
            id: UploadID(), request: request, claims: claims, way: way, created: now, expires: now + bounds.uploadsKept, committed: 0, blob: .random()
        )
        if let address {
            let client = UploadClient(address: address, user: request.owner.map { .init(app: request.app, uid: $0) })
            let counted = CountedUpload(client: client, app: request.app, length: request.length ?? 0)
            if !openUploads.enter(upload.id, counted, bounds) { throw FileFault.tooManyUploads }
        }
        do {
            try await change(request.app, bytes: claims.count) { try $0.create(upload) }
            return upload
        } catch {
            openUploads.remove(upload.id)
            throw error
        }
    }

    func checkSize(_ request: UploadRequest) throws(FileFault) {
        let declared = request.length ?? 0
        if declared < 0 || declared > min(Int64(bounds.fileBytes), request.limit ?? .max) { throw .tooLarge }
        try reserve.check(adding: declared)
    }

    /// Returns an upload of several requests; nil if it ended or expired.
    package func upload(_ id: UploadID, app: AppID) async throws -> StoredUpload? {
        try await lookUp { try $0.upload(id) }.flatMap { $0.request.app == app ? $0 : nil }
    }

    /// Lets this request go on with an upload at its durable offset, in place of an earlier one; nil if it expired or was ended.
    ///
    /// An upload that became a file a moment ago is returned, too: `isOver`, and `finish` returns the file.
    package func take(_ id: UploadID, app: AppID) async throws -> UploadTurn? {
        guard let upload = try await known(id, app) else { return nil }
        do {
            return UploadTurn(upload: upload, number: try await upload.take())
        } catch FileFault.uploadGone {
            openUploads.remove(id)
            return nil
        }
    }

    private func known(_ id: UploadID, _ app: AppID) async throws -> FileUpload? {
        if let known = openUploads.known(id) { return known.request.app == app ? known : nil }
        // The row is read on the writer's thread, so that the offset is the last one.
        let (row, readsMD5) = try await change(app) { [ruleCache] context in
            (try context.file.upload(id), try ruleCache.rules(of: app, in: context.file)?.readsMD5 ?? false)
        }
        guard let stored = row, stored.request.app == app else { return nil }
        let withMD5 = stored.request.needsMD5 || stored.way.needsMD5 || readsMD5
        return openUploads.add(id, FileUpload(stored.request, stored, nil, withMD5: withMD5, in: self))
    }
}

/// The bytes that an account has left, and the fault if they are too few.
typealias FileSpace = (account: FileAccount, bytes: Int64, fault: FileFault)

extension FileDB {
    /// Returns the accounts whose quota an upload counts in, with the bytes left there. The file that it replaces is given back.
    func space(for request: UploadRequest, _ bounds: FileBounds) throws -> [FileSpace] {
        let old = try request.path.flatMap { try file($0, app: request.app) }
        var out = [
            try space(of: FileAccount(app: request.app, owner: ""), Int64(bounds.appBytes) + (old?.size ?? 0), .appQuotaExceeded)
        ]
        guard let owner = request.owner, bounds.userBytes > 0 else { return out }
        let isOwn = old?.owner.map { $0.hasSameBytes(as: owner) } ?? false
        let limit = Int64(bounds.userBytes) + (isOwn ? old?.size ?? 0 : 0)
        out.append(try space(of: FileAccount(app: request.app, owner: owner), limit, .userQuotaExceeded))
        return out
    }

    private func space(of account: FileAccount, _ limit: Int64, _ fault: FileFault) throws -> FileSpace {
        let usage = try usage(account)
        return (account, limit - usage.bytes - usage.reserved, fault)
    }
}
