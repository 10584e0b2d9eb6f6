// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

extension FileContext {
    /// Begins an upload of several requests: its declared length is reserved from now on.
    func create(_ upload: StoredUpload) throws {
        let request = upload.request
        if try file.usage(.all).uploads >= bounds.openUploads { throw FileFault.tooManyUploads }
        if try usageOfOwner(request)?.uploads ?? 0 >= bounds.openUploadsOfUser { throw FileFault.tooManyUploads }
        try requireReservation(of: request)
        try file.add(upload)
        try file.add(FileUsage(uploads: 1, reserved: request.length ?? 0), of: request.owner, app: request.app)
    }

    /// Reserves the length of an upload that began without one.
    func declare(_ request: UploadRequest, of id: UploadID) throws {
        guard let upload = try file.upload(id), let length = request.length else { throw FileFault.uploadGone }
        if upload.request.length != nil { return }
        try requireReservation(of: request)
        try file.setLength(length, of: id)
        try file.add(FileUsage(reserved: length), of: request.owner, app: request.app)
    }

    private func requireReservation(of request: UploadRequest) throws {
        let ofOwner = try usageOfOwner(request)?.reserved ?? 0
        if ofOwner + (request.length ?? 0) > bounds.reservedBytesOfUser, ofOwner > 0 { throw FileFault.tooManyUploads }
        try requireQuota(of: request)
    }

    private func usageOfOwner(_ request: UploadRequest) throws -> FileUsage? {
        try request.owner.map { try file.usage(FileAccount(app: request.app, owner: $0)) }
    }

    /// Commits the offset up to which the bytes of an upload are synced.
    func commit(_ offset: Int64, of id: UploadID) throws {
        guard try file.upload(id) != nil else { throw FileFault.uploadGone }
        try file.setOffset(offset, of: id, expires: now + bounds.uploadsKept)
    }

    /// Ends an upload in the transaction in which its file gets a row.
    ///
    /// - Parameter removesFile: Whether its file in `incoming` is no longer needed.
    func finish(_ id: UploadID, removesFile: Bool) throws {
        guard let upload = try file.upload(id) else { throw FileFault.uploadGone }
        try forget(upload)
        if removesFile { try leave(upload) }
    }

    /// Removes an upload and its file.
    func cancel(_ upload: StoredUpload) throws {
        try forget(upload)
        try leave(upload)
        endedUploads.append(upload.id)
    }

    private func forget(_ upload: StoredUpload) throws {
        try file.removeUpload(upload.id)
        let usage = FileUsage(uploads: 1, reserved: upload.request.length ?? 0)
        try file.add(-usage, of: upload.request.owner, app: upload.request.app)
    }

    private func leave(_ upload: StoredUpload) throws {
        try file.leave(upload.blob, app: LeavingBlob.incoming)
        leaves = true
    }
}
