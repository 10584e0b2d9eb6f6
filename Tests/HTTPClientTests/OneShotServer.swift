// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server that accepts one connection, records the request, and sends given bytes.
final class OneShotServer: Sendable {
    private let listener: Int32
    private let received = Mutex<[UInt8]>([])
    private let finished = DispatchGroup()
    let port: UInt16

    /// Listens on a free loopback port, or on a Unix socket at `path`. Without an answer it stays silent until the client disconnects.
    /// The bytes after the answer are sent one at a time with pauses, until the client disconnects.
    init(answer: [UInt8]?, path: String? = nil, trickle: [UInt8] = [], pause: Duration = .zero) throws {
        (listener, port) = try path.map { (try OneShotServer.listen(at: $0), 0) } ?? Loopback.listen()
        finished.enter()
        Thread.detachNewThread { [self] in
            serve(answer, trickle, pause)
            finished.leave()
        }
    }

    convenience init(_ answer: String, path: String? = nil) throws {
        try self.init(answer: Array(answer.utf8), path: path)
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The request, after the connection has closed.
    func request() -> String {
        finished.wait()
        return String(decoding: received.withLock { $0 }, as: UTF8.self)
    }

    private func serve(_ answer: [UInt8]?, _ trickle: [UInt8], _ pause: Duration) {
        let connection = accept(listener, nil, nil)
        close(listener)
        defer { close(connection) }
        while !isComplete, let bytes = read(connection) { received.withLock { $0 += bytes } }
        guard let answer else {
            _ = read(connection)
            return
        }
        _ = Loopback.send(answer[...], connection)
        for byte in trickle {
            var leaving = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&leaving, 1, Int32(pause / .milliseconds(1))) == 0 else { return }
            _ = Loopback.send([byte], connection)
        }
    }

    private func read(_ connection: Int32) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    private var isComplete: Bool {
        let text = String(decoding: received.withLock { $0 }, as: UTF8.self)
        guard let head = text.range(of: "\r\n\r\n") else { return false }
        let length = text[..<head.lowerBound].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        return text[head.upperBound...].utf8.count >= length.flatMap { Int($0.dropFirst(16)) } ?? 0
    }

    private static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0, Glibc.listen(listener, 1) == 0 else { throw CannotListen() }
        return listener
    }

    private struct CannotListen: Error {}
}
