// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import Platform

/// Resumable uploads by tus 1.0.
///
///     POST  Upload-Length: 300000   →   201, Location: /v1/uploads/1/9f86…
///     PATCH Upload-Offset: 0        →   the connection breaks after 120,000 bytes
///     HEAD                          →   Upload-Offset: 120000
///     PATCH Upload-Offset: 120000   →   204, Upload-Offset: 300000: the file is there
struct TusUploads: Sendable {
    static let version = (name: "Tus-Resumable", value: "1.0.0")
    private static let (all, one) = ("/v1/uploads/{app}", "/v1/uploads/{app}/{id}")
    static let pieceType = "application/offset+octet-stream"
    private static let discovery: Route.Discovery = { daemon in
        [
            version, ("Tus-Version", version.value),
            ("Tus-Extension", "creation,creation-with-upload,creation-defer-length,expiration,termination,checksum"),
            ("Tus-Checksum-Algorithm", UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: ",")),
            ("Tus-Max-Size", "\(daemon.store.files.bounds.fileBytes)"),
        ]
    }

    let store: Stores

    static let routes = [
        Route(.post, all, AppFiles.access, .receive(\.tusUploads, TusUploads.create), refusal: refusal, discovery: discovery),
        Route(.head, one, AppFiles.access, .task(\.tusUploads, TusUploads.offset), refusal: refusal, discovery: discovery),
        Route(.patch, one, AppFiles.access, .receive(\.tusUploads, TusUploads.append), refusal: refusal, discovery: discovery),
        Route(.delete, one, AppFiles.access, .task(\.tusUploads, TusUploads.end), refusal: refusal, discovery: discovery),
    ]

    /// The header field that tells of a file which waits for a function. Its details cannot be read.
    static func waiting(_ file: StoredFile) -> [(name: String, value: String)] {
        guard let function = file.pendingUntil else { return [] }
        return [("Upload-Pending-Until", function)]
    }

    /// The protocol has a status of its own for a wrong checksum, and a header field in each response.
    private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        var response = refusal.code == .checksumMismatch ? HTTPResponse(status: 460, headers: []) : HTTPResponse(refusal)
        response.headers.append((version.name, version.value))
        if refusal.code == .preconditionFailed { response.headers.append(("Tus-Version", version.value)) }
        return response
    }

    // MARK: Requests

    /// Begins an upload, with its first bytes in the body if there are any.
    func create(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        try check(call)
        // Parts that a client means to concatenate would replace each other.
        if call.head.header("Upload-Concat") != nil { throw Refusal.field("Upload-Concat", "not_supported", "is not supported") }
        let access = try call.fileAccess(in: store)
        let request = try request(try length(call), access, call)
        if call.head.header("Content-Type") != nil { try checkType(call) }
        let checksum = try TusChecksum(call.head)
        return try await Refusal.ofFiles {
            let stored = try await access.create(request, way: .tus, from: call.head.client)
            guard let turn = try await store.files.take(stored.id, app: access.app.id) else { throw FileFault.uploadGone }
            let location = "/v1/uploads/\(access.app.id.rawValue)/\(stored.id.text)"
            return (TusReception(turn, checksum, access.end, store.files, createdAt: location), access.bytesLeft(of: turn, from: 0))
        }
    }

    /// The length of a new upload; nil if the client will say it later.
    private func length(_ call: Call) throws(Refusal) -> Int64? {
        let length = try call.wholeNumber("Upload-Length")
        guard let later = call.head.header("Upload-Defer-Length") else {
            guard let length else { throw .field("Upload-Length", "missing", "is required, or Upload-Defer-Length: 1") }
            return length
        }
        guard length == nil, later.hasSameBytes(as: "1") else { throw .field("Upload-Defer-Length", "invalid", "must be 1, without Upload-Length") }
        return nil
    }

    private func request(_ length: Int64?, _ access: FileAccess, _ call: Call) throws(Refusal) -> UploadRequest {
        guard var metadata = TusMetadata(call.head.header("Upload-Metadata") ?? "") else {
            throw .field("Upload-Metadata", "invalid", "must be names, each once, with texts in Base64, \(TusMetadata.maximumBytes) bytes at most")
        }
        guard let path = metadata.take("path", "filename").flatMap({ FilePath($0) }) else {
            throw .field("Upload-Metadata", "bad_path", "must have the path of the file as path")
        }
        var request = UploadRequest(path, app: access.app.id, length: length)
        request.details = FileDetails(type: metadata.take("type", "filetype") ?? FileDetails.unknownType)
        request.details.metadata = metadata.entries
        try request.details.requireValid()
        request.owner = access.owner
        return request
    }

    /// Returns how far an upload is.
    func offset(_ call: Call) async throws -> HandlerResponse {
        try check(call)
        let turn = try await turn(call)
        var file: StoredFile?
        // A client takes an upload whose bytes are all there for a file. Its end may have failed.
        if turn.isComplete {
            let end = try call.fileAccess(in: store).end
            file = try await Refusal.ofFiles { try await turn.finish(end) }
        }
        var headers = [TusUploads.version, ("Cache-Control", "no-store"), ("Upload-Offset", "\(turn.received)")]
        headers.append(turn.request.length.map { ("Upload-Length", "\($0)") } ?? ("Upload-Defer-Length", "1"))
        headers.append(("Upload-Metadata", TusMetadata.text(of: turn.request.tusEntries)))
        if let file { headers += TusUploads.waiting(file) }
        return .response(HTTPResponse(status: 200, headers: headers))
    }

    /// Receives the bytes from an offset on.
    func append(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        try check(call)
        try checkType(call)
        guard let offset = try call.wholeNumber("Upload-Offset") else { throw Refusal.field("Upload-Offset", "missing", "is required") }
        let checksum = try TusChecksum(call.head)
        let access = try call.fileAccess(in: store)
        let turn = try await turn(call)
        guard offset == turn.received else { throw Refusal(FileFault.upload(.wrongOffset(received: turn.received))) }
        if let length = try call.wholeNumber("Upload-Length") { try await Refusal.ofFiles { try await access.declare(length, of: turn) } }
        return (TusReception(turn, checksum, access.end, store.files), access.bytesLeft(of: turn, from: offset))
    }

    /// Ends an upload without a file.
    func end(_ call: Call) async throws -> HandlerResponse {
        try check(call)
        let turn = try await turn(call)
        try await Refusal.ofFiles { try await turn.cancel() }
        return .response(HTTPResponse(status: 204, headers: [TusUploads.version]))
    }

    // MARK: Checks

    private func check(_ call: Call) throws(Refusal) {
        try call.query().allow()
        guard call.head.header(TusUploads.version.name)?.hasSameBytes(as: TusUploads.version.value) == true else {
            throw Refusal(.preconditionFailed, "The version of the protocol is unknown.", hint: "Send Tus-Resumable: 1.0.0.")
        }
    }

    private func checkType(_ call: Call) throws(Refusal) {
        guard call.head.header("Content-Type")?.lowercased().hasSameBytes(as: TusUploads.pieceType) == true else {
            throw Refusal(.unsupportedMediaType, "The body is not a part of an upload.", hint: "Send Content-Type: \(TusUploads.pieceType).")
        }
    }

    /// Lets the request go on with the upload of its path.
    private func turn(_ call: Call) async throws -> UploadTurn {
        let access = try call.fileAccess(in: store)
        return try await Refusal.ofFiles { try await access.take(call.parameter("id")) }
    }
}

extension Call {
    /// Reads a header field with a whole number; nil without the field.
    func wholeNumber(_ name: String) throws(Refusal) -> Int64? {
        guard let text = head.header(name) else { return nil }
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw .field(name, "wrong_type", "must be a whole number")
        }
        return number
    }
}

extension UploadRequest {
    /// The details that the client sent at the start, as entries of the header field.
    fileprivate var tusEntries: [FileDetails.Entry] {
        let path = path.map { [FileDetails.Entry("path", $0.text)] } ?? []
        return path + [FileDetails.Entry("type", details.type)] + details.metadata
    }
}
