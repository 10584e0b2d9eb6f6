// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Platform
import Synchronization
import TestSupport
import Testing

struct HTTPClientTests {
    private let client = HTTPClient()

    private func failure(_ request: HTTPClientRequest) async throws -> HTTPClientError.Code {
        let error = try await #require(throws: HTTPClientError.self) { try await client.request(request) }
        return error.code
    }

    @Test func `a request is sent unchanged and its response is returned`() async throws {
        let server = try OneShotServer(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nX-Request-Id: 7\r\nX-Empty:\r\nContent-Length: 4\r\n\r\nnone")
        let response = try await client.request(
            HTTPClientRequest(
                "POST", "\(server.url)/v1/events?a=b", headers: [("Authorization", "Bearer key"), ("X-Blank", "")], body: Array("{}".utf8)))
        #expect(response.status == 404 && response.body == Array("none".utf8))
        #expect(response.headers.map(\.name) == ["X-Request-Id", "X-Empty", "Content-Length"])
        #expect(response.header("x-request-id") == "7" && response.header("X-EMPTY") == "" && response.header("Etag") == nil)
        let lines = server.request().components(separatedBy: "\r\n")
        #expect(lines.first == "POST /v1/events?a=b HTTP/1.1" && lines.last == "{}")
        #expect(lines.contains("Authorization: Bearer key") && lines.contains("X-Blank:") && lines.contains("Content-Length: 2"))
        #expect(!lines.contains { $0.hasPrefix("Content-Type") || $0.hasPrefix("Expect") })
    }

    @Test(arguments: [("GET", nil), ("DELETE", nil), ("POST", "Content-Length: 0"), ("PUT", "Content-Length: 0"), ("HEAD", nil)])
    func `a request without a body has a length only if its method needs one`(method: String, length: String?) async throws {
        let server = try OneShotServer("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await client.request(HTTPClientRequest(method, server.url)).status == 204)
        let lines = server.request().components(separatedBy: "\r\n")
        #expect(lines.first == "\(method) / HTTP/1.1")
        #expect(lines.first { $0.hasPrefix("Content-Length") } == length)
    }

    @Test func `response headers are parsed byte by byte`() async throws {
        for text in HostileText.texts where text.unicodeScalars.allSatisfy({ $0.value > 0x20 }) {
            let server = try OneShotServer("HTTP/1.1 200 OK\r\nX-One:\(text)a\r\nX-Two: b\(text)\r\nContent-Length: 0\r\n\r\n")
            let response = try await client.request(HTTPClientRequest("GET", server.url))
            #expect(response.headers.map(\.name) == ["X-One", "X-Two", "Content-Length"], "\(text.debugDescription)")
            #expect(response.headers.prefix(2).map { Array($0.value.utf8) } == ["\(text)a", "b\(text)"].map { Array($0.utf8) })
        }
    }

    @Test func `no scalar beside a line break lets a header become two`() async throws {
        for line in ["a\r\nY: b", "a\nY: b", "a\rY: b", "a\u{0}b"] {
            for text in HostileText.around(line) {
                #expect(throws: HTTPClientError.self, "\(text.debugDescription)") { try HTTPField("X", text) }
                #expect(throws: HTTPClientError.self, "\(text.debugDescription)") { try HTTPField(text, "x") }
            }
        }
    }

    @Test func `an address that is not permitted is not connected`() async throws {
        let server = try OneShotServer("HTTP/1.1 204 No Content\r\n\r\n")
        for host in ["127.0.0.1", "localhost"] {
            var request = HTTPClientRequest("GET", server.url.replacing("127.0.0.1", with: host))
            request.permits = { !$0.isLoopback }
            #expect(try await failure(request) == .blockedAddress)
        }
        var request = HTTPClientRequest("GET", server.url)
        request.permits = { $0.isLoopback }
        #expect(try await client.request(request).status == 204)
    }

    @Test func `a large body is sent completely`() async throws {
        let server = try OneShotServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        _ = try await client.request(HTTPClientRequest("PUT", server.url, body: [UInt8](repeating: 0x78, count: 3_000_000)))
        #expect(server.request().hasSuffix(String(repeating: "x", count: 3_000_000)))
    }

    @Test func `a Unix socket replaces the host's address`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try OneShotServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", path: path)
        let response = try await client.request(HTTPClientRequest("GET", "http://ingestd/v1/app", unixSocketPath: path))
        #expect(response.body == Array("ok".utf8))
        #expect(server.request().contains("\r\nHost: ingestd\r\n"))
    }

    @Test func `a redirect is a response like any other`() async throws {
        let server = try OneShotServer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        let response = try await client.request(HTTPClientRequest("GET", server.url))
        #expect(response.status == 302 && response.header("location") == "http://127.0.0.1:1/")
    }

    @Test func `a response above the limit is an error`() async throws {
        for (answer, code) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101), HTTPClientError.Code.responseTooLarge),
            ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_000_000), .responseTooLarge), ("", .noResponse),
        ] {
            let server = try OneShotServer(answer)
            var request = HTTPClientRequest("GET", server.url)
            request.maxResponseBytes = 100
            #expect(try await failure(request) == code)
        }
    }

    @Test func `a silent server ends in a timeout`() async throws {
        let server = try OneShotServer(answer: nil)
        var request = HTTPClientRequest("GET", server.url)
        request.timeout = .milliseconds(50)
        #expect(try await failure(request) == .timedOut)
    }

    @Test func `cancelling the task ends the exchange`() async throws {
        let server = try OneShotServer(answer: nil)
        let task = Task { try await client.request(HTTPClientRequest("GET", server.url)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        arguments: [
            ("file:///etc/passwd", .unsupportedScheme), ("gopher://127.0.0.1/", .unsupportedScheme), ("http://", .badURL),
            ("http://127.0.0.1:1/", .couldNotConnect),
        ]
            as [(String, HTTPClientError.Code)])
    func `an unusable URL is an error with its reason`(url: String, code: HTTPClientError.Code) async throws {
        #expect(try await failure(HTTPClientRequest("GET", url)) == code)
    }

    @Test(arguments: [
        HTTPClientRequest("GET", "http://127.0.0.1:1/", headers: [("X", "a\r\nY: b")]),
        HTTPClientRequest("GET", "http://127.0.0.1:1/", headers: [("X: a\r\nY", "b")]),
        HTTPClientRequest("GET", "http://127.0.0.1:1/", headers: [("", "b")]), HTTPClientRequest("GET", "http://127.0.0.1:1/", headers: [("X;", "")]),
        HTTPClientRequest("GET / HTTP/1.1\r\nX:", "http://127.0.0.1:1/"), HTTPClientRequest("", "http://127.0.0.1:1/"),
        HTTPClientRequest("GET", "http://127.0.0.1:1/\0"),
    ])
    func `requests that would break the framing are rejected`(request: HTTPClientRequest) async throws {
        #expect(try await failure(request) == .invalidRequest)
    }
}

struct StreamTests {
    private struct Enough: Error {}

    private let client = HTTPClient()
    private let large = "HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n" + String(repeating: "x", count: 20_000_000)

    @Test func `a body above every limit is streamed in pieces`() async throws {
        let server = try OneShotServer(large)
        let sizes = Mutex<[Int]>([])
        let response = try await client.stream(HTTPClientRequest("GET", server.url)) { bytes in sizes.withLock { $0.append(bytes.count) } }
        #expect(response.status == 200 && response.body.isEmpty)
        sizes.withLock { sizes in
            #expect(sizes.reduce(0, +) == 20_000_000)
            #expect(sizes.allSatisfy { $0 <= 1 << 20 })
        }
    }

    /// An idle live stream sends three bytes every fifteen seconds.
    @Test func `a slow stream with occasional bytes does not time out`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n".utf8)
        let server = try OneShotServer(answer: head, trickle: Array(":::::::\n".utf8), pause: .milliseconds(1_500))
        var request = HTTPClientRequest("GET", server.url)
        request.timeout = .seconds(10)
        let heard = Mutex<[UInt8]>([])
        _ = try await client.stream(request) { bytes in heard.withLock { $0 += bytes } }
        #expect(heard.withLock { $0 } == Array(":::::::\n".utf8))
    }

    @Test func `a stream that falls silent times out`() async throws {
        let server = try OneShotServer(answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n:".utf8), trickle: [0x0a], pause: .seconds(60))
        var request = HTTPClientRequest("GET", server.url)
        request.timeout = .milliseconds(300)
        await #expect { try await client.stream(request) { _ in } } throws: { ($0 as? HTTPClientError)?.code == .timedOut }
    }

    @Test func `an error of the closure ends the exchange`() async throws {
        let server = try OneShotServer(large)
        let calls = Mutex(0)
        await #expect(throws: Enough.self) {
            try await client.stream(HTTPClientRequest("GET", server.url)) { _ in
                calls.withLock { $0 += 1 }
                throw Enough()
            }
        }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `an error response is not streamed as data`() async throws {
        let server = try OneShotServer("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        let response = try await client.stream(HTTPClientRequest("GET", server.url)) { _ in Issue.record("an error response was streamed") }
        #expect(response.status == 403 && response.body == Array("no".utf8))
    }
}
