// SPDX-License-Identifier: Apache-2.0

import Compression
import HTTPServer
import Platform
import TestSupport
import Testing

struct LimitTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"

    @Test func `each limit has its status`() async throws {
        let limited: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in .inline(bodyLimit: 10, decodedLimit: 5) { $1.send(echoed($0)) } }
        try await serving(plan: limited) { server in
            let long = String(repeating: "x", count: 70_000)
            let cases = [
                ("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", 414), ("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", 431),
                ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 2_000))\r\n", 431),
                (LimitTests.post + "Content-Length: 11\r\n\r\n", 413), (LimitTests.post + "Content-Length: 6\r\n\r\nsixsix", 413),
                (LimitTests.post + "Content-Length: 5\r\n\r\nfives", 200),
                (LimitTests.post + "Transfer-Encoding: chunked\r\n\r\nb\r\n", 413),
                (LimitTests.post + "Content-Length: 11\r\nExpect: 100-continue\r\n\r\n", 413),
            ]
            for (request, status) in cases {
                let client = try Client(port: server.port)
                try? client.send(request)
                #expect(try client.receiveAnswer().status == status, "\(request.prefix(80))")
            }
            #expect(try server.isHealthyAfterRefusals())
        }
    }

    @Test func `content codings are decoded within the limit`() async throws {
        for isAsync in [false, true] {
            let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in
                isAsync
                    ? .async(bodyLimit: 50_000, decodedLimit: 1_000) { .response(echoed($0)) }
                    : .inline(bodyLimit: 50_000, decodedLimit: 1_000) { $1.send(echoed($0)) }
            }
            try await serving(plan: plan) { server throws in
                let bomb = gzip([UInt8](repeating: 0x61, count: 1_000_000))
                #expect(try server.post(gzip(Array("hello".utf8)), coding: "gzip") == 200)
                #expect(try server.post(compress(Array("hello".utf8)), coding: "ZSTD") == 200)
                #expect(try server.post([], coding: "gzip") == 200)
                #expect(try server.post(bomb, coding: "gzip") == 413)
                #expect(try server.post(Array(bomb.dropLast()), coding: "gzip") == 413)
                #expect(try server.post(Array("hello".utf8), coding: "gzip") == 400)
                #expect(try server.post(Array("hello".utf8), coding: "rot13") == 415)
                #expect(try server.post(Array("hello".utf8), coding: "gzip, gzip") == 415)
                #expect(try server.post(Array("hello".utf8), coding: "gzip\r\nContent-Encoding: gzip") == 415)
            }
        }
    }

    @Test func `a truncating plan passes on the beginning of a large body`() async throws {
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in
            .truncating(
                acceptedBytes: 400_000,
                .async(bodyLimit: 100_000, decodedLimit: 150_000) { request in
                    let isRight = request.body == Array([UInt8](repeating: 0x61, count: 500_000).prefix(request.body.count))
                    return .response(HTTPResponse(status: isRight ? 200 : 500, body: Array("\(request.body.count) \(request.isTruncated)".utf8)))
                })
        }
        var random = SeededGenerator(7)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try await serving({ $0.caps.requestMemory = 4_000_000 }, plan: plan) { server throws in
            func send(_ body: [UInt8], _ coding: String? = nil) throws -> (status: Int, text: String) {
                let client = try Client(port: server.port)
                let field = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
                let head = LimitTests.post + field + "Content-Length: \(body.count)\r\n\r\n"
                try? client.send((Array(head.utf8) + body)[...])
                let answer = try client.receiveAnswer()
                return (answer.status, String(decoding: answer.body, as: UTF8.self))
            }
            func plain(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }
            #expect(try send(plain(100_000)).text == "100000 false")
            #expect(try send(plain(400_000)).text == "100000 true")
            #expect(try send(plain(400_001)).status == 413)
            for (coding, encode) in [("gzip", gzip), ("zstd", compress)] {
                #expect(try send(encode(plain(150_000)), coding).text == "150000 false")
                #expect(try send(encode(plain(150_001)), coding).text == "150000 true")
                #expect(try send(Array(encode(plain(150_000)).dropLast(3)), coding).status == 400)
                // Its end is dropped before it is decompressed.
                #expect(try send(encode(plain(1_000) + noise), coding).status == 500)
            }
        }
    }

    @Test func `bodies share one budget from the first byte to the response`() async throws {
        try await serving({ $0.caps.requestMemory = 250_000 }) { server in
            let half = LimitTests.post + "Content-Length: 90000\r\n\r\n" + String(repeating: "x", count: 80_000)
            let first = try Client(port: server.port)
            try first.send(half)
            let second = try Client(port: server.port)
            try? second.send(half)
            let statuses = try [second.receiveAnswer().status]
            #expect(statuses == [429])
            try first.send(String(repeating: "x", count: 10_000))
            #expect(try first.receiveAnswer().status == 200)
            var last = 429
            // The response may arrive before the decoder has released the request.
            while last == 429 {
                let third = try Client(port: server.port)
                try? third.send(half + String(repeating: "x", count: 10_000))
                last = try third.receiveAnswer().status
            }
            #expect(last == 200)
        }
    }

    @Test func `a connection above the limit is closed, and a closed one frees its place`() async throws {
        try await serving({ $0.caps.connections = 2 }) { server in
            var first: Client? = try Client(port: server.port)
            let second = try Client(port: server.port)
            try first?.ask()
            try second.ask()
            #expect(try Client(port: server.port).isEnded())
            #expect(server.statistics.rejected == 1)
            first = nil
            while server.statistics.connections > 1 { try second.ask() }
            try Client(port: server.port).ask()
        }
    }

    @Test func `connections are limited per address, except for a trusted proxy`() async throws {
        try await serving({
            $0.caps.connectionsPerAddress = 2
            $0.trustedProxies = ["127.0.0.9"].compactMap(AddressRange.init)
        }) { server in
            let own = try [Client(port: server.port), Client(port: server.port)]
            for client in own { try client.ask() }
            #expect(try Client(port: server.port).isEnded())
            let other = try Client(port: server.port, from: "127.0.0.5")
            try other.ask()
            let proxied = try (0..<5).map { _ in try Client(port: server.port, from: "127.0.0.9") }
            for client in proxied { try client.ask() }
        }
    }

    @Test func `clients behind a proxy have their own request limits`() async throws {
        let replies = Shared<[HTTPReply]>([])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path == "/wait" else { return .respond(HTTPResponse(status: 200, body: Array(head.client.description.utf8))) }
            return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in replies.change { $0.append(reply) } }
        }
        try await serving({ $0.caps.connectionsPerAddress = 2 }, plan: plan) { server in
            let clients = try (0..<4).map { _ in try Client(port: server.port) }
            let request = { (path: String, client: String) in "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9, \(client)\r\n\r\n" }
            try clients[0].send(request("/wait", "192.0.2.1"))
            try clients[1].send(request("/wait", "192.0.2.1"))
            while replies.current.count < 2 { try clients[3].ask() }
            try clients[2].send(request("/", "192.0.2.1"))
            #expect(try clients[2].receiveAnswer().status == 429)
            try clients[3].send(request("/", "192.0.2.2"))
            #expect(try clients[3].receiveAnswer().text == "192.0.2.2")
            for reply in replies.current { reply.send(HTTPResponse(status: 200)) }
            #expect(try clients[0].receiveAnswer().status == 200)
            try clients[0].send(request("/", "192.0.2.1"))
            #expect(try clients[0].receiveAnswer().text == "192.0.2.1")
        }
    }

    @Test func `accepting pauses without descriptors and resumes when some are free`() async throws {
        try await serving({
            $0.caps.descriptors = 12
            $0.caps.reservedDescriptors = 10
        }) { server in
            var first: Client? = try Client(port: server.port)
            let second = try Client(port: server.port)
            try first?.ask()
            try second.ask()
            let third = try Client(port: server.port)
            try third.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            try second.ask()
            #expect(server.statistics.accepted == 2)
            first = nil
            #expect(try third.receiveAnswer().status == 200)
        }
    }
}

extension Client {
    /// Sends a valid request and returns its response.
    @discardableResult
    func ask() throws -> Reply {
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try receiveAnswer()
        #expect(answer.status == 200)
        return answer
    }
}

extension HTTPServer {
    fileprivate func isHealthyAfterRefusals() throws -> Bool {
        let client = try Client(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        return try client.receiveAnswer().status == 200
    }

    func post(_ body: [UInt8], coding: String) throws -> Int {
        let client = try Client(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n")
        try? client.send(body[...])
        return try client.receiveAnswer().status
    }
}
