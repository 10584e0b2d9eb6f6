// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

/// A receiver that responds 200 to every request at once or after a delay, or never, over keep-alive connections. One thread and one epoll.
struct Sink {
    private let epoll: Int32
    private let listener: Int32
    private let delay: Double
    private let isSilent: Bool
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// The bytes of incomplete requests, by descriptor.
    private var unfinished: [Int32: [UInt8]] = [:]
    /// Pending responses, ordered by due time because all have the same delay.
    private var waiting: [(due: Double, connection: Int32, count: Int)] = []
    private var firstWaiting = 0

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    static func run(_ options: Options) throws {
        var sink = try Sink(port: UInt16(options.port), delay: Double(options.delay) / 1_000, isSilent: options.silent > 0)
        FileHandle.standardOutput.write(Data("listening\n".utf8))
        sink.run()
    }

    private init(port: UInt16, delay: Double, isSilent: Bool) throws {
        self.delay = delay
        self.isSilent = isSilent
        epoll = epoll_create1(0)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_ANY.bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard code == 0, listen(listener, 4_096) == 0 else { throw BenchmarkError("cannot listen on port \(port)") }
        watch(listener)
    }

    private func watch(_ descriptor: Int32) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = descriptor
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    private mutating func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), patience)
            for event in events[..<max(0, Int(count))] {
                if event.data.fd == listener { accept() } else { receive(event.data.fd) }
            }
            answerDue()
        }
    }

    private mutating func receive(_ connection: Int32) {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else {
            unfinished[connection] = nil
            close(connection)
            return
        }
        var bytes = unfinished.removeValue(forKey: connection) ?? []
        bytes += buffer[..<count]
        let (requests, end) = bytes.withUnsafeBufferPointer(Sink.wholeRequests)
        if end < bytes.count { unfinished[connection] = Array(bytes[end...]) }
        guard requests > 0, !isSilent else { return }
        if delay == 0 { answer(connection, requests) } else { waiting.append((monotonicSeconds() + delay, connection, requests)) }
    }

    private func accept() {
        var peer = sockaddr_storage()
        let connection = clinux_accept(listener, &peer)
        if connection >= 0 { watch(connection) }
    }

    private func answer(_ connection: Int32, _ count: Int) {
        for _ in 0..<count { send(connection, Sink.answer, Sink.answer.count, Int32(MSG_NOSIGNAL)) }
    }
}

// MARK: - Delay

extension Sink {
    private var patience: Int32 {
        guard firstWaiting < waiting.count else { return -1 }
        return Int32(max(0, (waiting[firstWaiting].due - monotonicSeconds()) * 1_000) + 0.999)
    }

    private mutating func answerDue() {
        guard firstWaiting < waiting.count else { return }
        let now = monotonicSeconds()
        while firstWaiting < waiting.count, waiting[firstWaiting].due <= now {
            answer(waiting[firstWaiting].connection, waiting[firstWaiting].count)
            firstWaiting += 1
        }
        if firstWaiting > 10_000 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
    }
}

// MARK: - Reading

extension Sink {
    /// Returns the number of complete requests and the end of the last one.
    private static func wholeRequests(_ bytes: UnsafeBufferPointer<UInt8>) -> (count: Int, end: Int) {
        var found = (count: 0, end: 0)
        while let head = endOfHead(bytes, from: found.end) {
            let end = head + contentLength(bytes, found.end..<head)
            guard end <= bytes.count else { break }
            found = (found.count + 1, end)
        }
        return found
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
    private static let lengthField = Array("\r\nContent-Length: ".utf8)

    private static func endOfHead(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        end(of: emptyLine, in: bytes, start..<bytes.count)
    }

    private static func contentLength(_ bytes: UnsafeBufferPointer<UInt8>, _ head: Range<Int>) -> Int {
        guard var digit = end(of: lengthField, in: bytes, head) else { return 0 }
        var length = 0
        while (0x30...0x39).contains(bytes[digit]) {
            length = length * 10 + Int(bytes[digit] - 0x30)
            digit += 1
        }
        return length
    }

    private static func end(of text: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var start = range.lowerBound
        while start + text.count <= range.upperBound {
            if bytes[start] == text[0], text.indices.allSatisfy({ bytes[start + $0] == text[$0] }) { return start + text.count }
            start += 1
        }
        return nil
    }
}
