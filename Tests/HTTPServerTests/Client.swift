// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A client that sends given bytes and reads the response bytes.
final class Client {
    enum Failure: Error {
        case connect(Int32)
        case timeout
        case broken(Int32)
        case unreadable(String)
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        if let source { _ = Client.with(source, 0) { bind(descriptor, $0, $1) } }
        guard Client.with("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0 else { throw Failure.connect(errno) }
        prepare()
    }

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Client.with(path, { connect(descriptor, $0, $1) }) == 0 else { throw Failure.connect(errno) }
        prepare()
    }

    deinit {
        close(descriptor)
    }

    /// A listening socket on a free port to be passed to a server, which closes it.
    static func listeningSocket() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard with("127.0.0.1", 0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else { return nil }
        return descriptor
    }

    /// A listening socket at a socket file, which remains when it is closed.
    static func listeningFile(_ path: String, backlog: Int32 = 16) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard with(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else { return nil }
        return descriptor
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private static func with(_ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    private func prepare() {
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    func send(_ text: String) throws { try send(Array(text.utf8)[...]) }

    func send(_ bytes: ArraySlice<UInt8>) throws {
        guard Loopback.send(bytes, descriptor) else { throw Failure.broken(errno) }
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits for more bytes; returns `false` at the end of the connection.
    func receive() throws -> Bool {
        var room = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = recv(descriptor, &room, room.count, 0)
        if count < 0 { throw errno == EAGAIN ? Failure.timeout : Failure.broken(errno) }
        buffer += room[..<count]
        return count > 0
    }

    /// Reads until the end of the connection.
    func receiveAll() throws -> String {
        while try receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Waits until `text` was received.
    func receive(until text: String) throws {
        while !buffer.holds(Array(text.utf8)) {
            guard try receive() else { throw Failure.unreadable(String(decoding: buffer, as: UTF8.self)) }
        }
    }

    /// Counts the bytes until the end of the connection.
    func countAll() throws -> Int {
        var count = 0
        while try receive() {
            count += buffer.count
            buffer = []
        }
        return count
    }

    /// Whether the server closes or resets the connection without another byte.
    func isEnded() throws -> Bool {
        do {
            return try !receive() && buffer.isEmpty
        } catch Failure.broken {
            return buffer.isEmpty
        }
    }

    func receiveAnswer(toHead: Bool = false) throws -> Reply {
        while true {
            if let (answer, used) = try ReplyParser.read(buffer, toHead: toHead) {
                buffer.removeFirst(used)
                return answer
            }
            guard try receive() else { throw Failure.unreadable(String(decoding: buffer, as: UTF8.self)) }
        }
    }
}
