// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

/// Connections that load the server: idle ones, or ones that send or read as slowly as possible, until standard input closes.
struct Crowd {
    enum Kind: String {
        case idle, head, body, reader
    }

    let options: Options

    func run() throws {
        guard let kind = Kind(rawValue: options.name) else { throw BenchmarkError("--name takes idle, head, body or reader") }
        var connections: [Int32] = []
        for _ in 0..<options.clients {
            let connection = try LoadGenerator.connect(to: UInt16(options.port))
            if kind != .idle { send(Crowd.opening(kind, options), on: connection) }
            connections.append(connection)
        }
        print("\(connections.count) connections")
        fflush(nil)
        // A byte a second prevents the idle timeout; deadlines must end these connections.
        var watch = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&watch, 1, 1_000) == 0 {
            guard kind == .head || kind == .body else { continue }
            for connection in connections { send([UInt8(ascii: "a")], on: connection) }
        }
        for connection in connections { close(connection) }
    }

    private static func opening(_ kind: Kind, _ options: Options) -> [UInt8] {
        let head = "POST \(options.path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(options.key)\r\n"
        switch kind {
        case .idle: return []
        case .head: return Array((head + "X-Slow: ").utf8)
        case .body: return Array((head + "Content-Length: 1000000\r\n\r\n{").utf8)
        case .reader: return Array(String(repeating: "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 40).utf8)
        }
    }

    private func send(_ bytes: [UInt8], on connection: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
    }
}
