// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The address of a daemon.
package enum Endpoint: Sendable {
    case port(UInt16)
    /// A socket file.
    case file(String)
}

/// A response.
package struct Reply: Sendable {
    package var status: Int
    /// Headers by lower-case name.
    package var headers: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
}

package enum ConnectionFailure: Error {
    case refused(Int32)
    case broken(Int32)
    case timeout
    /// The peer closed the connection within a response.
    case ended
    case unreadable(String)
}

/// A connection that sends exactly the given bytes. It blocks its own queue, so it does not starve a daemon in the same process.
package actor HTTPConnection {
    private let socket: Socket
    private var buffer: [UInt8] = []
    private let queue = QueueExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package init(_ endpoint: Endpoint) throws {
        socket = try Socket(endpoint)
    }

    package func send(_ bytes: some Collection<UInt8> & Sendable) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw ConnectionFailure.broken(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the next response. Interim responses are skipped.
    package func reply(toHead: Bool = false) throws -> Reply {
        while true {
            if let (reply, used) = try ReplyParser.read(buffer, toHead: toHead) {
                buffer.removeFirst(used)
                if reply.status >= 200 { return reply }
                continue
            }
            guard try receive() else { throw ConnectionFailure.ended }
        }
    }

    package func exchange(_ bytes: [UInt8], toHead: Bool = false) throws -> Reply {
        do {
            try send(bytes)
        } catch ConnectionFailure.broken {
            // A server may respond with an error before it has read the whole request.
            return try reply(toHead: toHead)
        }
        return try reply(toHead: toHead)
    }

    /// Reads the head of a response whose body is read with `chunk`.
    package func head() throws -> Reply {
        while true {
            if let (reply, used) = try ReplyParser.read(buffer, toHead: true) {
                buffer.removeFirst(used)
                return reply
            }
            guard try receive() else { throw ConnectionFailure.ended }
        }
    }

    /// Reads the next piece of a chunked body. Nil at its end.
    package func chunk() throws -> [UInt8]? {
        while true {
            if let (data, used) = ReplyParser.chunk(buffer) {
                buffer.removeFirst(used)
                return data.isEmpty ? nil : data
            }
            guard try receive() else { throw ConnectionFailure.ended }
        }
    }

    /// Sends a request and measures the time to the response. It is measured here, so other tests do not delay the clock.
    package func timedExchange(_ bytes: [UInt8]) throws -> (reply: Reply, time: Duration) {
        let start = ContinuousClock.now
        let reply = try exchange(bytes)
        return (reply, ContinuousClock.now - start)
    }

    /// Closes the sending side.
    package func endSending() {
        socket.endSending()
    }

    /// Closes the connection. With `abruptly` it is reset, as by a machine that loses power.
    package func close(abruptly: Bool = false) {
        socket.close(abruptly: abruptly)
    }

    /// Waits until the peer closes the connection, ignoring its data.
    package func drained() throws {
        while try receive() {}
    }

    /// Returns and consumes the next raw bytes, at least that many unless the peer closes the connection.
    package func raw(atLeast count: Int) throws -> [UInt8] {
        while buffer.count < count, try receive() {}
        defer { buffer = [] }
        return buffer
    }

    private func receive() throws -> Bool {
        let count = try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { room in
            let count = recv(socket.descriptor, room.baseAddress, room.count, 0)
            if count < 0 { throw errno == EAGAIN ? ConnectionFailure.timeout : ConnectionFailure.broken(errno) }
            buffer.append(contentsOf: room[..<count])
            return count
        }
        return count > 0
    }
}

/// An executor whose thread may block.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "signalbox.test-connection")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A connected descriptor, closed when it is deinitialized.
private final class Socket: Sendable {
    let descriptor: Int32

    init(_ endpoint: Endpoint) throws {
        let status: Int32
        switch endpoint {
        case .port(let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            status = Socket.connect(descriptor, &address)
        case .file(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            status = Socket.connect(descriptor, &address)
        }
        guard status == 0 else { throw ConnectionFailure.refused(errno) }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        Glibc.close(descriptor)
    }

    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Shuts down both directions. The descriptor is closed by its owner only, so that its number is not reused under a reader.
    func close(abruptly: Bool) {
        if abruptly {
            var lingering = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }
}

/// Parses responses.
private enum ReplyParser {
    /// Returns the response at the start of `bytes` and its length, if it is complete.
    static func read(_ bytes: [UInt8], toHead: Bool) throws -> (Reply, Int)? {
        guard let end = headEnd(bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw ConnectionFailure.unreadable(String(decoding: bytes.prefix(200), as: UTF8.self))
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        var reply = Reply(status: status, headers: headers, body: [])
        if toHead || status < 200 || status == 204 { return (reply, end) }
        if headers["transfer-encoding"] == "chunked" {
            guard let (body, used) = unchunk(bytes, from: end) else { return nil }
            reply.body = body
            return (reply, used)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end + length else { return nil }
        reply.body = Array(bytes[end..<end + length])
        return (reply, end + length)
    }

    /// Returns the offset after the empty line.
    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        var i = 3
        while i < bytes.count {
            if bytes[i] == 0x0a && bytes[i - 1] == 0x0d && bytes[i - 2] == 0x0a { return i + 1 }
            i += 1
        }
        return nil
    }

    /// Returns the first chunk of `bytes` and its length including the frame, if it is complete. The last chunk is empty.
    static func chunk(_ bytes: [UInt8]) -> (data: [UInt8], used: Int)? {
        guard let lineEnd = bytes.firstIndex(of: 0x0a) else { return nil }
        let size = Int(String(decoding: bytes[..<(lineEnd - 1)], as: UTF8.self), radix: 16) ?? 0
        let end = lineEnd + 1 + size
        guard bytes.count >= end + 2 else { return nil }
        return (Array(bytes[lineEnd + 1..<end]), end + 2)
    }

    private static func unchunk(_ bytes: [UInt8], from start: Int) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var at = start
        while let lineEnd = bytes[at...].firstIndex(of: 0x0a) {
            let size = Int(String(decoding: bytes[at..<lineEnd - 1], as: UTF8.self), radix: 16) ?? 0
            let next = lineEnd + 1 + size + 2
            guard bytes.count >= next else { return nil }
            if size == 0 { return (body, next) }
            body += bytes[lineEnd + 1..<lineEnd + 1 + size]
            at = next
        }
        return nil
    }
}
