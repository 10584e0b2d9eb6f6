// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// Uploads of Firebase's SDKs: a whole file, with its metadata before it, or in several requests.
///
///     POST …/o?name=a.png             X-Goog-Upload-Command: start                              →  X-Goog-Upload-URL: …&upload_id=9f86…
///     POST …&upload_id=9f86…          X-Goog-Upload-Command: upload, X-Goog-Upload-Offset: 0    →  X-Goog-Upload-Status: active
///     POST …&upload_id=9f86…          X-Goog-Upload-Command: query                              →  X-Goog-Upload-Size-Received: 262144
///     POST …&upload_id=9f86…          X-Goog-Upload-Command: upload, finalize                   →  X-Goog-Upload-Status: final, the description
///
/// No granularity of pieces is given, because iOS would round an offset that it asked for down to a multiple of it.
struct FirebaseUploads: Sendable {
    enum Status: String {
        case active, final, cancelled
    }

    let store: Stores

    static func status(_ status: Status) -> (name: String, value: String) { ("X-Goog-Upload-Status", status.rawValue) }

    private static func received(_ bytes: Int64) -> (name: String, value: String) { ("X-Goog-Upload-Size-Received", "\(bytes)") }

    func post(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let (access, query) = (try call.bucketAccess(in: store), try call.query())
        if let id = try query.one("upload_id") { return try await goOn(id, access, call) }
        let name = try query.one("name")
        switch call.head.header("X-Goog-Upload-Protocol")?.lowercased() {
        case "resumable": return try start(name, access, call)
        case "multipart": return try await related(name, access, call)
        case nil, "raw": return try await whole(name, access, call)
        default: throw Refusal.field("X-Goog-Upload-Protocol", "unknown", "must be raw, multipart or resumable")
        }
    }

    /// Returns the response to a finished upload. The JavaScript SDK takes a response to `query` without the size for an error. A caller who
    /// may not read the file gets no token of it, and neither does one whose file waits for a function: its version is not the one that is
    /// published.
    private func done(_ file: StoredFile, _ access: FileAccess, _ bucket: String) async throws -> HandlerResponse {
        var tokens = file.pendingUntil == nil ? access.tokens(of: file) : nil
        if tokens != nil, try await !access.mayGet(file.path, file) { tokens = nil }
        var response = StorageObject(file: file, bucket: bucket, tokens: tokens).response()
        response.headers += [FirebaseUploads.status(.final), FirebaseUploads.received(file.size)]
        return .response(response)
    }

    // MARK: One request

    private func whole(_ name: String?, _ access: FileAccess, _ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        var request = UploadRequest(try StorageUpload.path(name), app: access.app.id)
        if case .length(let length) = call.head.body { request.length = Int64(length) }
        request.details.type = call.head.header("Content-Type") ?? FileDetails.unknownType
        request.owner = access.owner
        try request.details.requireValid()
        let bucket = call.parameter("bucket")
        return try await access.receive(request, end(access)) { file, _ in try await done(file, access, bucket) }
    }

    private func related(_ name: String?, _ access: FileAccess, _ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let bucket = call.parameter("bucket")
        return try await StorageUpload.related(access, call) { metadata, type throws(Refusal) in
            try StorageUpload.request(metadata, name: name, type: type, access)
        } end: { request in
            UploadEnd(of: request, tokens: access.store.files.bounds.downloadTokens.new(), by: access.judge, depth: access.depth)
        } answer: { file in
            try await done(file, access, bucket)
        }
    }

    private func end(_ access: FileAccess) -> UploadEnd {
        UploadEnd(tokens: store.files.bounds.downloadTokens.new(), by: access.judge, depth: access.depth)
    }

    // MARK: Several requests

    private func start(_ name: String?, _ access: FileAccess, _ call: Call) throws -> (receiver: any PieceReceiver, limit: Int) {
        let length = try call.wholeNumber("X-Goog-Upload-Header-Content-Length") ?? call.wholeNumber("X-Goog-Upload-Content-Length")
        let type = call.head.header("X-Goog-Upload-Header-Content-Type") ?? call.head.header("X-Goog-Upload-Content-Type")
        let place = "\(call.head.ownBase)/v0/b/\(call.parameter("bucket").percentEncoded)/o"
        let client = call.head.client
        let receiver = ShortReception { body in
            var request = try StorageUpload.request(body, name: name, type: type, access)
            request.length = length
            let stored = try await access.create(request, way: .firebase, from: client)
            let name = request.path?.text.percentEncoded ?? ""
            let url = "\(place)?name=\(name)&upload_id=\(stored.id.text)&upload_protocol=resumable"
            return .response(HTTPResponse(status: 200, headers: [FirebaseUploads.status(.active), ("X-Goog-Upload-URL", url)]))
        }
        return (receiver, FirebaseStorage.bodyBytes)
    }

    private func goOn(_ id: String, _ access: FileAccess, _ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let commands = (call.head.header("X-Goog-Upload-Command") ?? "").lowercased().split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        let turn = try await Refusal.ofFiles { try await access.take(id) }
        let bucket = call.parameter("bucket")
        switch commands {
        case ["query"]: return (ShortReception { _ in try await progress(of: turn, access, bucket) }, FirebaseStorage.bodyBytes)
        case ["cancel"]:
            return (
                ShortReception { _ in
                    try await turn.cancel()
                    return .response(HTTPResponse(status: 200, headers: [FirebaseUploads.status(.cancelled)]))
                }, FirebaseStorage.bodyBytes
            )
        case ["upload"], ["finalize"], ["upload", "finalize"]:
            return try await append(to: turn, isLast: commands.last == "finalize", access, call)
        default: throw Refusal.field("X-Goog-Upload-Command", "unknown", "must be start, upload, finalize, query or cancel")
        }
    }

    private func append(
        to turn: UploadTurn, isLast: Bool, _ access: FileAccess, _ call: Call
    ) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let bucket = call.parameter("bucket")
        // A last request whose response was lost gets it again.
        if turn.isOver {
            let file = try await Refusal.ofFiles { try await turn.finish() }
            return (DiscardedReception(try await done(file, access, bucket)), store.files.bounds.fileBytes)
        }
        let offset = try call.wholeNumber("X-Goog-Upload-Offset") ?? (isLast ? turn.received : 0)
        let skip = try await Refusal.ofFiles { try turn.overlap(from: offset) }
        let end = end(access)
        let receiver = PartReception(turn, skip: skip) { turn in
            if isLast { return try await done(try await turn.finish(end), access, bucket) }
            return active(try await turn.pause())
        }
        return (receiver, access.bytesLeft(of: turn, from: offset))
    }

    private func progress(of turn: UploadTurn, _ access: FileAccess, _ bucket: String) async throws -> HandlerResponse {
        guard turn.isOver else { return active(turn.received) }
        return try await done(try await turn.finish(), access, bucket)
    }

    private func active(_ received: Int64) -> HandlerResponse {
        .response(HTTPResponse(status: 200, headers: [FirebaseUploads.status(.active), FirebaseUploads.received(received)]))
    }
}
