// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import TestSupport
import Testing

private let hello = "POST /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
private let chunkedHello = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n"

struct ExchangeTests {
    @Test func `a malformed request gets one response and closes the connection`() async throws {
        let heads = Shared(0)
        try await serving(plan: { head in
            heads.change { $0 += 1 }
            return echo(head)
        }) { server in
            for bad in BadRequest.all {
                let before = heads.current
                let text = try server.exchange(bad.bytes + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(text.hasPrefix("HTTP/1.1 \(bad.status) "), "\(bad.name): \(text)")
                #expect(text.occurrences(of: "HTTP/1.1 ") == 1, "\(bad.name) got more than one response")
                #expect(text.contains("\r\nConnection: close\r\n") && text.contains("\r\nX-Request-Id: "))
                #expect(heads.current - before <= 1, "\(bad.name) let a second request through")
            }
            #expect(try server.isHealthy())
        }
    }

    @Test(arguments: [hello, chunkedHello])
    func `a request in two pieces gets the same response at any split`(request: String) async throws {
        try await serving { server in
            let bytes = Array(request.utf8)
            let client = try Client(port: server.port)
            try client.send(request)
            let whole = try client.receiveAnswer()
            #expect(whole.status == 200 && whole.text.hasSuffix("hello"))
            for cut in 1..<bytes.count {
                try client.send(bytes[..<cut])
                _ = try server.isHealthy()
                try client.send(bytes[cut...])
                #expect(try client.receiveAnswer().text == whole.text)
            }
        }
    }

    @Test(arguments: [hello, chunkedHello])
    func `an aborted request gets no response and affects no other`(request: String) async throws {
        try await serving { server in
            let bytes = Array(request.utf8)
            for end in 0..<bytes.count {
                let client = try Client(port: server.port)
                try client.send(bytes[..<end])
                client.endSending()
                #expect(try client.receiveAll() == "")
            }
            #expect(try server.isHealthy())
            try server.waitUntil { $0.connections <= 1 }
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await serving { server in
            let client = try Client(port: server.port)
            let paths = (0..<500).map { "/\($0)" }
            try client.send(paths.map { "POST \($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi" }.joined())
            for path in paths { #expect(try client.receiveAnswer().text == "POST \(path) - hi") }
        }
    }

    @Test func `a pipelined request waits for the previous response`() async throws {
        let replies = Shared<[HTTPReply]>([])
        try await serving(plan: { head in
            guard head.path == "/wait" else { return echo(head) }
            return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in replies.change { $0.append(reply) } }
        }) { server in
            let client = try Client(port: server.port)
            let wait = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(wait + wait + "GET /end HTTP/1.1\r\nHost: a\r\n\r\n")
            for count in 1...2 {
                while replies.current.count < count { _ = try server.isHealthy() }
                _ = try server.isHealthy()
                #expect(replies.current.count == count)
                replies.current[count - 1].send(HTTPResponse(status: 200, body: Array("\(count)".utf8)))
                replies.current[count - 1].send(HTTPResponse(status: 500))
                #expect(try client.receiveAnswer().text == "\(count)")
            }
            #expect(try client.receiveAnswer().text == "GET /end - ")
        }
    }

    @Test func `HEAD gets the headers of GET without a body`() async throws {
        try await serving { server in
            let client = try Client(port: server.port)
            try client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try client.receiveAnswer(toHead: true)
            #expect(answer.headers["content-length"] == "10")
            try client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer().text == "GET /x - ")
        }
    }

    @Test func `a request with Expect gets 100 Continue`() async throws {
        try await serving { server in
            let client = try Client(port: server.port)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n")
            #expect(try client.receiveAnswer().status == 100)
            try client.send("hi")
            #expect(try client.receiveAnswer().text == "POST / - hi")
        }
    }

    @Test func `a request with Expect is rejected before its body`() async throws {
        try await serving(plan: { _ in .respond(HTTPResponse(status: 401)) }) { server in
            let text = try server.exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 401 ") && text.contains("Connection: close"))
        }
    }

    @Test func `nothing is read after a request that closes the connection`() async throws {
        let paths = Shared<[String]>([])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            paths.change { $0.append(head.path) }
            return .respond(.hangUp)
        }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port)
            try client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n")
            let isEnded = try client.isEnded()
            #expect(isEnded && paths.current == ["/first"])
        }
    }

    @Test func `a pipelined request may close its connection, and the loop continues`() async throws {
        try await serving(plan: { $0.path == "/second" ? .respond(.hangUp) : echo($0) }) { server in
            for _ in 0..<4 {
                let client = try Client(port: server.port)
                try client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\nPOST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
                #expect(try client.receiveAnswer().status == 200)
                #expect(try client.isEnded())
                #expect(try server.isHealthy())
            }
        }
    }

    @Test func `a rejected request keeps its connection only without a body`() async throws {
        try await serving(plan: { _ in .respond(HTTPResponse(status: 404)) }) { server in
            let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let text = try server.exchange(get + get + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n" + get)
            #expect(text.occurrences(of: "HTTP/1.1 404 ") == 3)
        }
    }

    @Test func `a request with a skipped body keeps its connection`() async throws {
        try await serving(plan: { $0.method == .post ? .skip(bodyLimit: 100, HTTPResponse(status: 429)) : echo($0) }) { server in
            let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let whole = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n" + String(repeating: "G", count: 40)
            let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nGET\r\n0\r\n\r\n"
            let empty = "POST / HTTP/1.1\r\nHost: a\r\n\r\n"
            let client = try Client(port: server.port)
            for _ in 0..<3 {
                for (request, status) in [(whole, 429), (get, 200), (chunked, 429), (empty, 429)] {
                    try client.send(request)
                    #expect(try client.receiveAnswer().status == status)
                }
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 101\r\n", "Content-Length: 2\r\nExpect: 100-continue\r\n", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n",
    ])
    func `a body too large to skip, or with Expect, closes the connection`(fields: String) async throws {
        try await serving(plan: { _ in .skip(bodyLimit: 100, HTTPResponse(status: 429)) }) { server in
            let text = try server.exchange("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 429 ") && text.contains("Connection: close"))
        }
    }

    @Test(arguments: ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n"])
    func `a client may close the connection after the response`(request: String) async throws {
        try await serving { server in
            let text = try server.exchange(request)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("\r\nConnection: close\r\n") && text.hasSuffix("\r\n\r\nGET / - "))
        }
    }

    @Test func `a header of a handler cannot split the head`() async throws {
        try await Self.expectOnlyGoodField([
            (name: "X-Good", value: "yes"), (name: "X-Bad", value: "a\r\nX-Injected: b"), (name: "X\r\nX-Injected", value: "b"),
            (name: "X-Nul", value: "\0"), (name: "Content-Length", value: "0"), (name: "transfer-encoding", value: "chunked"),
            (name: "", value: "x"),
        ])
    }

    @Test(arguments: ["\u{301}", "\u{20e3}", "\u{600}", "\u{110bd}", "\u{202e}", "\u{200b}", "\u{fe0f}", "\u{e0041}", "\u{2028}", "\u{85}"])
    func `no scalar beside a line break lets a handler's header split the head`(text: String) async throws {
        let values = ["\r\n", "\r", "\n", "\0"].flatMap { end in
            ["a\(text)\(end)X-Injected: b", "a\(end)\(text)X-Injected: b", "\(text)\(end)\(text)"]
        }
        try await Self.expectOnlyGoodField(
            [(name: "X-Good", value: "yes")] + values.map { (name: "X-Bad", value: $0) } + values.map { (name: "X\($0)", value: "b") })
    }

    /// Responds with the fields, and expects that the client receives only `X-Good` of them.
    private static func expectOnlyGoodField(_ fields: [(name: String, value: String)]) async throws {
        try await serving(plan: { _ in .respond(HTTPResponse(status: 200, headers: fields, body: Array("body".utf8))) }) { server in
            let client = try Client(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try client.receiveAnswer()
            #expect(answer.headers.keys.sorted() == ["content-length", "date", "x-good", "x-request-id"])
            #expect(answer.text == "body")
        }
    }

    @Test func `every response has a unique request ID`() async throws {
        let ids = Shared<[String]>([])
        try await serving(plan: { head in
            ids.change { $0.append(head.requestID) }
            return echo(head)
        }) { server in
            let client = try Client(port: server.port)
            for _ in 0..<50 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let id = try client.receiveAnswer().headers["x-request-id"]
                #expect(id == ids.current.last && id?.utf8.count == 16)
            }
            #expect(Set(ids.current).count == 50)
        }
    }

    @Test func `large bodies and responses are complete`() async throws {
        try await serving(plan: { _ in .inline(bodyLimit: 1 << 24, decodedLimit: 1 << 24) { $1.send(HTTPResponse(status: 200, body: $0.body)) } }) {
            server in
            let client = try Client(port: server.port)
            let body = String(repeating: "0123456789abcdef", count: 1 << 18)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
            #expect(try client.receiveAnswer().text == body)
        }
    }

    @Test func `the control socket grants operator rights`() async throws {
        let path = "/tmp/http-test-\(UInt64.random(in: 0 ... .max)).sock"
        try await serving(
            { $0.controlSocket = path },
            plan: { head in
                .respond(HTTPResponse(status: 200, body: Array("\(head.client) \(head.client.isControlSocket)".utf8)))
            }
        ) { _ in
            let client = try Client(path: path)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer().text == "control socket true")
            #expect(throws: HTTPServerError.self) {
                let second = HTTPServerConfiguration(listen: [], controlSocket: path)
                _ = try HTTPServer(configuration: second, plan: echo) { _, _ in HTTPResponse(status: 500) }
            }
        }
    }
}

extension String {
    /// The number of occurrences of `separator`.
    func occurrences(of separator: String) -> Int {
        var count = 0, rest = self[...]
        while let range = rest.firstRange(of: separator) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
