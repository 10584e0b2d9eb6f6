// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import TestSupport
import Testing

struct DeadlineTests {
    private static let short = Duration.milliseconds(60)
    /// An idle timeout that is long enough for a client to connect and send a request.
    private static let longer = Duration.seconds(5)

    @Test func `an idle connection is closed without a response`() async throws {
        try await serving({ $0.deadlines.idle = DeadlineTests.longer }) { server in
            #expect(try Client(port: server.port).isEnded())
            let used = try Client(port: server.port)
            try used.ask()
            #expect(try used.isEnded())
        }
    }

    @Test func `a head that takes too long gets 408, even if bytes keep arriving`() async throws {
        try await serving({ $0.deadlines.header = DeadlineTests.short }) { server in
            let silent = try Client(port: server.port)
            try silent.send("GET / HTTP/1.1\r\n")
            #expect(try silent.receiveAnswer().status == 408)
            let trickling = try Client(port: server.port)
            try trickling.send("GET / HTTP/1.1\r\n")
            var sent = 0
            while (try? trickling.send("X")) != nil, sent < 10_000, server.statistics.faults < 2 {
                sent += 1
                _ = try server.isHealthy()
            }
            #expect(try trickling.receiveAnswer().status == 408)
        }
    }

    @Test func `a body below the minimum rate gets 408`() async throws {
        try await serving({ $0.deadlines.bodyGrace = DeadlineTests.short }) { server in
            let client = try Client(port: server.port)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
            let answer = try client.receiveAnswer()
            #expect(answer.status == 408 && answer.headers["connection"] == "close")
            #expect(try client.isEnded())
        }
    }

    @Test func `a fast body may not stall at its end`() async throws {
        try await serving({ $0.deadlines.bodyGrace = DeadlineTests.short }) { server in
            let client = try Client(port: server.port)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 999_999))
            #expect(try client.receiveAnswer().status == 408)
        }
    }

    @Test func `a client that does not read its response is disconnected`() async throws {
        let body = [UInt8](repeating: 0x78, count: 32 * 1_024 * 1_024)
        try await serving(
            { $0.deadlines.write = DeadlineTests.short }, plan: { $0.path == "/big" ? .respond(HTTPResponse(status: 200, body: body)) : echo($0) }
        ) { server in
            let client = try Client(port: server.port, receiveBuffer: 4_096)
            try client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive()
            try server.waitUntil { $0.connections <= 1 }
        }
    }

    @Test func `a rejected client that keeps sending is disconnected`() async throws {
        try await serving({ $0.deadlines.linger = DeadlineTests.short }) { server in
            let client = try Client(port: server.port)
            try client.send("nonsense\r\n")
            #expect(try client.receiveAnswer().status == 400)
            try server.waitUntil { $0.connections <= 1 }
        }
    }

    @Test func `a handler has no time limit`() async throws {
        let replies = Shared<[HTTPReply]>([])
        try await serving(
            {
                $0.deadlines.idle = DeadlineTests.longer
                $0.deadlines.header = DeadlineTests.longer
                $0.deadlines.write = DeadlineTests.longer
            },
            plan: { head in
                guard head.path == "/wait" else { return echo(head) }
                return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in replies.change { $0.append(reply) } }
            }
        ) { server in
            let client = try Client(port: server.port)
            try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            while replies.current.isEmpty { _ = try server.isHealthy() }
            // When another connection that becomes idle now is closed, every shorter deadline of the waiting one has passed too.
            #expect(try Client(port: server.port).isEnded())
            replies.current[0].send(HTTPResponse(status: 200))
            #expect(try client.receiveAnswer().status == 200)
        }
    }
}

struct ConnectionStateTests {
    private static func state(bytesPerSecond: Int = 1_000) -> ConnectionState {
        var deadlines = HTTPServerConfiguration.Deadlines()
        deadlines.minimumBytesPerSecond = bytesPerSecond
        return ConnectionState(limits: DeadlineLimits(deadlines), now: 0)
    }

    @Test func `the deadline of a head counts from its first byte`() {
        var state = ConnectionStateTests.state()
        #expect(state.deadline == 60_000)
        state.headBegan(at: 50_000)
        state.headBegan(at: 55_000)
        #expect(state.expiry(at: 59_999) == nil)
        #expect(state.expiry(at: 60_000) == .respondSlowClient)
    }

    @Test func `only received bytes extend the deadline of a body`() {
        var state = ConnectionStateTests.state()
        state.bodyGrew(to: 0, at: 1_000)
        #expect(state.deadline == 11_000)
        state.bodyGrew(to: 5_000, at: 9_000)
        #expect(state.deadline == 16_000)
        #expect(state.expiry(at: 16_000) == .respondSlowClient)
    }

    @Test func `a fast body earns no extra time for a pause`() {
        var state = ConnectionStateTests.state()
        state.bodyGrew(to: 8 << 20, at: 0)
        #expect(state.deadline == 10_000)
        state.bodyGrew(to: 8 << 20 + 1, at: 9_000)
        #expect(state.deadline == 10_001)
    }

    @Test(arguments: [(bytes: 1, pause: 1), (bytes: 9_000, pause: 9_000), (bytes: 100_000, pause: 9_999)])
    func `a body at the minimum rate meets its deadline in single bytes and in bursts`(bytes: Int, pause: Int64) {
        var state = ConnectionStateTests.state()
        state.bodyGrew(to: 0, at: 0)
        for turn in 1...20_000 {
            let now = Int64(turn) * pause
            #expect(state.expiry(at: now) == nil)
            state.bodyGrew(to: turn * bytes, at: now)
        }
    }

    @Test func `single bytes of a body extend the deadline as much as a block`() {
        var state = ConnectionStateTests.state(bytesPerSecond: 1_024)
        state.bodyGrew(to: 0, at: 0)
        for count in 1...1_024 { state.bodyGrew(to: count, at: 5_000) }
        #expect(state.deadline == 11_000)
    }

    @Test func `a response read fast may not stall at its end`() {
        var state = ConnectionStateTests.state()
        state.writeBegan(at: 0)
        state.wrote(8 << 20, at: 0)
        state.wrote(1, at: 29_000)
        #expect(state.deadline == 30_001)
    }

    @Test func `a response must be read at the minimum rate`() {
        var state = ConnectionStateTests.state()
        state.writeBegan(at: 0)
        state.wrote(0, at: 20_000)
        #expect(state.deadline == 30_000)
        state.wrote(10_000, at: 20_000)
        #expect(state.deadline == 40_000)
        state.wrote(1_000_000, at: 30_000)
        #expect(state.deadline == 60_000)
        #expect(state.expiry(at: 60_000) == .close)
    }

    @Test func `no deadline applies while a handler works or a stream is silent`() {
        var state = ConnectionStateTests.state()
        state.requestCompleted(at: 0)
        #expect(state.expiry(at: 1 << 60) == nil)
        state.streamBecameIdle(at: 0)
        #expect(state.expiry(at: 1 << 60) == nil)
        state.lingers(at: 0)
        #expect(state.expiry(at: 2_000) == .close)
    }
}
