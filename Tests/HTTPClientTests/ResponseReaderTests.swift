// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import HTTPClient

@Suite struct ResponseReaderTests {
    private struct Outcome: Equatable {
        var status: Int?
        var body = ""
        var isComplete = false
        var isReusable = false
    }

    /// Reads pieces of a response, and its end with the connection if it is not complete before.
    private static func read(_ pieces: [ArraySlice<UInt8>], ends: Bool = false) throws(CourierFailure) -> Outcome {
        var (reader, body): (ResponseReader, [UInt8]) = (ResponseReader(), [])
        for piece in pieces {
            _ = try reader.read(piece) { _, bytes in
                body += bytes
                return true
            }
        }
        if ends { try reader.end() }
        return Outcome(
            status: reader.head?.status, body: String(decoding: body, as: UTF8.self), isComplete: reader.isComplete, isReusable: reader.isReusable)
    }

    private static func pieces(_ text: String, of size: Int) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n42", 200, "42", true),
        ("HTTP/1.1 200\r\ncontent-length:2\r\nContent-Length: 2\r\n\r\n42", 200, "42", true),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, "", true),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\n4\r\n1;a=b\r\n2\r\n0\r\nX: y\r\n\r\n", 200, "42", true),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n42", 200, "42", true),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n42", 200, "42", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n42", 200, "42", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n42HTTP/1.1", 200, "42", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\n42\r\n0\r\n\r\n", 200, "42", false),
    ])
    func `a response is the same however it is split`(text: String, status: Int, body: String, isReusable: Bool) throws {
        for size in [1, 2, 3, 7, 4_096] {
            let outcome = try Self.read(Self.pieces(text, of: size))
            #expect(outcome == Outcome(status: status, body: body, isComplete: true, isReusable: isReusable), "pieces of \(size)")
        }
    }

    @Test func `without a length the end of the connection is that of the body`() throws {
        let text = "HTTP/1.1 200 OK\r\n\r\n42"
        #expect(try !Self.read([Array(text.utf8)[...]]).isComplete)
        #expect(try Self.read([Array(text.utf8)[...]], ends: true) == Outcome(status: 200, body: "42", isComplete: true))
    }

    @Test(arguments: [
        "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\n", "ICY 200 OK\r\n\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 2\n\n42",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\n", "HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n", "HTTP/1.1 200 OK\r\nName : 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nnothing\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{1}\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n42\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\n4\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n42",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n42\r\n",
    ])
    func `what two clients could read differently, and what is cut off, is no response`(text: String) {
        for size in [1, 4_096] {
            #expect(throws: CourierFailure.badResponse, "pieces of \(size)") { _ = try Self.read(Self.pieces(text, of: size), ends: true) }
        }
    }

    @Test func `a head, extensions and trailers have a limit, and nothing is no response`() {
        let field = "A: " + String(repeating: "a", count: 1_000) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 66)
        #expect(throws: CourierFailure.badResponse) { _ = try Self.read(Self.pieces(head, of: 4_096)) }
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\(field)\r\n", count: 66)
        #expect(throws: CourierFailure.badResponse) { _ = try Self.read(Self.pieces(interim, of: 4_096)) }
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "a", count: 20_000)
        #expect(throws: CourierFailure.badResponse) { _ = try Self.read(Self.pieces(chunks, of: 4_096)) }
        #expect(throws: CourierFailure.noResponse) { _ = try Self.read([], ends: true) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a/../b?c=%20", "127.0.0.1", 8_080, "/a/../b?c=%20"), ("HTTP://10.0.0.1", "10.0.0.1", 80, "/"),
        ("http://[::1]:81?x", "::1", 81, "/?x"), ("http://[2001:db8::1]/", "2001:db8::1", 80, "/"),
    ])
    func `plain HTTP to a literal address is direct`(url: String, address: String, port: UInt16, path: String) throws {
        let target = try #require(DirectTarget(url))
        #expect(target.origin == DirectTarget.Origin(address: try #require(IPAddress(address)), port: port) && target.path == path)
    }

    @Test(arguments: [
        "https://127.0.0.1/", "http://localhost/", "http://127.1/", "http://0x7f.0.0.1/", "http://2130706433/", "http://u@127.0.0.1/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/", "http://127.0.0.1:+80/", "http://127.0.0.1:/", "http://[127.0.0.1]/", "http://::1/", "http://[::1/",
        "http://127.0.0.1\\@a/",
        "http://127.0.0.1/#a", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nA: b", "http:///a", "http://",
    ])
    func `anything else is for libcurl`(url: String) {
        #expect(DirectTarget(url) == nil)
    }
}
