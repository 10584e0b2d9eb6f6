// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
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
