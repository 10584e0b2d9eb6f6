// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct WorkerLineTests {
    private static let parser = JSONParser()

    @Test(arguments: [
        (#"{"id":"a","result":null}"#, WorkerLine.end(.ok)), (#" {"id":"a","result":{"error":1}}"#, .end(.ok)),
        (#"{"id":"a","error":{"status":"ABORTED","message":"m"}}"#, .end(.aborted)), (#"{"id":"a","error":"text"}"#, .end(.internal)),
        (#"{"id":"a","error":{"status":"OK"}}"#, .end(.internal)), (#"{"id":"a","result":1,"error":{"status":"NOT_FOUND"}}"#, .end(.notFound)),
        (#"{"id":"a","message":{}}"#, .message), (#"{"id":"a","log":"text","level":"error"}"#, .log(.error, "text")),
        (#"{"log":"start"}"#, .log(.info, "start")), (#"{"log":{"a":1},"level":"odd"}"#, .log(.info, #"{"a":1}"#)),
        ("loading", .log(.info, "loading")), ("[1]", .log(.info, "[1]")),
    ])
    func `a line is what its members say`(text: String, line: WorkerLine) {
        #expect(WorkerLine(Array(text.utf8), id: "a", Self.parser) == line)
    }

    @Test(arguments: [#"{"id":"b","result":1}"#, #"{"result":1}"#, #"{"id":"a"}"#, #"{"id":"a","result":}"#, "{", #"{"id":1,"result":1}"#])
    func `a line that breaks the protocol is a fault`(text: String) {
        guard case .fault = WorkerLine(Array(text.utf8), id: "a", Self.parser) else {
            Issue.record("\(text) was accepted")
            return
        }
    }

    @Test func `nothing is answered without a call`() {
        #expect(WorkerLine(Array(#"{"id":"a","result":1}"#.utf8), id: nil, Self.parser) == .fault("answered without a call"))
        #expect(WorkerLine(Array(#"{"result":1}"#.utf8), id: nil, Self.parser) == .fault("answered without a call"))
    }

    /// Surroundings with so much memory, and what of it is taken.
    private static func surroundings(memory: Int) -> (WorkerSurroundings, MemoryInUse) {
        let memoryInUse = MemoryInUse(limit: memory)
        let surroundings = WorkerSurroundings(
            options: { WorkerOptions() }, function: { _ in nil }, log: { _, _ in }, takeMemory: memoryInUse.take,
            giveMemoryBack: memoryInUse.giveBack, launcher: nil, dataFolder: "/nowhere", clock: .system)
        return (surroundings, memoryInUse)
    }

    private final class MemoryInUse: Sendable {
        private let limit: Int
        private let held = Mutex(0)

        init(limit: Int) { self.limit = limit }

        var bytes: Int { held.withLock { $0 } }

        func take(_ bytes: Int) -> Bool {
            held.withLock { held in
                if held + bytes > limit { return false }
                held += bytes
                return true
            }
        }

        func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }
    }

    @Test func `lines for the log take memory when they are read`() {
        let (surroundings, memory) = Self.surroundings(memory: 1 << 20)
        let transport = LineTransport(Self.parser, surroundings, input: -1)
        let text = "loading\n" + #"{"log":"\#(String(repeating: "x", count: 5_000))","level":"error"}"# + "\n"
        let events = transport.output(Array(text.utf8)[...])
        let lines = events.compactMap { event -> WorkerLogLine? in
            if case .log(let level, let text) = event { WorkerLogLine(level: level, text: text) } else { nil }
        }
        #expect(events.count == 2 && lines.map(\.level) == [.info, .error] && lines[1].text.utf8.count == WorkerLogLine.maximumBytes)
        #expect(memory.bytes == lines.reduce(0) { $0 + $1.bytesCharged } && memory.bytes > WorkerLogLine.maximumBytes)
    }

    @Test func `lines for the log beyond the memory are dropped as they are read`() {
        let (surroundings, memory) = Self.surroundings(memory: 1_000)
        let transport = LineTransport(Self.parser, surroundings, input: -1)
        let events = transport.output(Array(String(repeating: "line\n", count: 100).utf8)[...])
        let kept = events.count { if case .log = $0 { true } else { false } }
        #expect(events.count == 100 && (1...10).contains(kept) && memory.bytes <= 1_000)
        #expect(events.count { if case .lineDropped = $0 { true } else { false } } == 100 - kept)
    }

    @Test func `a buffer cuts lines wherever the bytes are split`() {
        let text = Array("ab\n\ncd\nef".utf8)
        for place in 0...text.count {
            var buffer = LineBuffer(limit: 4)
            let lines = (buffer.take(text[..<place]) ?? []) + (buffer.take(text[place...]) ?? [])
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["ab", "", "cd"])
            let rest = buffer.takeRest()
            #expect(rest == Array("ef".utf8))
        }
    }

    @Test func `a line beyond the limit ends the stream, and a line of a log is cut`() {
        for text in ["abcde", "abcde\n", "a\nabcde\n"] {
            var buffer = LineBuffer(limit: 4)
            let lines = buffer.take(Array(text.utf8)[...])
            #expect(lines == nil)
        }
        var log = LineBuffer(limit: 4)
        let lines = log.takeCut(Array("abcdefghi\njk\nl".utf8)[...])
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["abcd", "efgh", "i", "jk"])
        let rest = log.takeRest()
        #expect(rest == Array("l".utf8))
    }

    @Test func `five crashes within a minute break a worker for a minute`() {
        var breaker = CrashBreaker()
        let start = ContinuousClock.now
        // The first one is too long ago when the fifth comes.
        let breaks = [0, 1, 2, 3, 60, 60].map { breaker.crashed(at: start + .seconds($0)) }
        #expect(breaks == [false, false, false, false, false, true])
        #expect(breaker.isBroken(at: start + .seconds(119)) && !breaker.isBroken(at: start + .seconds(120)) && breaker.isFailing)
        breaker.succeeded()
        #expect(!breaker.isFailing && breaker.isCalm(at: start + .seconds(120)))
    }
}
