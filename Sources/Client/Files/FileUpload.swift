// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One upload by tus 1.0: pieces with checksums, and after a failure on from the byte that the daemon has.
struct FileUpload {
    /// A piece that breaks off is sent again as a whole, because it has a checksum.
    static let pieceBytes: Int64 = 4 << 20
    /// The failures in a row after which an attempt is given up.
    var maxFailures = 5

    let requests: FileRequests
    let source: UploadSource
    let path: String
    let options: UploadOptions
    let backoff: Backoff
    let onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Called with the upload's location once it is known.
    let onLocation: @Sendable (URL, _ user: String?) -> Void

    private var sum = CRC32C()
    private var offset: Int64 = 0
    /// The function that must allow the file, once the daemon has all bytes.
    private var pendingUntil: String?

    init(
        _ requests: FileRequests, _ source: UploadSource, to path: String, options: UploadOptions, backoff: Backoff,
        onProgress: (@Sendable (TransferProgress) -> Void)?, onLocation: @escaping @Sendable (URL, _ user: String?) -> Void
    ) {
        (self.requests, self.source, self.path, self.options, self.backoff) = (requests, source, path, options, backoff)
        (self.onProgress, self.onLocation) = (onProgress, onLocation)
    }

    /// Sends all bytes and returns the file's details.
    ///
    /// - Parameter known: The upload to go on with.
    mutating func run(from known: URL?) async throws(FilesError) -> FileMetadata {
        guard FileRequests.isValid(path) else { throw .badPath }
        let known = known.flatMap { requests.isOwn($0) ? $0 : nil }
        var (location, mustSeek, failures, backoff) = (known, known != nil, 0, backoff)
        while mustSeek || location == nil || offset < source.length {
            do throws(FilesError) {
                if let begun = location, mustSeek {
                    // An upload that the daemon does not know begins again, which counts as a failure.
                    if try await !seek(begun) { (location, failures) = (nil, failures + 1) }
                    mustSeek = false
                } else if let begun = location {
                    try await append(to: begun)
                    failures = 0
                } else {
                    location = try await create()
                }
                onProgress?(TransferProgress(completedBytes: offset, totalBytes: source.length))
            } catch {
                failures += 1
                guard error.isTransient || error == .checksum, failures < maxFailures else { throw error }
                try await backoff.pause(after: error)
                mustSeek = location != nil
            }
        }
        if let pendingUntil { return waiting(for: pendingUntil) }
        let file = try await stored()
        guard file.crc32c == sum.hexadecimal, file.size == source.length else { throw .checksum }
        return file
    }

    /// Returns the details of the file, which is there already.
    private func stored() async throws(FilesError) -> FileMetadata {
        var (failures, backoff) = (0, backoff)
        while true {
            do throws(FilesError) {
                return try await requests.metadata(path)
            } catch {
                failures += 1
                guard error.isTransient, failures < maxFailures else { throw error }
                try await backoff.pause(after: error)
            }
        }
    }

    /// Returns the details of a file that the daemon does not show to anybody yet.
    private func waiting(for function: String) -> FileMetadata {
        var file = FileMetadata(
            path: path, size: source.length, contentType: options.contentType, crc32c: sum.hexadecimal, generation: 0, metadata: options.metadata,
            pendingUntil: function)
        if case .one(let user) = requests.owner { file.owner = user }
        return file
    }

    // MARK: Requests

    /// Begins the upload. One that fits in a piece is sent with its beginning.
    private mutating func create() async throws(FilesError) -> URL {
        let first = source.length <= FileUpload.pieceBytes ? try source.piece(at: 0, count: source.length) : nil
        var user: String?
        let response = try await requests.send { (target) throws(FilesError) in
            user = target.user
            var request = creation(target)
            if let first { FileUpload.put(first, in: &request) }
            return request
        }
        guard response.status == 201, let location = response.fields["location"].flatMap(requests.ownURL) else { throw FilesError(response) }
        if let first { received(first) } else { onLocation(location, user) }
        notePending(response)
        return location
    }

    private func creation(_ target: AppRequests.Target) -> URLRequest {
        var request = tus("POST", requests.client.request("POST", "v1/uploads/\(target.app)", token: target.token).url, target.token)
        request.setValue(String(source.length), forHTTPHeaderField: "Upload-Length")
        request.setValue(metadata, forHTTPHeaderField: "Upload-Metadata")
        return request
    }

    /// Returns a request for all bytes that the daemon does not have, without a body, and the offset of the first of them. It has no checksum
    /// of its bytes, so that those that arrive before a break stay. Returns `nil` if the daemon has all bytes.
    mutating func restRequest(from known: URL?) async throws(FilesError) -> (request: URLRequest, offset: Int64)? {
        let known = known.flatMap { requests.isOwn($0) ? $0 : nil }
        var request: URLRequest
        if let known, try await seek(known) {
            if offset == source.length { return nil }
            request = tus("PATCH", known, try await requests.target().token)
            request.setValue(String(offset), forHTTPHeaderField: "Upload-Offset")
        } else {
            request = creation(try await requests.target())
        }
        request.setValue("application/offset+octet-stream", forHTTPHeaderField: "Content-Type")
        return (request, offset)
    }

    private mutating func append(to location: URL) async throws(FilesError) {
        let piece = try source.piece(at: offset, count: FileUpload.pieceBytes)
        let response = try await requests.send { (target) throws(FilesError) in
            var request = tus("PATCH", location, target.token)
            request.setValue(String(offset), forHTTPHeaderField: "Upload-Offset")
            FileUpload.put(piece, in: &request)
            return request
        }
        switch response.status {
        case 204:
            received(piece)
            notePending(response)
        // The daemon has more or less than we know of: ask it.
        case 409: throw .signalbox(.unexpectedResponse(status: 409, detail: "The upload is at another byte."))
        default: throw FilesError(response)
        }
    }

    /// Goes to the byte that the daemon has. Returns `false` if the daemon does not know the upload.
    private mutating func seek(_ location: URL) async throws(FilesError) -> Bool {
        let response = try await requests.send { (target) throws(FilesError) in tus("HEAD", location, target.token) }
        if response.status == 404 {
            (sum, offset) = (CRC32C(), 0)
            return false
        }
        guard response.status == 200, let has = response.fields["upload-offset"].flatMap({ Int64($0) }), has <= source.length else {
            throw FilesError(response)
        }
        if has < offset { (sum, offset) = (CRC32C(), 0) }
        notePending(response)
        while offset < has { received(try source.piece(at: offset, count: min(FileUpload.pieceBytes, has - offset))) }
        return true
    }

    private mutating func notePending(_ response: APIClient.Response) {
        pendingUntil = response.fields["upload-pending-until"]
    }

    private mutating func received(_ piece: Data) {
        sum.add(piece)
        offset += Int64(piece.count)
    }

    private func tus(_ method: String, _ url: URL?, _ token: String?) -> URLRequest {
        var request = requests.client.request(method, "", token: token)
        request.url = url
        request.setValue("1.0.0", forHTTPHeaderField: "Tus-Resumable")
        return request
    }

    private static func put(_ piece: Data, in request: inout URLRequest) {
        request.setValue("application/offset+octet-stream", forHTTPHeaderField: "Content-Type")
        request.setValue("crc32c \(CRC32C.of(piece).base64)", forHTTPHeaderField: "Upload-Checksum")
        request.httpBody = piece
    }

    private var metadata: String {
        let entries = [("path", path), ("type", options.contentType)] + options.metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return entries.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }.joined(separator: ",")
    }
}
