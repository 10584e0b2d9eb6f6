// SPDX-License-Identifier: Apache-2.0

import API
import Crypto
import FileStore
import Files
import HTTPServer
import Platform

/// The reception of a file in one request.
final class FileReception: PieceReceiver {
    typealias Answer = @Sendable (StoredFile) async throws -> HandlerResponse

    private let turn: UploadTurn
    private let end: UploadEnd
    private let answer: Answer

    init(_ turn: UploadTurn, _ end: UploadEnd, _ answer: @escaping Answer) {
        (self.turn, self.end, self.answer) = (turn, end, answer)
    }

    func write(_ piece: Span<UInt8>) throws {
        do { try turn.write(piece) } catch let fault as FileFault { throw Refusal(fault) }
    }

    func finish() async throws -> HandlerResponse {
        try await Refusal.ofFiles { try await answer(try await turn.finish(end)) }
    }

    /// The upload ends with the last reference to it.
    func abandon() {}
}

extension UploadRequest {
    /// Reads what the head of a request says of a file.
    init(_ path: FilePath, app: AppID, _ head: HTTPRequestHead) throws(Refusal) {
        self.init(path, app: app)
        if case .length(let length) = head.body { self.length = Int64(length) }
        details.type = head.header("Content-Type") ?? FileDetails.unknownType
        details.cacheControl = head.header("Cache-Control")
        details.contentDisposition = head.header("Content-Disposition")
        details.contentEncoding = head.header("Content-Encoding")
        details.contentLanguage = head.header("Content-Language")
        details.metadata = head.fields(withPrefix: "X-Meta-").map { FileDetails.Entry($0.name.lowercased(), $0.value) }
        try details.requireValid()
    }
}

extension ExpectedSums {
    /// Reads the SHA-256 of `Content-Digest` (RFC 9530): `sha-256=:BASE64:`. Other digests are ignored.
    init(_ head: HTTPRequestHead) throws(Refusal) {
        self.init()
        for field in head.headers("Content-Digest") {
            for item in field.split(separator: ",") {
                let text = item.drop { $0 == " " }
                guard text.hasPrefix("sha-256=") else { continue }
                let value = text.dropFirst(8)
                guard value.utf8.first == UInt8(ascii: ":"), value.utf8.last == UInt8(ascii: ":"), value.utf8.count > 2,
                    let bytes = Base64.decode(value.dropFirst().dropLast()), bytes.count == 32
                else { throw .field("Content-Digest", "bad_digest", "must be sha-256=:BASE64:") }
                sha256 = bytes
            }
        }
    }
}

extension FileDetails {
    /// Rejects details that cannot be stored.
    func requireValid() throws(Refusal) {
        if let part = invalidPart { throw Refusal(FileFault.invalidDetail(part)) }
    }
}
