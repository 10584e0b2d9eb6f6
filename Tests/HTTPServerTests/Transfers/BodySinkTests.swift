// SPDX-License-Identifier: Apache-2.0

import Compression
import Dispatch
import Glibc
import HTTPServer
import TestSupport
import Testing

struct BodySinkTests {
    private static func put(_ fields: String) -> String { "PUT /a HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }
    private static func put(length: Int) -> String { put("Content-Length: \(length)\r\n") }

    @Test func `64 MiB arrive whole, in pieces of limited size`() async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let body = distinctBytes(64 << 20)
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(length: body.count))
            try client.send(body[...])
            let answer = try client.receiveAnswer()
            #expect(answer.status == 201 && answer.text == RecordingSink.summary(of: body))
            let record = receiving.sinks[0].current
            #expect(record.ends == ["finish"] && (1...BodyPiece.largest).contains(record.largestPiece))
            #expect(server.statistics.receivedBytes == body.count)
            #expect(try client.ask().headers["connection"] == nil)
        }
    }

    @Test func `a chunked body is decoded, and a compressed one is not inflated`() async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let client = try Client(port: server.port)
            let body = distinctBytes(1 << 20)
            var framed: [UInt8] = []
            var (offset, size) = (0, 1)
            while offset < body.count {
                let end = min(body.count, offset + size)
                framed += Array("\(String(end - offset, radix: 16))\r\n".utf8) + body[offset..<end] + Array("\r\n".utf8)
                (offset, size) = (end, size * 2 % 300_007)
            }
            try client.send(BodySinkTests.put("Transfer-Encoding: chunked\r\n"))
            try client.send((framed + Array("0\r\n\r\n".utf8))[...])
            #expect(try client.receiveAnswer().text == RecordingSink.summary(of: body))
            #expect(receiving.sinks[0].current.largestPiece <= BodyPiece.largest)
            let coded = gzip(Array("hello".utf8))
            try client.send(BodySinkTests.put("Content-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n"))
            try client.send(coded[...])
            #expect(try client.receiveAnswer().text == RecordingSink.summary(of: coded))
        }
    }

    @Test(arguments: ["Content-Length: 0\r\n", "", "Transfer-Encoding: chunked\r\n"])
    func `an empty body is finished without a piece`(field: String) async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(field) + (field.hasPrefix("T") ? "0\r\n\r\n" : "") + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer().text == RecordingSink.summary(of: []))
            #expect(try client.receiveAnswer().text == "GET /next - ")
            #expect(receiving.sinks[0].current.largestPiece == 0)
        }
    }

    private static let framings = [
        "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n",
    ]

    @Test(arguments: framings)
    func `a body in two pieces is the same at any split`(request: String) async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let bytes = Array(request.utf8)
            let client = try Client(port: server.port)
            for cut in 1..<bytes.count {
                try client.send(bytes[..<cut])
                _ = try server.isHealthy()
                try client.send(bytes[cut...])
                #expect(try client.receiveAnswer().text == RecordingSink.summary(of: Array("hello".utf8)), "cut at \(cut)")
            }
            #expect(receiving.sinks.map(\.ends) == Array(repeating: ["finish"], count: bytes.count - 1))
        }
    }

    @Test(arguments: framings)
    func `a connection that breaks at any byte abandons the sink once, with what came`(request: String) async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let bytes = Array(request.utf8)
            let headLength = try #require(bytes.place(of: Array("\r\n\r\n".utf8))) + 4
            for end in 0..<bytes.count {
                let before = receiving.sinks.count
                var client: Client? = try Client(port: server.port)
                try client?.send(bytes[..<end])
                guard end >= headLength else { continue }
                while receiving.sinks.count == before { _ = try server.isHealthy() }
                client = nil
                let sink = receiving.sinks[before]
                while sink.ends.isEmpty { _ = try server.isHealthy() }
                #expect(sink.ends == ["disconnected"] && "hello".hasPrefix(sink.text), "broken at \(end)")
                if end == bytes.count - 1 { #expect(sink.text == (request.contains("chunked") ? "hello" : "hell")) }
            }
            try server.waitUntil { $0.connections <= 1 && $0.transfers == 0 }
        }
    }

    @Test(arguments: [
        ("3\r\nhel\r\nx", "400", "badRequest"), ("3\r\nhel\r\n8\r\nlo you", "413", "tooLarge"), ("B\r\n", "413", "tooLarge"),
    ])
    func `a malformed or too large chunked body abandons the sink`(body: String, status: String, reason: String) async throws {
        let receiving = Receiving(limit: 10)
        try await serving(plan: receiving.plan) { server in
            let request = BodySinkTests.put("Transfer-Encoding: chunked\r\n") + body
            let text = try server.exchange(request + "\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 \(status) ") && text.occurrences(of: "HTTP/1.1 ") == 1)
            let ends = receiving.sinks[0].ends
            #expect(ends.count == 1 && ends[0].hasPrefix("fault(") && ends[0].contains(reason))
        }
    }

    @Test func `a declared length beyond the limit is rejected before its body`() async throws {
        let receiving = Receiving(limit: 10)
        try await serving(plan: receiving.plan) { server in
            let text = try server.exchange(BodySinkTests.put("Content-Length: 11\r\nExpect: 100-continue\r\n"))
            #expect(text.hasPrefix("HTTP/1.1 413 "))
            #expect(receiving.sinks[0].current.bytes.isEmpty && receiving.sinks[0].ends.count == 1)
        }
    }

    /// Accepts bodies of 5 bytes once the gate is opened.
    private static func accepting(
        _ sink: RecordingSink, behind gate: AsyncStream<Void>, _ isAsked: DispatchSemaphore
    ) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.method == .put else { return echo(head) }
            return .receive { (_) throws(BodyRefusal) in
                isAsked.signal()
                for await _ in gate { break }
                return BodyAcceptance(sink, limit: 5)
            }
        }
    }

    @Test func `100 Continue is sent after the body is accepted`() async throws {
        let (isAsked, sink) = (DispatchSemaphore(value: 0), RecordingSink())
        let (gate, continuation) = AsyncStream.makeStream(of: Void.self)
        let plan = BodySinkTests.accepting(sink, behind: gate, isAsked)
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put("Content-Length: 5\r\nExpect: 100-continue\r\n"))
            isAsked.wait()
            _ = try server.isHealthy()
            var byte: UInt8 = 0
            #expect(recv(client.descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) == -1)
            continuation.yield()
            #expect(try client.receiveAnswer().status == 100)
            try client.send("hello")
            #expect(try client.receiveAnswer().status == 201)
        }
    }

    private static func refusing(_ status: Int) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.method == .put else { return echo(head) }
            return .receive { (_) throws(BodyRefusal) in throw .response(HTTPResponse(status: status, body: Array("no".utf8))) }
        }
    }

    @Test func `a refused small body is discarded and the connection goes on`() async throws {
        try await serving(plan: BodySinkTests.refusing(403)) { server in
            let client = try Client(port: server.port)
            let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"
            let bodies = [
                BodySinkTests.put(length: 200_000) + String(repeating: "x", count: 200_000),
                BodySinkTests.put("Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n0\r\n\r\n", BodySinkTests.put(""),
            ]
            for body in bodies {
                try client.send(body + next)
                #expect(try client.receiveAnswer().text == "no")
                #expect(try client.receiveAnswer().text == "GET /next - ")
            }
            try server.waitUntil { $0.transfers == 0 }
        }
    }

    @Test(arguments: ["Content-Length: 300000\r\n", "Content-Length: 5\r\nExpect: 100-continue\r\n"])
    func `a refused body that is large or waits for 100 Continue is not read`(fields: String) async throws {
        try await serving(plan: BodySinkTests.refusing(403)) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(fields))
            let answer = try client.receiveAnswer()
            #expect(answer.status == 403 && answer.headers["connection"] == "close")
            #expect(try client.isEnded())
        }
    }

    @Test func `a sink may refuse a piece, and gets no further call`() async throws {
        let receiving = Receiving { count throws(BodyRefusal) in
            if count > 100_000 { throw .response(HTTPResponse(status: 507, body: Array("full".utf8))) }
        }
        try await serving(plan: receiving.plan) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(length: 3_000_000))
            try? client.send(distinctBytes(3_000_000)[...])
            let answer = try client.receiveAnswer()
            #expect(answer.status == 507 && answer.text == "full" && answer.headers["connection"] == "close")
            #expect(receiving.sinks[0].ends == [])
            try server.waitUntil { $0.transfers == 0 }
        }
    }

    @Test func `a body below the minimum rate gets 408 and abandons the sink`() async throws {
        let receiving = Receiving()
        try await serving({ $0.deadlines.bodyGrace = .milliseconds(60) }, plan: receiving.plan) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(length: 100) + "abc")
            let answer = try client.receiveAnswer()
            #expect(answer.status == 408 && answer.headers["connection"] == "close")
            #expect(try client.isEnded())
            #expect(receiving.sinks[0].text == "abc" && receiving.sinks[0].ends == ["fault(HTTPServer.HTTPRequestError.slowClient)"])
        }
    }

    @Test func `a client that leaves before its body is accepted abandons the sink`() async throws {
        let (isAsked, sink) = (DispatchSemaphore(value: 0), RecordingSink())
        let (gate, continuation) = AsyncStream.makeStream(of: Void.self)
        let plan = BodySinkTests.accepting(sink, behind: gate, isAsked)
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port)
            try client.send(BodySinkTests.put(length: 5) + "he")
            isAsked.wait()
            client.reset()
            try server.waitUntil { $0.connections <= 1 && $0.transfers == 0 }
            continuation.yield()
            while sink.ends.isEmpty { _ = try server.isHealthy() }
            #expect(sink.ends == ["disconnected"] && sink.count == 0)
        }
    }
}

extension Client {
    /// Ends the connection with a reset, which the server notices although it does not read.
    func reset() {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        // Connecting to no address ends the connection and keeps the descriptor.
        connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
