// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A request received by a webhook.
package struct Hook: Sendable {
    package var method: String
    package var target: String
    /// Headers by lower-case name.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The number of the request to its target, from 1.
    package var number: Int

    package var path: String { String(target.prefix { $0 != "?" }) }
    package var id: String { headers["webhook-id"] ?? "" }

    /// Returns a raw parameter of the query.
    package func query(_ name: String) -> String? {
        target.drop { $0 != "?" }.dropFirst().split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}

/// A webhook receiver on loopback. A script decides its responses, and it records all requests.
package final class WebhookSink: Sendable {
    package enum Manner: Sendable {
        /// Sends these bytes and keeps the connection.
        case answers(String)
        /// Sends the head, then a byte from time to time until the client leaves.
        case drips(String)
        /// Sends nothing until the client leaves.
        case silent
        case resets

        package static func status(_ code: Int, _ fields: String..., body: String = "ok") -> Manner {
            let lines = ["HTTP/1.1 \(code) Status", "Content-Length: \(body.utf8.count)"] + fields
            return .answers(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    /// Shared with the threads, which do not retain the sink.
    private final class Shared: Sendable {
        struct State {
            var hooks: [Hook] = []
            var seen: [String: Int] = [:]
            var open: Set<Int32> = []
            var isOver = false
        }

        let state = Mutex(State())
        let manner: @Sendable (Hook) -> Manner

        init(_ manner: @escaping @Sendable (Hook) -> Manner) {
            self.manner = manner
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let shared: Shared

    /// Listens on 127.0.0.`host`, at a free port if none is given.
    package init(host: UInt8 = 1, port: UInt16 = 0, _ manner: @escaping @Sendable (Hook) -> Manner = { _ in .status(200) }) throws {
        let shared = Shared(manner)
        let (listener, port) = try Loopback.listen(host: host, port: port)
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                guard WebhookSink.enter(connection, shared) else { break }
                Thread.detachNewThread { WebhookSink.serve(connection, shared) }
            }
            close(listener)
        }
        self.shared = shared
        (self.listener, self.port) = (listener, port)
    }

    deinit {
        shared.state.withLock { state in
            state.isOver = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// All requests in order of arrival.
    package var hooks: [Hook] { shared.state.withLock { $0.hooks } }

    package func hooks(to path: String) -> [Hook] { hooks.filter { $0.path == path } }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    // MARK: Connections

    private static func enter(_ connection: Int32, _ shared: Shared) -> Bool {
        let isOver = shared.state.withLock { state in
            if !state.isOver { state.open.insert(connection) }
            return state.isOver
        }
        if isOver { close(connection) }
        return !isOver
    }

    private static func serve(_ connection: Int32, _ shared: Shared) {
        var rest: [UInt8] = []
        while var hook = nextHook(connection, &rest) {
            let manner = shared.state.withLock { state in
                state.seen[hook.target, default: 0] += 1
                hook.number = state.seen[hook.target] ?? 1
                state.hooks.append(hook)
                return shared.manner(hook)
            }
            guard treat(connection, manner) else { break }
        }
        shared.state.withLock { state in
            state.open.remove(connection)
            close(connection)
        }
    }

    /// Returns whether the connection stays open.
    private static func treat(_ connection: Int32, _ manner: Manner) -> Bool {
        switch manner {
        case .answers(let text): return write(text, connection)
        case .drips(let text):
            guard write(text, connection) else { return false }
            while !isLeft(connection, within: 20) { guard write("x", connection) else { break } }
            return false
        case .silent:
            while !isLeft(connection, within: 1_000) {}
            return false
        case .resets:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private static func isLeft(_ connection: Int32, within milliseconds: Int32) -> Bool {
        var leaving = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        return poll(&leaving, 1, milliseconds) != 0
    }

    private static func write(_ text: String, _ connection: Int32) -> Bool {
        Loopback.send(Array(text.utf8)[...], connection)
    }

    // MARK: Reading

    /// Returns nil when the client has left.
    private static func nextHook(_ connection: Int32, _ rest: inout [UInt8]) -> Hook? {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let hook = takeHook(&rest) { return hook }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            rest += chunk[..<count]
        }
    }

    private static func takeHook(_ bytes: inout [UInt8]) -> Hook? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let request = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard request.count == 3, bytes.count >= end.upperBound + length else { return nil }
        let body = Array(bytes[end.upperBound..<end.upperBound + length])
        bytes.removeFirst(end.upperBound + length)
        return Hook(method: request[0], target: request[1], headers: headers, body: body, number: 0)
    }
}
