// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import FileStore
import Files
import HTTPServer
import Platform
import Synchronization

/// Parts of uploads that the SDKs of Firebase and the clients of Google's storage have in common.
enum StorageUpload {
    static func path(_ name: String?) throws(Refusal) -> FilePath {
        guard let path = name.flatMap({ FilePath($0) }) else {
            throw .field("name", "bad_path", "must have 1 to 1,024 bytes, no control characters and no segment that is empty, a dot or two dots")
        }
        return path
    }

    /// Reads the JSON that describes a file.
    ///
    /// - Parameters:
    ///   - name: The name in the query, which decides over that of the body.
    ///   - type: The type that the request names besides.
    static func request(_ json: [UInt8], name: String?, type: String?, _ access: FileAccess) throws(Refusal) -> UploadRequest {
        let body = try Body(json.isEmpty ? Array("{}".utf8) : json)
        let said = name == nil ? try body.optionalText("name") : name
        var request = UploadRequest(try path(said), app: access.app.id)
        if let type { request.details.type = type }
        try DetailsEdit(body, .google).apply(to: &request.details)
        try request.details.requireValid()
        request.owner = access.owner
        request.expected.md5 = try body.base64("md5Hash", bytes: 16)
        request.expected.crc32c = try body.base64("crc32c", bytes: 4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        return request
    }

    /// Receives a body of two parts. Rules decide at its end alone, since its head says nothing of the file.
    static func related(
        _ access: FileAccess, _ call: Call, describe: @escaping @Sendable ([UInt8], String?) throws(Refusal) -> UploadRequest,
        end: @escaping @Sendable (UploadRequest) -> UploadEnd, answer: @escaping FileReception.Answer
    ) async throws -> (receiver: any PieceReceiver, limit: Int) {
        guard let reader = call.head.header("Content-Type").flatMap({ RelatedReader(contentType: $0) }) else {
            throw Refusal(.unsupportedMediaType, "The body is not multipart/related with a boundary.")
        }
        try access.store.files.checkCapacity(for: access.app.id)
        var request = UploadRequest(nil, app: access.app.id)
        request.owner = access.owner
        if access.isJudged { request.limit = FileAccess.undeclaredBytes }
        let limit = Int(request.limit ?? Int64(access.store.files.bounds.fileBytes))
        return try await Refusal.ofFiles { [request] in
            // An unknown app has no folder for the bytes.
            let turn = access.isOfUnknownApp ? nil : try await access.store.files.begin(request)
            let receiver = RelatedReception(reader, turn) { reader in
                let end = end(try describe(reader.metadata, reader.contentType))
                guard let turn else { throw FileFault.denied }
                return try await answer(try await turn.finish(end))
            }
            return (receiver, limit + RelatedReader.maximumMetadataBytes)
        }
    }
}

extension Body {
    fileprivate func base64(_ name: String, bytes count: Int) throws(Refusal) -> [UInt8]? {
        guard let text = isNull(name) ? nil : try optionalText(name) else { return nil }
        guard let bytes = Base64.decode(text), bytes.count == count else { throw .field(name, "bad_digest", "must be \(count) bytes in Base64") }
        return bytes
    }
}

extension Refusal.Code {
    /// The status of an error for the SDKs of Firebase and the clients of Google's storage.
    var statusOfStorage: Int {
        switch self {
        case .accountDisabled, .tokenExpired, .sessionEnded: 401
        case .invalid, .checksumMismatch: 400
        default: status
        }
    }
}

extension HTTPRequestHead {
    /// The scheme and host by which the client reached this daemon; empty if it named none. A proxy says whether it takes TLS.
    var ownBase: String {
        guard let host = header("Host") else { return "" }
        let isProxied = header("X-Forwarded-For") != nil
        let scheme = header("X-Forwarded-Proto")?.lowercased() ?? (isProxied ? "https" : "http")
        return "\(scheme == "https" ? "https" : "http")://\(host)"
    }
}

/// The reception of a short body, which is answered as a whole. Its route limits it.
final class ShortReception: PieceReceiver {
    private let body = Mutex<[UInt8]>([])
    private let answer: @Sendable ([UInt8]) async throws -> HandlerResponse

    init(_ answer: @escaping @Sendable ([UInt8]) async throws -> HandlerResponse) {
        self.answer = answer
    }

    func write(_ piece: Span<UInt8>) throws {
        body.withLock { body in
            for place in piece.indices { body.append(piece[place]) }
        }
    }

    func finish() async throws -> HandlerResponse {
        let body = body.withLock { $0 }
        return try await Refusal.ofFiles { try await answer(body) }
    }

    func abandon() {}
}

/// The reception of a body that is not needed.
final class DiscardedReception: PieceReceiver {
    private let response: HandlerResponse

    init(_ response: HandlerResponse) {
        self.response = response
    }

    func write(_ piece: Span<UInt8>) {}
    func finish() async -> HandlerResponse { response }
    func abandon() {}
}

/// The reception of a file behind its metadata.
final class RelatedReception: PieceReceiver {
    private let reader: Mutex<RelatedReader>
    private let turn: UploadTurn?
    private let answer: @Sendable (RelatedReader) async throws -> HandlerResponse

    /// - Parameter turn: Nil for a file that is denied after its bytes.
    init(_ reader: RelatedReader, _ turn: UploadTurn?, _ answer: @escaping @Sendable (RelatedReader) async throws -> HandlerResponse) {
        self.reader = Mutex(reader)
        (self.turn, self.answer) = (turn, answer)
    }

    func write(_ piece: Span<UInt8>) throws {
        do {
            try reader.withLock { reader in try reader.read(piece) { try turn?.write($0) } }
        } catch let fault as FileFault {
            throw Refusal(fault)
        } catch let fault as RelatedReader.Fault {
            throw Refusal(fault)
        }
    }

    func finish() async throws -> HandlerResponse {
        let reader = reader.withLock { $0 }
        guard reader.isComplete else { throw Refusal(RelatedReader.Fault.malformed) }
        return try await Refusal.ofFiles { try await answer(reader) }
    }

    /// The upload ends with the last reference to it.
    func abandon() {}
}

extension Refusal {
    fileprivate init(_ fault: RelatedReader.Fault) {
        switch fault {
        case .malformed: self.init(.badRequest, "The multipart body is malformed.", hint: "Send the metadata and the file as two parts.")
        case .tooLong: self.init(.tooLarge, "The metadata or the header of a part is too long.")
        }
    }
}

/// The reception of a piece of an upload of several requests. Bytes that came before are skipped. What came stays when the connection breaks.
final class PartReception: PieceReceiver {
    private let turn: UploadTurn
    private let skip: Mutex<Int64>
    private let answer: @Sendable (UploadTurn) async throws -> HandlerResponse

    init(_ turn: UploadTurn, skip: Int64, _ answer: @escaping @Sendable (UploadTurn) async throws -> HandlerResponse) {
        self.skip = Mutex(skip)
        (self.turn, self.answer) = (turn, answer)
    }

    func write(_ piece: Span<UInt8>) throws {
        let skipped = skip.withLock { skip in
            let now = min(skip, Int64(piece.count))
            skip -= now
            return Int(now)
        }
        if skipped == piece.count { return }
        do { try turn.write(piece.extracting(skipped..<piece.count)) } catch let fault as FileFault { throw Refusal(fault) }
    }

    func finish() async throws -> HandlerResponse { try await Refusal.ofFiles { try await answer(turn) } }

    func abandon() {}
}
