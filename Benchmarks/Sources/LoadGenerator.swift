// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

/// A bounded number of requests over keep-alive connections. One thread and one epoll leave the CPU to the measured server.
struct LoadGenerator {
    let port: UInt16
    let key: String
    let path: String
    let options: Options

    struct Result {
        var seconds: Double
        var requests: Int
        var accepted: Int
        var refused: Int
        /// Seconds of each accepted request.
        var latencies: [Double]
        /// Seconds of each rejected request.
        var refusals: [Double] = []

        static func percentiles(_ times: [Double]) -> String {
            let sorted = times.sorted()
            return [0.5, 0.99, 0.999].map { p in
                sorted.isEmpty ? "-" : String(format: "%.2f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * p))] * 1_000)
            }.joined(separator: " / ")
        }

        func line(_ name: String, events: Int) -> String {
            let rate = Int(Double(accepted) / seconds)
            let requestRate = Int(Double(requests) / seconds)
            let times = Result.percentiles(latencies)
            let refusals = refused == 0 ? "" : ", \(refused) refused in \(Result.percentiles(self.refusals)) ms"
            return "\(name): \(rate) events/s, \(requestRate) requests/s, p50 / p99 / p99.9 \(times) ms\(refusals)"
        }
    }

    private final class Connection {
        let descriptor: Int32
        var request: RequestBody
        var sent = 0
        var started = 0.0
        var answer: [UInt8] = []
        var wasRefused = false

        init(_ descriptor: Int32, _ request: RequestBody) {
            self.descriptor = descriptor
            self.request = request
        }
    }

    func run() throws -> Result {
        let epoll = epoll_create1(0)
        defer { close(epoll) }
        var connections: [Connection] = []
        for i in 0..<options.clients {
            let connection = Connection(try LoadGenerator.connect(to: port), body(client: i))
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            event.data.u32 = UInt32(i)
            epoll_ctl(epoll, EPOLL_CTL_ADD, connection.descriptor, &event)
            connections.append(connection)
        }
        defer { for connection in connections { close(connection.descriptor) } }

        let total = options.events / options.batch
        var result = Result(seconds: 0, requests: 0, accepted: 0, refused: 0, latencies: [])
        result.latencies.reserveCapacity(total)
        var started = 0
        var idle = connections
        let start = monotonicSeconds()
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while result.requests < total {
            let due = options.rate == 0 ? total : min(total, Int((monotonicSeconds() - start) * Double(options.rate)) / options.batch + 1)
            // The connection that has been idle longest, so that all people of a slow load take part and none is closed for being idle.
            while started < due, !idle.isEmpty {
                let connection = idle.removeFirst()
                try send(connection, again: connection.wasRefused && options.repeatsRejected)
                started += 1
            }
            let isAhead = started == due && started < total
            let ready = epoll_wait(epoll, &events, Int32(events.count), isAhead ? 1 : 10_000)
            guard ready > 0 || isAhead else { throw BenchmarkError("no answer for ten seconds") }
            for event in events[..<Int(ready)] {
                let connection = connections[Int(event.data.u32)]
                if try receive(connection, into: &result) { idle.append(connection) }
            }
        }
        result.seconds = monotonicSeconds() - start
        return result
    }

    private func body(client: Int) -> RequestBody {
        if !options.body.isEmpty || path.hasPrefix("GET ") {
            return RequestBody(path, key: key, text: options.body, client: client, random: options.randomIDs)
        }
        return options.report > 0
            ? RequestBody(path: path, key: key, reportBytes: options.report, client: client)
            : RequestBody(
                path: path, key: key, shape: options.shape, events: options.batch, purchases: options.purchases, client: client,
                random: options.randomIDs)
    }

    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard code == 0 else { throw BenchmarkError("cannot connect to port \(port)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        return descriptor
    }

    /// Sends a whole request over a blocking socket.
    ///
    /// - Parameter again: Whether the connection's last request is sent again unchanged.
    private func send(_ connection: Connection, again: Bool = false) throws {
        if !again { connection.request.renew() }
        connection.started = monotonicSeconds()
        connection.answer.removeAll(keepingCapacity: true)
        let bytes = connection.request.bytes
        var sent = 0
        while sent < bytes.count {
            let n = bytes[sent...].withUnsafeBytes { write(connection.descriptor, $0.baseAddress, $0.count) }
            guard n > 0 else { throw BenchmarkError("the connection broke while sending") }
            sent += n
        }
    }

    /// Returns true once the response is complete.
    private func receive(_ connection: Connection, into result: inout Result) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let n = read(connection.descriptor, &buffer, buffer.count)
        guard n > 0 else { throw BenchmarkError("the connection broke while reading") }
        connection.answer += buffer[..<n]
        guard let answer = HandlerResponse(connection.answer) else { return false }
        result.requests += 1
        let time = monotonicSeconds() - connection.started
        if (200..<300).contains(answer.status) {
            result.accepted += answer.accepted ?? options.batch
            result.latencies.append(time)
            connection.wasRefused = false
        } else {
            connection.wasRefused = true
            result.refused += 1
            result.refusals.append(time)
        }
        return true
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A complete response: its status and number of accepted events. It is parsed as bytes, because strings would dominate the cost.
private struct HandlerResponse {
    var status: Int
    var accepted: Int?

    init?(_ bytes: [UInt8]) {
        guard let body = HandlerResponse.end(of: HandlerResponse.emptyLine, in: bytes[...]) else { return nil }
        let lengths = [HandlerResponse.contentLength, HandlerResponse.lowerContentLength]
        if let length = lengths.lazy.compactMap({ HandlerResponse.number(after: $0, in: bytes[..<body]) }).first {
            guard bytes.count - body >= length else { return nil }
        } else {
            // Other servers send chunks.
            guard bytes.suffix(HandlerResponse.lastChunk.count).elementsEqual(HandlerResponse.lastChunk) else { return nil }
        }
        status = HandlerResponse.number(after: HandlerResponse.version, in: bytes[..<body]) ?? 0
        accepted = HandlerResponse.number(after: HandlerResponse.acceptedField, in: bytes[body...])
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let contentLength = Array("Content-Length: ".utf8)
    private static let lowerContentLength = Array("content-length: ".utf8)
    private static let version = Array("HTTP/1.1 ".utf8)
    private static let acceptedField = Array("\"accepted\":".utf8)

    private static func number(after label: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        end(of: label, in: bytes).map { start in
            bytes[start...].prefix { (0x30...0x39).contains($0) }.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
    }

    /// Returns the offset after the first occurrence.
    private static func end(of label: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { text in
            guard let start = text.baseAddress else { return nil }
            var at = 0
            while at + label.count <= text.count {
                guard let next = memchr(start + at, Int32(label[0]), text.count - label.count + 1 - at) else { return nil }
                at = UnsafeRawPointer(next) - start
                if memcmp(next, label, label.count) == 0 { return bytes.startIndex + at + label.count }
                at += 1
            }
            return nil
        }
    }
}
