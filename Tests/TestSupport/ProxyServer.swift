// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A proxy on loopback that connects to one port, whatever host it is asked for: HTTP with and without CONNECT, and SOCKS 5.
///
///     CONNECT hooks.example:443         a tunnel to the port
///     POST http://hooks.example/hook    a request to the port, for `/hook`
///     SOCKS hooks.example:80            a tunnel to the port
package final class ProxyServer: Sendable {
    /// Shared with the threads, which do not retain the proxy.
    private final class Shared: Sendable {
        struct State {
            var requests: [String] = []
            var logins: Set<String> = []
            var isRefusing = false
            var open: Set<Int32> = []
            var isOver = false
        }

        let state = Mutex(State())
        let target: UInt16

        init(_ target: UInt16) {
            self.target = target
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let shared: Shared

    package init(to target: UInt16) throws {
        let shared = Shared(target)
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard ProxyServer.enter(client, shared) else { break }
                Thread.detachNewThread { ProxyServer.carry(client, shared) }
            }
            close(listener)
        }
        self.shared = shared
        (self.listener, self.port) = (listener, port)
    }

    deinit {
        shared.state.withLock { state in
            state.isOver = true
            for client in state.open { shutdown(client, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The requests, in order.
    package var requests: [String] { shared.state.withLock { $0.requests } }
    /// User names and passwords: `name:password`.
    package var logins: Set<String> { shared.state.withLock { $0.logins } }

    /// Answers 403, or the like of SOCKS, from now on or no longer.
    package func refuse(_ isRefusing: Bool) {
        shared.state.withLock { $0.isRefusing = isRefusing }
    }

    /// Notes a request. Returns whether it is refused.
    private static func note(_ request: String, login: String?, _ shared: Shared) -> Bool {
        shared.state.withLock { state in
            state.requests.append(request)
            if let login { state.logins.insert(login) }
            return state.isRefusing
        }
    }

    private static func enter(_ client: Int32, _ shared: Shared) -> Bool {
        let isOver = shared.state.withLock { state in
            if !state.isOver { state.open.insert(client) }
            return state.isOver
        }
        if isOver { close(client) }
        return !isOver
    }

    private static func carry(_ client: Int32, _ shared: Shared) {
        serve(client, shared)
        shared.state.withLock { state in
            state.open.remove(client)
            close(client)
        }
    }

    private static func serve(_ client: Int32, _ shared: Shared) {
        var bytes: [UInt8] = []
        guard read(client, &bytes, until: { !$0.isEmpty }) else { return }
        if bytes[0] == 5 { return serveSOCKS(client, bytes, shared) }
        while serveHTTP(client, &bytes, shared) {}
    }

    // MARK: HTTP

    /// Answers a request. Returns whether the client may send another one.
    private static func serveHTTP(_ client: Int32, _ bytes: inout [UInt8], _ shared: Shared) -> Bool {
        let end = Array("\r\n\r\n".utf8)
        guard read(client, &bytes, until: { $0.firstRange(of: end) != nil }), let head = bytes.firstRange(of: end) else { return false }
        var lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        let login = field("Proxy-Authorization", lines).flatMap { Data(base64Encoded: String($0.dropFirst(6))) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        if note(words.prefix(2).joined(separator: " "), login: login, shared) {
            _ = Loopback.send(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8)[...], client)
            return false
        }
        let server = Loopback.connect(shared.target)
        defer { close(server) }
        if words[0] == "CONNECT" {
            guard Loopback.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8)[...], client) else { return false }
            return pump(client, server)
        }
        let length = field("Content-Length", lines).flatMap { Int($0) } ?? 0
        guard read(client, &bytes, until: { $0.count >= head.upperBound + length }) else { return false }
        let path = words[1].split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst(2).first ?? ""
        lines = lines.filter { !$0.hasPrefix("Proxy-") }
        lines[0] = "\(words[0]) /\(path) HTTP/1.1"
        let request = Array(lines.joined(separator: "\r\n").utf8) + end + bytes[head.upperBound..<head.upperBound + length]
        bytes.removeFirst(head.upperBound + length)
        return Loopback.send(request[...], server) && passResponse(from: server, to: client)
    }

    private static func passResponse(from server: Int32, to client: Int32) -> Bool {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        guard read(server, &bytes, until: { $0.firstRange(of: end) != nil }), let head = bytes.firstRange(of: end) else { return false }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length = field("Content-Length", lines).flatMap { Int($0) } ?? 0
        return read(server, &bytes, until: { $0.count >= head.upperBound + length }) && Loopback.send(bytes[...], client)
    }

    private static func field(_ name: String, _ lines: [String]) -> String? {
        lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.utf8.count + 2)) }
    }

    // MARK: SOCKS

    private static func serveSOCKS(_ client: Int32, _ greeting: [UInt8], _ shared: Shared) {
        var bytes = greeting
        guard read(client, &bytes, until: { $0.count >= 2 && $0.count >= 2 + Int($0[1]) }), Loopback.send([5, 0], client) else { return }
        bytes.removeFirst(2 + Int(bytes[1]))
        // Version, connect, reserved, 3 for a name, its length, the name, the port.
        guard read(client, &bytes, until: { $0.count >= 5 && $0.count >= 7 + Int($0[4]) }) else { return }
        let name = bytes[3] == 3 ? String(decoding: bytes[5..<5 + Int(bytes[4])], as: UTF8.self) : "an address"
        let isRefused = note("SOCKS \(name):\(Int(bytes[5 + Int(bytes[4])]) << 8 | Int(bytes[6 + Int(bytes[4])]))", login: nil, shared)
        guard Loopback.send([5, isRefused ? 2 : 0, 0, 1, 0, 0, 0, 0, 0, 0], client), !isRefused else { return }
        let server = Loopback.connect(shared.target)
        _ = pump(client, server)
        close(server)
    }

    // MARK: Bytes

    /// Reads until the bytes suffice. Returns false if the peer has left before.
    private static func read(_ peer: Int32, _ bytes: inout [UInt8], until isEnough: ([UInt8]) -> Bool) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while !isEnough(bytes) {
            let count = recv(peer, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            bytes += chunk[..<count]
        }
        return true
    }

    /// Passes bytes in both directions until one side leaves. Returns false.
    private static func pump(_ client: Int32, _ server: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            var ends = [pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0)]
            guard poll(&ends, 2, -1) > 0 else { return false }
            let (from, to) = ends[0].revents != 0 ? (client, server) : (server, client)
            let count = recv(from, &chunk, chunk.count, 0)
            guard count > 0, Loopback.send(chunk[..<count], to) else { return false }
        }
    }
}
