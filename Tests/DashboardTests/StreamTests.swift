// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Panes
@testable import dashboard_cli

struct StreamTests {
    private static let text =
        ": hello\n\nid: 7\nevent: event\ndata: {\"a\":1}\n\nevent: gap\r\ndata: {\"missed\":\ndata: 3}\r\n\r\nid\ndata:x\n\nid: 9\n\ndata: half"

    @Test(arguments: 1...90) func `events are parsed however the bytes are split`(size: Int) throws {
        var events: [StreamEvent] = []
        var reader = ServerSentEvents()
        var rest = Array(StreamTests.text.utf8)[...]
        while !rest.isEmpty {
            events += try reader.take(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(
            events == [
                .init(id: "7", name: "event", data: "{\"a\":1}"), .init(id: "7", name: "gap", data: "{\"missed\":\n3}"),
                .init(id: "", name: "message", data: "x"),
            ])
        #expect(reader.lastID == "9")
        reader.beginAgain()
        #expect(try reader.take(Array("data: whole\n\n".utf8)) == [.init(id: "9", name: "message", data: "whole")])
    }

    @Test func `a line without end is an error`() throws {
        var reader = ServerSentEvents()
        #expect(throws: EventTooLongError.self) {
            for _ in 0..<100 { _ = try reader.take([UInt8](repeating: 0x61, count: 1 << 16)) }
        }
        var lines = ServerSentEvents()
        #expect(throws: EventTooLongError.self) {
            for _ in 0..<100 { _ = try lines.take(Array("data: ".utf8) + [UInt8](repeating: 0x61, count: 1 << 16) + [0x0a]) }
        }
    }

    @Test func `retries back off to 30 seconds`() {
        var backoff = Backoff()
        #expect((0..<9).map { _ in backoff.next(chance: 1) } == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        backoff.reset()
        #expect(backoff.next(chance: 0) == 0.25)
        for _ in 0..<10_000 { _ = backoff.next() }
        #expect((15...30).contains(backoff.next()))
    }
}
