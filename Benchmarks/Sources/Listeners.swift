// SPDX-License-Identifier: Apache-2.0

import API
import CLinux
import Foundation
import Glibc
import TestSupport

/// Thousands of devices that read message streams of a running daemon: the time until the first and the last receive a message.
struct Listeners {
    private let options: Options
    private let api: TestClient

    static func run(_ options: Options) async throws {
        try await Listeners(options: options, api: TestClient(port: UInt16(options.port), controlSocket: "")).measure()
    }

    private func measure() async throws {
        let tokens = try await register()
        let epoll = epoll_create1(0)
        var waiting: Set<Int32> = []
        for token in tokens {
            let connection = try LoadGenerator.connect(to: UInt16(options.port))
            let head = "GET /v1/stream?token=\(token) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(options.key)\r\n\r\n"
            _ = Array(head.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: connection))
            epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event)
            waiting.insert(connection)
        }
        // The initial comment shows that the stream is open.
        _ = hear(":\n\n", on: epoll, waiting)
        print("listeners: \(tokens.count) streams stand")
        fflush(nil)
        for _ in 0..<5 {
            let start = ContinuousClock.now
            async let published = api.post("/v1/messages", key: options.path, #"{"topic": "listeners", "data": {"a": "b"}}"#)
            let times = hear("event: message", on: epoll, waiting)
            let answer = try await published.status
            let first = Int((times.first - start) / .milliseconds(1))
            print(
                "listeners: published (\(answer)), heard by the first after \(first) ms, by all after \(Int((times.last - start) / .milliseconds(1))) ms"
            )
            fflush(nil)
        }
        _ = readLine()
    }

    private func register() async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for part in 0..<16 {
                group.addTask {
                    let decoder = JSONDecoder()
                    decoder.keyDecodingStrategy = .convertFromSnakeCase
                    var tokens: [String] = []
                    for _ in stride(from: part, to: options.clients, by: 16) {
                        let made = try await api.post("/v1/devices", key: options.key, #"{"platform": "ios", "endpoint": {"type": "stream"}}"#)
                        guard made.status == 201 else { throw BenchmarkError(made.text) }
                        let token = try decoder.decode(RegistrationResponse.self, from: Data(made.body)).token
                        let joined = try await api.request("PUT", "/v1/topics/listeners/subscribers/\(token)", key: options.key)
                        guard joined.status == 204 else { throw BenchmarkError(joined.text) }
                        tokens.append(token)
                    }
                    return tokens
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Reads from all until each has received a text. Returns the times of the first and the last.
    private func hear(_ text: String, on epoll: Int32, _ all: Set<Int32>) -> (first: ContinuousClock.Instant, last: ContinuousClock.Instant) {
        var waiting = all
        var first: ContinuousClock.Instant?
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while !waiting.isEmpty {
            let ready = epoll_wait(epoll, &events, 512, 20_000)
            guard ready > 0 else {
                print("listeners: \(waiting.count) have heard nothing for 20 s")
                break
            }
            for event in events[..<Int(ready)] {
                let count = read(event.data.fd, &buffer, buffer.count)
                if count > 0, String(decoding: buffer[..<count], as: UTF8.self).contains(text) {
                    first = first ?? .now
                    waiting.remove(event.data.fd)
                } else if count <= 0 {
                    waiting.remove(event.data.fd)
                }
            }
        }
        return (first ?? .now, .now)
    }
}
