// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

/// Streams of documents (`--clients`) of a running daemon, each with some targets (`--targets`), in one of six measurements (`--path`):
///
///     own      each stream listens to a room of its own, while documents are added to random rooms at a rate
///     same     all streams listen to the same room, to which documents are added one after the other
///     hot      all streams listen to one document, which is written at a rate
///     idle     the streams stay open until the standard input ends
///     silent   the streams ask for a whole collection, never read, and stay open until the standard input ends
///     resume   all streams are cut, documents are added (`--events`), and all streams go on from their tokens
final class DocumentListeners {
    private final class Stream {
        let number: Int
        var descriptor: Int32 = -1
        /// Received bytes that were not handled yet; they end within an event.
        var pending: [UInt8] = []
        var current = 0
        var token = ""
        var received = 0
        /// The documents that arrived, and when the last one was sent.
        var documents = 0
        var last = 0.0

        init(_ number: Int) {
            self.number = number
        }
    }

    private let options: Options
    private let epoll = epoll_create1(0)
    private var streams: [Stream] = []
    /// The seconds from sending a document to receiving it.
    private var latencies: [Double] = []
    private var lastEvent = 0.0

    init(_ options: Options) {
        self.options = options
        streams = (0..<options.clients).map(Stream.init)
    }

    func run() throws {
        if options.path == "silent" { return try runSilent() }
        var start = monotonicSeconds()
        try openAll()
        print("\(options.name): \(streams.count) streams current after \(milliseconds(since: start)) ms")
        fflush(nil)
        switch options.path {
        case "own":
            try measureOwn()
        case "same":
            for _ in 0..<5 { try measureSame() }
        case "hot":
            try measureHot()
        case "resume":
            for stream in streams { cut(stream) }
            try DocumentListeners.add("documents added between", load(rate: 0))
            let before = streams.reduce(0) { $0 + $1.received }
            start = monotonicSeconds()
            try openAll()
            let bytes = streams.reduce(0) { $0 + $1.received } - before
            let time = milliseconds(since: start)
            print("\(options.name): \(streams.count) streams current again after \(time) ms, \(latencies.count) documents, \(bytes) bytes")
        default:
            _ = readLine()
        }
    }

    private func runSilent() throws {
        for stream in streams {
            try open(stream)
            usleep(200)
        }
        print("\(options.name): \(streams.count) streams opened, none reads")
        fflush(nil)
        _ = readLine()
    }

    /// Opens all streams, at most 200 at the same time, and waits until they are current.
    private func openAll() throws {
        for first in stride(from: 0, to: streams.count, by: 200) {
            let part = streams[first..<min(first + 200, streams.count)]
            for stream in part { try open(stream) }
            try receive { part.allSatisfy { $0.current >= self.options.targets } }
        }
    }

    private func measureOwn() throws {
        let done = DispatchSemaphore(value: 0)
        let (name, load) = ("\(options.name), documents", self.load(rate: options.rate))
        Thread {
            do { try DocumentListeners.add(name, load) } catch { print("failed: \(error)") }
            done.signal()
        }.start()
        var ended = false
        let wanted = options.events
        try receive {
            if !ended { ended = done.wait(timeout: .now()) == .success }
            return ended && (self.latencies.count >= wanted || monotonicSeconds() - self.lastEvent > 3)
        }
        print("\(options.name): \(latencies.count) of \(wanted) received, p50 / p99 / p99.9 \(LoadGenerator.Result.percentiles(latencies)) ms")
    }

    private func measureSame() throws {
        let (start, before) = (monotonicSeconds(), latencies.count)
        var single = load(rate: 0)
        (single.events, single.clients) = (1, 1)
        _ = try LoadGenerator(port: UInt16(options.port), key: options.key, path: DocumentListeners.put, options: single).run()
        let accepted = milliseconds(since: start)
        try receive { self.latencies.count >= before + self.streams.count }
        print("\(options.name): accepted after \(accepted) ms, received by all after \(milliseconds(since: start)) ms")
    }

    /// Writes one document at a rate, and waits until nothing has arrived for a second.
    private func measureHot() throws {
        let done = DispatchSemaphore(value: 0)
        let (name, load) = ("\(options.name), writes", self.load(rate: options.rate))
        Thread {
            do { try DocumentListeners.add(name, load, to: DocumentListeners.hot) } catch { print("failed: \(error)") }
            done.signal()
        }.start()
        var ended = false
        try receive {
            if !ended { ended = done.wait(timeout: .now()) == .success }
            return ended && monotonicSeconds() - self.lastEvent > 1
        }
        let counts = streams.map(\.documents).sorted()
        let states = Set(streams.map(\.last)).count
        print(
            "\(options.name): \(counts[0]) to \(counts[counts.count - 1]) of \(options.events) states received, \(states) different at the end, "
                + "p50 / p99 / p99.9 \(LoadGenerator.Result.percentiles(latencies)) ms")
    }

    private static let put = "PUT /v1/documents/messages/{id}"
    private static let hot = "PUT /v1/documents/messages/hot"

    private static func add(_ name: String, _ load: Options, to path: String = put) throws {
        let generator = LoadGenerator(port: UInt16(load.port), key: load.key, path: path, options: load)
        print(try generator.run().line(name, events: load.events))
    }

    /// The load of documents in rooms of the streams.
    private func load(rate: Int) -> Options {
        var load = options
        (load.batch, load.rate, load.clients) = (1, rate, 64)
        let rooms = options.path == "same" ? 1 : options.clients * options.targets
        load.body = #"{"fields":{"room":"r{below \#(rooms)}","sent":1{now},"text":"A short message of some words"}}"#
        return load
    }

    private func open(_ stream: Stream) throws {
        stream.descriptor = try LoadGenerator.connect(to: UInt16(options.port))
        (stream.pending, stream.current) = ([], 0)
        let targets = (0..<options.targets).map { number in
            if options.path == "hot" { return #"{"target":\#(number + 1),"document":"messages/hot"}"# }
            if options.path == "silent" { return #"{"target":\#(number + 1),"query":{"from":"items"}}"# }
            let room = options.path == "same" ? "0" : room(stream.number * options.targets + number)
            return #"{"target":\#(number + 1),"query":{"from":"messages","where":["room","==","r\#(room)"]}}"#
        }
        let resume = stream.token.isEmpty ? "" : #","resume":"\#(stream.token)""#
        let body = #"{"targets":[\#(targets.joined(separator: ","))]\#(resume)}"#
        let head = "POST /v1/documents:listen HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(options.key)\r\n"
        let request = Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
        guard request.withUnsafeBytes({ send(stream.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == request.count else {
            throw BenchmarkError("cannot open a stream")
        }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u32: UInt32(stream.number)))
        epoll_ctl(epoll, EPOLL_CTL_ADD, stream.descriptor, &event)
    }

    /// The name of a room, which has leading zeros.
    private func room(_ number: Int) -> String {
        let digits = String(options.clients * options.targets - 1).count
        return String(repeating: "0", count: digits - String(number).count) + String(number)
    }

    private func cut(_ stream: Stream) {
        close(stream.descriptor)
        stream.descriptor = -1
    }

    /// Reads from all streams until a condition holds.
    private func receive(until isDone: () -> Bool) throws {
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var silent = 0
        while !isDone() {
            let ready = epoll_wait(epoll, &events, 512, 100)
            silent = ready > 0 ? 0 : silent + 1
            if silent > 200 { throw BenchmarkError("nothing was received for 20 s") }
            for event in events[..<Int(max(ready, 0))] {
                let stream = streams[Int(event.data.u32)]
                let count = read(stream.descriptor, &buffer, buffer.count)
                guard count > 0 else { throw BenchmarkError("a stream ended: \(String(decoding: stream.pending.suffix(300), as: UTF8.self))") }
                stream.received += count
                handle(buffer[..<count], of: stream)
            }
        }
    }

    /// Handles whole lines: events of targets, tokens and documents.
    private func handle(_ bytes: ArraySlice<UInt8>, of stream: Stream) {
        stream.pending += bytes
        guard let end = stream.pending.lastIndex(of: 0x0a) else { return }
        let now = monotonicSeconds()
        for line in stream.pending[...end].split(separator: 0x0a) {
            if line.starts(with: "id: ".utf8) {
                stream.token = String(decoding: line.dropFirst(4), as: UTF8.self)
            } else if line.starts(with: #"data: {"target":"#.utf8), String(decoding: line, as: UTF8.self).contains(#""current""#) {
                stream.current += 1
            } else if line.starts(with: #"data: {"stamp":"#.utf8) {
                for sent in String(decoding: line, as: UTF8.self).split(separator: #""sent":1"#).dropFirst() {
                    stream.documents += 1
                    stream.last = Double(sent.prefix(15)) ?? 0
                    latencies.append(now - stream.last / 1e6)
                }
                lastEvent = now
            }
        }
        stream.pending.removeSubrange(...end)
    }

    private func milliseconds(since start: Double) -> Int { Int((monotonicSeconds() - start) * 1_000) }
}
