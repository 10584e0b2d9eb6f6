// SPDX-License-Identifier: Apache-2.0

import CTransfers
import Crypto
import Glibc
import HTTPServer
import Synchronization

/// The HTTP server with one folder and nothing else: downloads of its files, and uploads that are hashed, written and synced. It shows what the
/// transfer loops cost without rows, rules and keys.
enum FileServer {
    static func run(_ options: Options) async throws {
        let configuration = HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: UInt16(options.port))])
        let folder = options.folder
        let server = try HTTPServer(
            configuration: configuration, plan: { plan($0, folder) },
            problem: { fault, _ in HTTPResponse(status: fault.status, body: Array("\(fault)".utf8)) })
        print("listening")
        try await server.run()
    }

    private static func plan(_ head: HTTPRequestHead, _ folder: String) -> HTTPPlan {
        let path = folder + "/" + head.path.split(separator: "/").joined(separator: "-")
        guard head.method == .put else { return .respond(file(path, head)) }
        return .receive { (_) throws(BodyRefusal) in BodyAcceptance(SummedFile(path), limit: 5 << 30) }
    }

    private static func file(_ path: String, _ head: HTTPRequestHead) -> HTTPResponse {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return HTTPResponse(status: 404) }
        let validators = FileValidators(tag: EntityTag("\(status.st_ino)"), modified: Int(status.st_mtim.tv_sec))
        let size = Int(status.st_size)
        let headers = [("ETag", validators.tag.text), ("Last-Modified", HTTPDate.text(validators.modified)), ("Accept-Ranges", "bytes")]
        switch FileConditions(head, now: time(nil)).delivery(of: size, for: validators) {
        case .part(let part):
            let body = FileBody(owning: descriptor, offset: part.offset, length: part.length)
            return HTTPResponse(status: 206, headers: headers + [("Content-Range", part.contentRange(of: size))], file: body)
        case .whole, .notModified, .failed, .unsatisfiable:
            return HTTPResponse(status: 200, headers: headers, file: FileBody(owning: descriptor, length: size))
        }
    }
}

/// A sink that hashes and writes, and syncs at the end.
private final class SummedFile: BodySink {
    private struct State: ~Copyable {
        var file: Int32
        var sha256: SHA256? = SHA256()
        var crc32c: UInt32 = 0
    }

    private let state: Mutex<State>

    init(_ path: String) {
        state = Mutex(State(file: open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)))
    }

    deinit {
        state.withLock { _ = close($0.file) }
    }

    func write(_ piece: Span<UInt8>) throws(BodyRefusal) {
        let isWritten = state.withLock { state in
            state.sha256?.update(piece)
            return piece.withUnsafeBytes { bytes in
                state.crc32c = transfers_crc32c(state.crc32c, bytes.baseAddress, bytes.count)
                return Glibc.write(state.file, bytes.baseAddress, bytes.count) == bytes.count
            }
        }
        guard isWritten else { throw .fault(.uploadFailed) }
    }

    func finish() async -> HandlerResponse {
        let sums = state.withLock { state in
            fdatasync(state.file)
            let digest = state.sha256.take()?.finish() ?? []
            return "\(digest.count) \(state.crc32c)"
        }
        return .response(HTTPResponse(status: 201, body: Array(sums.utf8)))
    }

    func abandon(_ reason: BodyAbandonment) {}
}
