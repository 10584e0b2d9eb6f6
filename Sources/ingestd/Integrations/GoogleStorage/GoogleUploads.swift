// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import FileStore
import Files
import HTTPServer
import Platform

/// Uploads of Google's JSON API: a whole file, with its metadata before it, or in several requests.
///
///     POST …/o?uploadType=resumable {"name": "a"}    →  200, Location: …&upload_id=9f86…
///     PUT  …&upload_id=9f86…  bytes 0-262143/*       →  308, Range: bytes=0-262143
///     PUT  …&upload_id=9f86…  bytes */*              →  308, Range: bytes=0-262143
///     PUT  …&upload_id=9f86…  bytes 262144-300000/300001, X-Goog-Hash: crc32c=…  →  200, the description
///     PUT  …&upload_id=9f86…  bytes 262144-*/*       →  200, the description
///
/// The preconditions are in the URL of an upload, so that its last request brings them again.
struct GoogleUploads: Sendable {
    private static let conditions = ["ifGenerationMatch", "ifGenerationNotMatch", "ifMetagenerationMatch", "ifMetagenerationNotMatch"]

    let store: Stores

    func post(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let (access, query) = (try call.bucketAccess(in: store), try call.query())
        // gcsfs sends pieces with POST.
        if try query.one("upload_id") != nil { return try await put(call) }
        let condition = try StorageConditions(query).ofChange
        switch try query.one("uploadType") {
        case "media": return try await whole(try query.one("name"), condition, access, call)
        case "multipart": return try await related(try query.one("name"), condition, access, call)
        case "resumable": return try start(query, condition, access, call)
        default: throw Refusal.field("uploadType", "unknown", "must be media, multipart or resumable")
        }
    }

    // MARK: One request

    private func whole(
        _ name: String?, _ condition: FileCondition, _ access: FileAccess, _ call: Call
    ) async throws -> (receiver: any PieceReceiver, limit: Int) {
        var request = UploadRequest(try StorageUpload.path(name), app: access.app.id)
        if case .length(let length) = call.head.body { request.length = Int64(length) }
        request.details.type = call.head.header("Content-Type") ?? FileDetails.unknownType
        request.condition = condition
        request.expected = try ExpectedSums(google: call.head)
        try request.details.requireValid()
        let bucket = call.parameter("bucket")
        return try await access.receive(request, access.end) { file, _ in .response(access.object(file, bucket).response()) }
    }

    private func related(
        _ name: String?, _ condition: FileCondition, _ access: FileAccess, _ call: Call
    ) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let (bucket, expected) = (call.parameter("bucket"), try ExpectedSums(google: call.head))
        return try await StorageUpload.related(access, call) { metadata, type throws(Refusal) in
            var request = try StorageUpload.request(metadata, name: name, type: type, access)
            request.condition = condition
            return request
        } end: { request in
            access.end(request, expected)
        } answer: { file in
            .response(access.object(file, bucket).response())
        }
    }

    // MARK: Several requests

    private func start(
        _ query: QueryString, _ condition: FileCondition, _ access: FileAccess, _ call: Call
    ) throws -> (receiver: any PieceReceiver, limit: Int) {
        let (name, type) = (try query.one("name"), call.head.header("X-Upload-Content-Type"))
        let length = try call.wholeNumber("X-Upload-Content-Length")
        let place = "\(call.head.ownBase)/upload/storage/v1/b/\(call.parameter("bucket").percentEncoded)/o?uploadType=resumable"
        let conditions = query.values.filter { GoogleUploads.conditions.contains($0.name) }.map { "&\($0.name)=\($0.value.percentEncoded)" }.joined()
        let client = call.head.client
        let receiver = ShortReception { body in
            var request = try StorageUpload.request(body, name: name, type: type, access)
            (request.length, request.condition) = (length, condition)
            let id = try await access.create(request, way: .google, from: client).id.text
            return .response(
                HTTPResponse(status: 200, headers: [("Location", "\(place)\(conditions)&upload_id=\(id)"), ("X-GUploader-UploadID", id)]))
        }
        return (receiver, RelatedReader.maximumMetadataBytes)
    }

    /// Receives a piece of an upload, or says how far it is.
    func put(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let (access, range) = (try call.bucketAccess(in: store), try call.uploadRange())
        let (end, bucket) = (try end(access, call), call.parameter("bucket"))
        let turn = try await turn(access, call)
        let done: @Sendable (StoredFile) -> HandlerResponse = { .response(access.object($0, bucket).response()) }
        // A last request whose response was lost gets it again.
        if turn.isOver {
            let file = try await Refusal.ofFiles { try await turn.finish() }
            return (DiscardedReception(done(file)), store.files.bounds.fileBytes)
        }
        let first = range?.first(after: turn.received) ?? 0
        let skip = try await Refusal.ofFiles { try turn.overlap(from: first) }
        let head = call.head
        let receiver = PartReception(turn, skip: skip) { turn in
            guard let range, !range.endsUpload else { return done(try await turn.finish(end(turn))) }
            if let total = range.total, turn.received >= total {
                guard turn.received == total else { throw Refusal(.badRequest, "More bytes were received than the file has.") }
                return done(try await turn.finish(end(turn)))
            }
            return incomplete(range.bytes == .nothing ? turn.received : try await turn.pause(), head)
        }
        let rest = access.bytesLeft(of: turn, from: first)
        return (receiver, min(rest, range?.mostBytes ?? rest))
    }

    /// Says how far an upload is. Clients behind proxies that take a 308 for a redirect want a 200.
    private func incomplete(_ received: Int64, _ head: HTTPRequestHead) -> HandlerResponse {
        var headers: [(name: String, value: String)] = received > 0 ? [("Range", "bytes=0-\(received - 1)")] : []
        guard head.header("X-GUploader-No-308")?.lowercased() == "yes" else { return .response(HTTPResponse(status: 308, headers: headers)) }
        headers.append(("X-HTTP-Status-Code-Override", "308"))
        return .response(HTTPResponse(status: 200, headers: headers))
    }

    /// Returns what makes the end of an upload from its request: the conditions are those of the first and the last one, the sums those of the last.
    private func end(_ access: FileAccess, _ call: Call) throws -> @Sendable (UploadTurn) -> UploadEnd {
        let (condition, expected) = (try StorageConditions(call.query()).ofChange, try ExpectedSums(google: call.head))
        return { turn in
            var request = turn.request
            // A client that leaves it out of the last URL has stated it at the start.
            request.condition = .all([request.condition, condition])
            return access.end(request, expected)
        }
    }

    /// Ends an upload without a file. 499 is Google's status for it.
    func cancel(_ call: Call) async throws -> HandlerResponse {
        let turn = try await turn(try call.bucketAccess(in: store), call)
        try await Refusal.ofFiles { try await turn.cancel() }
        return .response(HTTPResponse(status: 499))
    }

    private func turn(_ access: FileAccess, _ call: Call) async throws -> UploadTurn {
        guard let id = try call.query().one("upload_id") else { throw Refusal.field("upload_id", "missing", "is required") }
        return try await Refusal.ofFiles { try await access.take(id) }
    }
}

extension FileAccess {
    /// The end of an upload whose metadata may have download tokens.
    fileprivate func end(_ request: UploadRequest, _ expected: ExpectedSums) -> UploadEnd {
        var request = request
        let tokens = request.takeTokens(store.files.bounds.downloadTokens)
        return UploadEnd(expected, of: request, tokens: tokens, depth: depth)
    }
}

extension Call {
    /// The bytes that the body has; nil for a request that has the rest of the file.
    fileprivate func uploadRange() throws(Refusal) -> UploadRange? {
        guard let text = head.header("Content-Range") else { return nil }
        guard let range = UploadRange(text) else { throw .field("Content-Range", "invalid", "must be as bytes 0-262143/* or bytes */300001") }
        if case .piece(let bytes) = range.bytes, case .length(let length) = head.body, length != bytes.count {
            throw .field("Content-Range", "invalid", "must be the range of the body")
        }
        return range
    }
}

extension UploadRange {
    /// The first byte of the body.
    ///
    /// - Parameter received: The number of bytes that came before.
    fileprivate func first(after received: Int64) -> Int64 {
        switch bytes {
        case .nothing: received
        case .piece(let bytes): bytes.lowerBound
        case .rest(let first): first
        }
    }

    /// The most bytes that the body may have; nil if it has the rest of the file.
    fileprivate var mostBytes: Int? {
        switch bytes {
        case .nothing: 0
        case .piece(let bytes): bytes.count
        case .rest: nil
        }
    }

    /// Whether the end of the body is that of the file, whatever its length.
    fileprivate var endsUpload: Bool {
        if case .rest = bytes { total == nil } else { false }
    }
}

extension ExpectedSums {
    /// Reads `X-Goog-Hash`: `crc32c=BASE64,md5=BASE64`. Other sums are ignored.
    fileprivate init(google head: HTTPRequestHead) throws(Refusal) {
        self.init()
        for part in head.headers("X-Goog-Hash").flatMap({ $0.split(separator: ",") }) {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "crc32c" || pair[0] == "md5" else { continue }
            let wanted = pair[0] == "md5" ? 16 : 4
            guard let bytes = Base64.decode(pair[1]), bytes.count == wanted else {
                throw .field("X-Goog-Hash", "bad_digest", "must be crc32c or md5 and the sum in Base64")
            }
            if wanted == 16 { md5 = bytes } else { crc32c = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
        }
    }
}
