// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The address of a daemon.
package enum Endpoint: Sendable {
    case port(UInt16)
    /// A socket file.
    case file(String)
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

    /// - Parameter receiveBuffer: The bytes that the kernel keeps for a client that does not read; nil for its usual number.
    package init(_ endpoint: Endpoint, receiveBuffer: Int32? = nil) throws {
        socket = try Socket(endpoint, receiveBuffer)
    }

    package func send(_ bytes: some Collection<UInt8> & Sendable) throws {
        guard Loopback.send(Array(bytes)[...], socket.descriptor) else { throw ConnectionFailure.broken(errno) }
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

    /// Whether the next response has begun to arrive. It waits for nothing.
    package func hasReply() throws -> Bool {
        do {
            while try ReplyParser.read(buffer, toHead: true) == nil {
                guard try receive(Int32(MSG_DONTWAIT)) else { throw ConnectionFailure.ended }
            }
            return true
        } catch ConnectionFailure.timeout {
            return false
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

    private func receive(_ flags: Int32 = 0) throws -> Bool {
        let count = try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { room in
            let count = recv(socket.descriptor, room.baseAddress, room.count, flags)
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

    init(_ endpoint: Endpoint, _ receiveBuffer: Int32? = nil) throws {
        let status: Int32
        switch endpoint {
        case .port(let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if var bytes = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size)) }
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
