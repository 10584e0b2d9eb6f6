// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One download in pieces of a version of a file, with the checksum of the whole.
struct FileDownload {
    static let pieceBytes: Int64 = 8 << 20
    /// The failures in a row after which an attempt is given up.
    var maxFailures = 5

    let requests: FileRequests
    let file: FileMetadata
    let backoff: Backoff
    let onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Of the host that serves bytes, if it is another one than the API's.
    private var link: URL?

    init(_ requests: FileRequests, _ file: FileMetadata, backoff: Backoff, onProgress: (@Sendable (TransferProgress) -> Void)?) throws(FilesError) {
        // The encoding of each piece would be undone.
        guard file.contentEncoding == nil else {
            throw .signalbox(.rejected(code: "content_encoding", detail: "Files with a content encoding are read by their download URL."))
        }
        (self.requests, self.file, self.backoff, self.onProgress) = (requests, file, backoff, onProgress)
    }

    /// Passes the bytes from an offset on to a sink, piece by piece.
    mutating func run(from start: Int64, _ sink: (Data) throws(FilesError) -> Void) async throws(FilesError) {
        var (offset, failures, backoff) = (start, 0, backoff)
        onProgress?(TransferProgress(completedBytes: offset, totalBytes: file.size))
        while offset < file.size {
            let piece: Data
            do throws(FilesError) {
                piece = try await self.piece(at: offset)
            } catch {
                failures += 1
                guard error.isTransient, failures < maxFailures else { throw error }
                try await backoff.pause(after: error)
                continue
            }
            failures = 0
            try sink(piece)
            offset += Int64(piece.count)
            onProgress?(TransferProgress(completedBytes: offset, totalBytes: file.size))
        }
    }

    private mutating func piece(at offset: Int64) async throws(FilesError) -> Data {
        let end = min(offset + FileDownload.pieceBytes, file.size) - 1
        var response = try await request("bytes=\(offset)-\(end)")
        if response.status == 421, link == nil {
            link = try await requests.link(file.path, expiresIn: 24 * 60 * 60)
            response = try await request("bytes=\(offset)-\(end)")
        }
        if response.status == 412 { throw .signalbox(.rejected(code: "changed", detail: "The file changed during the download.")) }
        let isWhole = response.status == 200 && offset == 0 && end == file.size - 1
        guard response.status == 206 || isWhole else { throw FilesError(response) }
        guard Int64(response.body.count) == end - offset + 1 else {
            throw .signalbox(.unexpectedResponse(status: response.status, detail: "The response has another length."))
        }
        return response.body
    }

    private func request(_ range: String) async throws(FilesError) -> APIClient.Response {
        try await requests.send { (target) throws(FilesError) in try rangeRequest(range, target) }
    }

    func rangeRequest(_ range: String, _ target: AppRequests.Target) throws(FilesError) -> URLRequest {
        var request = try requests.request("GET", file.path, target)
        if let link {
            request.url = link
            request.setValue(nil, forHTTPHeaderField: "Authorization")
        }
        request.setValue(range, forHTTPHeaderField: "Range")
        request.setValue(file.etag, forHTTPHeaderField: "If-Match")
        return request
    }
}
