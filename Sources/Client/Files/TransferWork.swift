// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One attempt of a transfer. It goes on where the record, the daemon and the disk say that earlier ones ended.
struct TransferWork: Sendable {
    let requests: FileRequests
    let records: TransferRecords
    let backoff: Backoff

    /// Returns the state in which the transfer has ended.
    func carryOut(_ record: TransferRecord) async throws(FilesError) -> FileTransfer.State {
        var requests = requests
        requests.owner = .one(record.user)
        removeRest(of: record)
        switch record.transfer.direction {
        case .upload: return try await upload(record, requests)
        case .download:
            try await download(record, requests)
            return .finished
        }
    }

    func removeRest(of record: TransferRecord) {
        try? FileManager.default.removeItem(at: restFile(of: record))
    }

    // MARK: Uploads

    private func upload(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) -> FileTransfer.State {
        // The app may have ended, or a response may have been lost, after the daemon had stored the file.
        if record.isBegun, try await isStored(record, requests) { return .finished }
        try records.change(record.transfer.id) { $0.isBegun = true }
        var upload = try FileUpload(of: record, requests, backoff, onProgress: noteProgress(of: record)) { url, _ in
            // Without the URL the upload begins again after the end of the app, which is slower and not wrong.
            try? records.change(record.transfer.id) { $0.location = url }
        }
        upload.maxFailures = 1
        let file = try await upload.run(from: record.location)
        guard let function = file.pendingUntil else { return .finished }
        return .pending(until: function)
    }

    /// Whether the daemon has the file with the details of this upload.
    func isStored(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) -> Bool {
        let details: FileMetadata
        do throws(FilesError) {
            details = try await requests.metadata(record.transfer.path)
        } catch .notFound, .permissionDenied {
            return false
        }
        let options = record.transfer.options
        return details.crc32c == record.crc32c && details.size == record.source?.size && details.contentType == options.contentType
            && details.metadata == options.metadata
    }

    // MARK: Downloads

    private func download(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) {
        guard let details = try await begin(record, requests) else { return }
        let file = record.transfer.file
        let part = try PartialFile(for: file, details)
        var download = try FileDownload(requests, details, backoff: backoff, onProgress: noteProgress(of: record))
        download.maxFailures = 1
        try await download.run(from: part.size) { (piece) throws(FilesError) in try part.append(piece) }
        try part.finish(as: file, sum: details.crc32c)
    }

    /// Notes the version that is downloaded, and removes the bytes of an earlier one. Returns `nil` if the file is in its place already.
    func begin(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) -> FileMetadata? {
        let (file, details) = (record.transfer.file, try await requests.metadata(record.transfer.path))
        if record.generation == details.generation, PartialFile.isWhole(file, details) { return nil }
        if let earlier = record.generation, earlier != details.generation { PartialFile.remove(for: file, generation: earlier) }
        try records.change(record.transfer.id) {
            ($0.generation, $0.crc32c) = (details.generation, details.crc32c)
            $0.transfer.progress.totalBytes = details.size
        }
        return details
    }

    private func noteProgress(of record: TransferRecord) -> @Sendable (TransferProgress) -> Void {
        { [records] progress in
            // The daemon and the partial file know the offset, too.
            try? records.change(record.transfer.id) { $0.transfer.progress = progress }
        }
    }
}

extension FileUpload {
    /// Creates the upload of a record.
    init(
        of record: TransferRecord, _ requests: FileRequests, _ backoff: Backoff, onProgress: (@Sendable (TransferProgress) -> Void)?,
        onLocation: @escaping @Sendable (URL, _ user: String?) -> Void
    ) throws(FilesError) {
        let (file, state) = (record.transfer.file, try UploadSource.FileState(of: record.transfer.file))
        guard state == record.source else { throw .fileUnusable(path: file.path, reason: "The file changed during the upload.") }
        self.init(
            requests, .file(file, state), to: record.transfer.path, options: record.transfer.options, backoff: backoff, onProgress: onProgress,
            onLocation: onLocation)
    }
}
