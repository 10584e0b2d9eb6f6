// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request for the rest of a transfer, which a system service can send while the app does not run.
struct BackgroundRequest: Sendable {
    let id: FileTransfer.ID
    let request: URLRequest
    /// The file with the bytes of an upload; `nil` for a download.
    let body: URL?
    /// The offset of the first byte.
    let offset: Int64
}

extension TransferRunner {
    /// Stops the attempts of this process and returns a request for the rest of each transfer. A later `resume()` asks the daemon and the disk
    /// how far the requests have got. The requests have ID tokens, which end after an hour.
    func handOver() async -> [BackgroundRequest] {
        await pause()
        var rest: [BackgroundRequest] = []
        for record in records.all where record.transfer.state == .running {
            // Without a network now, the transfer goes on when the app is active again.
            if let request = try? await work.rest(of: record) { rest.append(request) }
        }
        return rest
    }

    /// Adds the downloaded bytes of a handed-over request to the partial file, unless they are not those that were requested.
    func take(_ file: URL, of id: FileTransfer.ID, from offset: Int64, status: Int) {
        guard status == 206 || status == 200 && offset == 0, let record = records[id], let generation = record.generation else { return }
        let total = record.transfer.progress.totalBytes
        let details = FileMetadata(path: record.transfer.path, size: total, generation: generation)
        guard let part = try? PartialFile(for: record.transfer.file, details), part.size == offset,
            let source = try? UploadSource.file(file, UploadSource.FileState(of: file)), source.length <= total - offset
        else { return }
        for start in stride(from: 0, to: source.length, by: Int(FileUpload.pieceBytes)) {
            guard let piece = try? source.piece(at: start, count: FileUpload.pieceBytes), (try? part.append(piece)) != nil else { return }
        }
    }
}

extension TransferWork {
    /// Returns a request for the rest of a transfer; `nil` if nothing is left to transfer.
    func rest(of record: TransferRecord) async throws(FilesError) -> BackgroundRequest? {
        var requests = requests
        requests.owner = .one(record.user)
        switch record.transfer.direction {
        case .upload: return try await restOfUpload(record, requests)
        case .download: return try await restOfDownload(record, requests)
        }
    }

    private func restOfUpload(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) -> BackgroundRequest? {
        if record.isBegun, try await isStored(record, requests) { return nil }
        try records.change(record.transfer.id) { $0.isBegun = true }
        var upload = try FileUpload(of: record, requests, backoff, onProgress: nil) { _, _ in }
        guard let (request, offset) = try await upload.restRequest(from: record.location) else { return nil }
        let body = offset == 0 ? record.transfer.file : restFile(of: record)
        if offset > 0 { try upload.source.copy(from: offset, to: body) }
        return BackgroundRequest(id: record.transfer.id, request: request, body: body, offset: offset)
    }

    private func restOfDownload(_ record: TransferRecord, _ requests: FileRequests) async throws(FilesError) -> BackgroundRequest? {
        guard let details = try await begin(record, requests) else { return nil }
        let offset = try PartialFile(for: record.transfer.file, details).size
        if offset == details.size { return nil }
        let download = try FileDownload(requests, details, backoff: backoff, onProgress: nil)
        let request = try download.rangeRequest("bytes=\(offset)-", try await requests.target())
        return BackgroundRequest(id: record.transfer.id, request: request, body: nil, offset: offset)
    }

    /// The copy of the rest of a file, of which the system sends whole files only.
    func restFile(of record: TransferRecord) -> URL {
        records.file.deletingLastPathComponent().appendingPathComponent("transfer-\(record.transfer.id).rest")
    }
}

extension UploadSource {
    /// Writes the bytes from an offset on to a file.
    func copy(from start: Int64, to file: URL) throws(FilesError) {
        do {
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            for offset in stride(from: start, to: length, by: Int(FileUpload.pieceBytes)) {
                try handle.write(contentsOf: piece(at: offset, count: FileUpload.pieceBytes))
            }
        } catch let error as FilesError {
            throw error
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
    }
}
