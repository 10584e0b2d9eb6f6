// SPDX-License-Identifier: Apache-2.0

import Crypto
import FileStore
import Files
import HTTPServer
import Platform
import Synchronization

/// The comparison of one request's bytes with its `Upload-Checksum`.
final class TusChecksum: Sendable {
    private struct Sums: ~Copyable {
        var sha1: SHA1?
        var sha256: SHA256?
        var crc32c: CRC32C?

        init(_ algorithm: UploadChecksum.Algorithm) {
            switch algorithm {
            case .sha1: sha1 = SHA1()
            case .sha256: sha256 = SHA256()
            case .crc32c: crc32c = CRC32C()
            }
        }
    }

    private let sums: Mutex<Sums>
    private let expected: [UInt8]

    /// Reads `Upload-Checksum`; nil without the field.
    init?(_ head: HTTPRequestHead) throws(Refusal) {
        guard let text = head.header("Upload-Checksum") else { return nil }
        guard let checksum = UploadChecksum(text) else {
            throw .field("Upload-Checksum", "bad_digest", "must be sha1, sha256 or crc32c and the sum in Base64")
        }
        expected = checksum.expected
        sums = Mutex(Sums(checksum.algorithm))
    }

    func update(_ bytes: Span<UInt8>) {
        sums.withLock { sums in
            sums.sha1?.update(bytes)
            sums.sha256?.update(bytes)
            sums.crc32c?.update(bytes)
        }
    }

    /// Whether the bytes are the promised ones. Asked once, after the last of them.
    func agrees() -> Bool {
        let made = sums.withLock { sums in
            [
                sums.sha1.take()?.finish(), sums.sha256.take()?.finish(),
                sums.crc32c.map { FileSums(sha256: [], crc32c: $0.value).crc32cBytes },
            ]
        }
        return made.contains { $0 == expected }
    }
}

/// The reception of a part of an upload by tus.
///
/// If the connection breaks, the received bytes are kept. They are dropped if the request has a checksum, since it is of the whole body. An upload
/// that the request began ends with it, because the client was not told its address.
final class TusReception: PieceReceiver {
    private let turn: UploadTurn
    private let checksum: TusChecksum?
    private let end: UploadEnd
    private let files: FileStore
    private let location: String?

    /// - Parameter location: The address of an upload that this request began.
    init(_ turn: UploadTurn, _ checksum: TusChecksum?, _ end: UploadEnd, _ files: FileStore, createdAt location: String? = nil) {
        (self.turn, self.checksum, self.end, self.files, self.location) = (turn, checksum, end, files, location)
    }

    func write(_ piece: Span<UInt8>) throws {
        do { try turn.write(piece) } catch let fault as FileFault { throw Refusal(fault) }
        checksum?.update(piece)
    }

    func finish() async throws -> HandlerResponse {
        try await Refusal.ofFiles {
            if let checksum, !checksum.agrees() {
                if location == nil { try turn.cut() } else { try await turn.cancel() }
                throw FileFault.checksumMismatch
            }
            var headers = [TusUploads.version]
            if turn.isComplete {
                let file = try await turn.finish(end)
                headers.append(("Upload-Offset", "\(turn.received)"))
                headers += TusUploads.waiting(file)
            } else {
                headers.append(("Upload-Offset", "\(try await turn.pause())"))
                let expires = files.now + files.bounds.uploadsKept
                headers.append(("Upload-Expires", HTTPDate.text(Int(expires.milliseconds / 1_000))))
            }
            if let location { headers.append(("Location", location)) }
            return .response(HTTPResponse(status: location == nil ? 204 : 201, headers: headers))
        }
    }

    func abandon() {
        if location != nil {
            Task { [turn] in try? await turn.cancel() }
        } else if checksum != nil {
            try? turn.cut()
        }
    }
}
