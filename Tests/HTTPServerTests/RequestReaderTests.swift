// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

/// Parses bytes in the given pieces.
private struct Reading: Equatable {
    var requests: [String] = []
    var fault: HTTPRequestError?

    init(_ pieces: [ArraySlice<UInt8>], limits: HeadLimits = HeadLimits(), bodyLimit: Int = 1_000_000, streaming: Bool = false) {
        var streamed: [UInt8] = []
        var reader = RequestReader(limits: limits)
        var line = ""
        do throws(HTTPRequestError) {
            for piece in pieces {
                let bytes = Array(piece)
                var offset = 0
                reading: while true {
                    switch try reader.next(bytes.span, at: &offset) {
                    case .needsMore:
                        if streaming, reader.isInBody { streamed += reader.takePart() }
                        break reading
                    case .piece(let range): streamed += bytes[range]
                    case .head(let head):
                        line = "\(head.method.name) \(head.path) \(head.query ?? "-")"
                        try reader.expect(head.body, limit: bodyLimit, streaming: streaming)
                    case .body(let body):
                        requests.append("\(line) \(String(decoding: streamed + body, as: UTF8.self))")
                        streamed = []
                    }
                }
            }
        } catch {
            fault = error
        }
    }

    init(_ text: String, limits: HeadLimits = HeadLimits(), bodyLimit: Int = 1_000_000) {
        self.init([Array(text.utf8)[...]], limits: limits, bodyLimit: bodyLimit)
    }
}

struct RequestReaderTests {
    static let good = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / - "]),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / - "]),
        ("GET /a%20b?c=d?e HTTP/1.1\r\nHost:a:80\r\n\r\n", ["GET /a%20b c=d?e "]),
        ("GET /? HTTP/1.1\r\nhost: \t[::1]:8080 \t\r\n\r\n", ["GET /  "]),
        ("GET http://A/x?y HTTP/1.1\r\nHost: a\r\n\r\n", ["GET /x y "]),
        ("GET HTTPS://a?y HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / y "]),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", ["OPTIONS * - "]),
        ("GET / HTTP/1.0\r\n\r\n", ["GET / - "]),
        ("PURGE / HTTP/1.1\r\nHost: a\r\nX:\r\nY: caf\u{e9}\tz\r\n\r\n", ["PURGE / - "]),
        ("POST / HTTP/1.1\r\nHost: a\r\nCONTENT-LENGTH: 004\r\n\r\nabcdGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", ["POST / - abcd", "GET /2 - "]),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n06;x=\"y z\"\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n",
            ["POST / - hello world"]
        ),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", ["POST / - ", "GET /2 - "]),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\na;;\r\n0123456789\r\n000\r\n\r\n",
            ["POST / - 01234567890123456789"]
        ),
    ]

    @Test(arguments: good)
    func `valid requests are parsed at any split`(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        #expect(Reading(text).requests == expected)
        for streaming in [false, true] {
            for cut in 0...bytes.count {
                #expect(Reading([bytes[..<cut], bytes[cut...]], streaming: streaming).requests == expected, "cut at \(cut), \(streaming)")
            }
            #expect(Reading(bytes.indices.map { bytes[$0...$0] }, streaming: streaming).requests == expected, "byte by byte, \(streaming)")
        }
    }

    @Test(arguments: BadRequest.all)
    func `invalid requests are rejected at any split`(bad: BadRequest) {
        let bytes = Array(bad.bytes.utf8)
        let whole = Reading([bytes[...]])
        #expect(whole.fault?.status == bad.status)
        #expect(whole.requests.isEmpty)
        for cut in 0...bytes.count where cut < 200 || bytes.count - cut < 200 {
            #expect(Reading([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
        }
        #expect(Reading(bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte")
    }

    @Test func `every prefix of a request needs more bytes`() {
        for (text, expected) in RequestReaderTests.good {
            let bytes = Array(text.utf8)
            for end in 0..<bytes.count {
                let reading = Reading([bytes[..<end]])
                #expect(reading.fault == nil)
                #expect(reading.requests.count < expected.count || expected.starts(with: reading.requests))
            }
        }
    }

    @Test func `mutated requests never trap and parse the same at any split`() {
        var random = SeededRandom(state: 2_026)
        let alphabet = Array("\r\n\0 \t:;,0aF/*?#-+".utf8) + [0x80, 0xff]
        for _ in 0..<4_000 {
            let good = RequestReaderTests.good[Int(random.next() % UInt64(RequestReaderTests.good.count))].0
            var bytes = Array((random.next() % 2 == 0 ? good : good + good).utf8)
            for _ in 0...(random.next() % 3) {
                let index = Int(random.next() % UInt64(bytes.count)), byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
                switch random.next() % 3 {
                case 0: bytes[index] = byte
                case 1: bytes.insert(byte, at: index)
                default: bytes.remove(at: index)
                }
            }
            let whole = Reading([bytes[...]]), cut = Int(random.next() % UInt64(bytes.count + 1))
            #expect(Reading([bytes[..<cut], bytes[cut...]]) == whole)
            #expect(Reading(bytes.indices.map { bytes[$0...$0] }) == whole, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func `a request line is limited to 8 KiB`() {
        let line = { "GET /\(String(repeating: "x", count: $0 - 16)) HTTP/1.1\r\n" }
        #expect(Reading(line(8_192) + "Host: a\r\n\r\n").requests.count == 1)
        #expect(Reading(line(8_193) + "Host: a\r\n\r\n").fault == .uriTooLong)
        #expect(Reading(String(repeating: "x", count: 8_193)).fault == .uriTooLong)
    }

    @Test func `header fields are limited to 32 KiB`() {
        let request = { "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: $0 - 16))\r\n\r\n" }
        #expect(Reading(request(32_768)).requests.count == 1)
        #expect(Reading(request(32_769)).fault == .headersTooLarge)
    }

    @Test func `a request is limited to 64 header fields`() {
        let request = { "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: $0 - 1))\r\n" }
        #expect(Reading(request(64)).requests.count == 1)
        #expect(Reading(request(65)).fault == .headersTooLarge)
        #expect(Reading(request(2_000)).fault == .headersTooLarge)
    }

    @Test func `a body is limited to its exact length`() {
        #expect(Reading("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", bodyLimit: 5).requests == ["POST / - hello"])
        #expect(Reading("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n", bodyLimit: 5).fault == .tooLarge)
        let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n"
        #expect(Reading(chunked + "2\r\nlo\r\n0\r\n\r\n", bodyLimit: 5).requests == ["POST / - hello"])
        #expect(Reading(chunked + "3\r\n", bodyLimit: 5).fault == .tooLarge)
    }

    @Test func `bytes beyond those to keep are read and dropped, and the next request follows`() throws {
        let next = "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
        let bodies = [
            "Content-Length: 9\r\n\r\nhello you", "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n4\r\nlo y\r\n2\r\nou\r\n0\r\n\r\n",
        ]
        for (body, size) in bodies.flatMap({ body in [1, 3, 200].map { (body, $0) } }) {
            let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\n\(body)\(next)".utf8)
            for (kept, text) in [(5, "hello"), (8, "hello yo"), (9, "hello you"), (0, "")] {
                var reader = RequestReader(limits: HeadLimits())
                var found: [(String, Bool)] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let piece = Array(bytes[start..<min(start + size, bytes.count)])
                    var offset = 0
                    reading: while true {
                        switch try reader.next(piece.span, at: &offset) {
                        case .needsMore, .piece: break reading
                        case .head(let head): try reader.expect(head.body, limit: 9, keeping: kept)
                        case .body(let body): found.append((String(decoding: body, as: UTF8.self), reader.isTruncated))
                        }
                        #expect(reader.bodyKept <= kept)
                    }
                }
                #expect(found.map(\.0) == [text, ""] && found.map(\.1) == [kept < 9, false], "\(body) \(size) \(kept)")
            }
        }
    }

    @Test func `header names are case-insensitive`() throws {
        var reader = RequestReader(limits: HeadLimits())
        var offset = 0
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nx-one:  2 \r\nX-On:3\r\n\r\n".utf8)
        guard case .head(let head) = try reader.next(bytes.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.header("x-ONE") == "1")
        #expect(head.headers("X-One") == ["1", "2"])
        #expect(head.header("X-ON") == "3")
        #expect(head.header("X-") == nil)
    }

    @Test func `a body has spare capacity for a reader that reads past its end`() throws {
        for text in ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"] {
            var reader = RequestReader(limits: HeadLimits())
            var offset = 0
            let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\n\(text)".utf8)
            guard case .head(let head) = try reader.next(bytes.span, at: &offset) else { continue }
            try reader.expect(head.body, limit: 5)
            guard case .body(let body) = try reader.next(bytes.span, at: &offset) else { continue }
            #expect(body.count == 5 && body.capacity >= 69)
            return
        }
        Issue.record("no body")
    }
}

/// A deterministic generator, so that a failure is reproducible.
private struct SeededRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
