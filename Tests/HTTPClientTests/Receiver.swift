// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport

/// A receiver on loopback that handles the requests of any number of connections in given ways.
final class Receiver: Sendable {
    enum Manner {
        /// Sends bytes and keeps the connection.
        case answers(String)
        /// Sends bytes and closes the connection.
        case answersAndLeaves(String)
        /// Sends bytes, then endless single bytes until the client disconnects.
        case drips(String)
        case headWithoutEnd
        case silent
        case resets
    }

    private struct State {
        var requests: [String] = []
        var connections = 0
        var open: Set<Int32> = []
        var isOver = false
    }

    private let listener: Int32
    /// Retained by the threads too, which may outlive the receiver.
    private let state: Shared
    let port: UInt16

    private final class Shared: Sendable {
        let state = Mutex(State())
        let (closed, closing) = AsyncStream.makeStream(of: Void.self)
    }

    convenience init(_ manner: Manner) throws { try self.init { _ in manner } }

    /// Handles each request as its number says, from 1 on.
    init(_ manner: @escaping @Sendable (Int) -> Manner) throws {
        let (listener, port) = try Loopback.listen()
        let state = Shared()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                guard Receiver.enter(connection, state) else { break }
                Thread.detachNewThread { Receiver.serve(connection, manner, state) }
            }
            close(listener)
        }
        (self.listener, self.port) = (listener, port)
        self.state = state
    }

    deinit {
        state.state.withLock { state in
            state.isOver = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)/hook" }
    var requests: [String] { state.state.withLock { $0.requests } }
    var connections: Int { state.state.withLock { $0.connections } }
    /// Whether all clients have disconnected.
    var isAlone: Bool { state.state.withLock { $0.open.isEmpty } }

    /// Returns after a client has disconnected.
    func clientLeft() async {
        for await _ in state.closed { return }
    }

    private static func enter(_ connection: Int32, _ shared: Shared) -> Bool {
        let isOver = shared.state.withLock { state in
            if !state.isOver { state.open.insert(connection) }
            state.connections += 1
            return state.isOver
        }
        if isOver { close(connection) }
        return !isOver
    }

    private static func serve(_ connection: Int32, _ manner: @Sendable (Int) -> Manner, _ shared: Shared) {
        while let request = readRequest(connection) {
            let number = shared.state.withLock { state in
                state.requests.append(request)
                return state.requests.count
            }
            guard treat(connection, manner(number)) else { break }
        }
        shared.state.withLock { state in
            state.open.remove(connection)
            close(connection)
        }
        shared.closing.yield()
    }

    /// Whether the connection is kept.
    private static func treat(_ connection: Int32, _ manner: Manner) -> Bool {
        switch manner {
        case .answers(let text): return write(text, connection)
        case .answersAndLeaves(let text):
            _ = write(text, connection)
            return false
        case .drips(let text):
            guard write(text, connection) else { return false }
            var leaving = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            while poll(&leaving, 1, 20) == 0 { guard write("x", connection) else { break } }
            return false
        case .headWithoutEnd:
            guard write("HTTP/1.1 200 OK\r\n", connection) else { return false }
            while write("X-More: and more\r\n", connection) {}
            return false
        case .silent: return true
        case .resets:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private static func write(_ text: String, _ connection: Int32) -> Bool { Loopback.send(Array(text.utf8)[...], connection) }

    /// Reads head and body, or the received part of a TLS greeting; `nil` if the client has disconnected.
    private static func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            if bytes[0] == 0x16 { return text }
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<head.lowerBound].components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            if text[head.upperBound...].utf8.count >= length.flatMap({ Int($0.dropFirst(16)) }) ?? 0 { return text }
        }
    }
}
