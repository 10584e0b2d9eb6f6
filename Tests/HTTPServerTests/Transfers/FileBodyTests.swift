// SPDX-License-Identifier: Apache-2.0

import Crypto
import Dispatch
import Glibc
import HTTPServer
import TestSupport
import Testing

/// A file of distinct bytes that plans send parts of.
private final class ServedFile: Sendable {
    private let folder = TemporaryFolder()
    let bytes: [UInt8]
    var path: String { folder.path + "/file" }

    init(_ count: Int) throws {
        bytes = distinctBytes(count)
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        var offset = 0
        while offset < count {
            let written = bytes[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try #require(written > 0)
            offset += written
        }
    }

    func body(_ offset: Int = 0, _ length: Int? = nil) -> FileBody {
        FileBody(owning: open(path, O_RDONLY | O_CLOEXEC), offset: offset, length: length ?? bytes.count - offset)
    }

    /// Answers `/file?OFFSET-LENGTH` by that part, `/task` by the whole from a task, and echoes other requests.
    func plan(_ head: HTTPRequestHead) -> HTTPPlan {
        switch head.path {
        case "/file":
            let part = (head.query ?? "").split(separator: "-").compactMap { Int($0) }
            return .respond(HTTPResponse(status: 200, headers: [("ETag", "\"a\"")], file: part.count == 2 ? body(part[0], part[1]) : body()))
        case "/task": return .async(bodyLimit: 0, decodedLimit: 0) { [self] _ in .response(HTTPResponse(status: 200, file: body())) }
        case "/unchanged": return .respond(HTTPResponse(status: 304, file: body()))
        default: return echo(head)
        }
    }
}

struct FileBodyTests {
    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test(arguments: ["/file", "/task"])
    func `64 MiB are sent whole, and the connection goes on`(target: String) async throws {
        let file = try ServedFile(64 << 20)
        try await serving(plan: file.plan) { server in
            let client = try Client(port: server.port)
            try client.send(FileBodyTests.get(target))
            let answer = try client.receiveAnswer()
            #expect(answer.status == 200 && answer.headers["content-length"] == "\(64 << 20)")
            #expect(SHA256.hash(answer.body) == SHA256.hash(file.bytes))
            try client.ask()
            #expect(server.statistics.sentFileBytes == file.bytes.count && server.statistics.transfers == 0)
        }
    }

    @Test func `any part of a file is sent`() async throws {
        let file = try ServedFile(3_000_000)
        try await serving(plan: file.plan) { server in
            let client = try Client(port: server.port)
            // Around the size that is sent with the head, a page, and a part of one turn.
            let lengths = [0, 1, 4_095, 4_096, 4_097, 16_383, 16_384, 16_385, 1 << 20, 1 << 20 + 1, 2_999_999]
            for length in lengths {
                for offset in [0, 1, 3_000_000 - length] where offset + length <= 3_000_000 {
                    try client.send(FileBodyTests.get("/file?\(offset)-\(length)"))
                    let answer = try client.receiveAnswer()
                    #expect(answer.body == Array(file.bytes[offset..<(offset + length)]), "\(length) at \(offset)")
                    #expect(answer.headers["content-length"] == "\(length)" && answer.headers["etag"] == "\"a\"")
                }
            }
        }
    }

    @Test(arguments: [10, 100_000])
    func `a response to HEAD has the length and no body, and one with status 304 neither`(size: Int) async throws {
        let file = try ServedFile(size)
        try await serving(plan: file.plan) { server in
            let client = try Client(port: server.port)
            for target in ["/file", "/task"] {
                try client.send("HEAD \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveAnswer(toHead: true).headers["content-length"] == "\(size)")
            }
            try client.send(FileBodyTests.get("/unchanged"))
            let unchanged = try client.receiveAnswer(toHead: true)
            #expect(unchanged.status == 304 && unchanged.headers["content-length"] == nil)
            try client.ask()
            #expect(server.statistics.sentFileBytes == 0)
        }
    }

    @Test func `requests behind a file are answered in order`() async throws {
        let file = try ServedFile(300_000)
        let receiving = Receiving()
        try await serving(plan: { $0.method == .put ? receiving.plan($0) : file.plan($0) }) { server in
            let client = try Client(port: server.port)
            let round = { (n: Int) in
                FileBodyTests.get("/file?\(n)-200000") + FileBodyTests.get("/\(n)") + "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + FileBodyTests.get("/file?\(n)-20")
            }
            try client.send((0..<50).map(round).joined())
            for n in 0..<50 {
                #expect(try client.receiveAnswer().body == Array(file.bytes[n..<(n + 200_000)]))
                #expect(try client.receiveAnswer().text == "GET /\(n) - ")
                #expect(try client.receiveAnswer().text == RecordingSink.summary(of: Array("abc".utf8)))
                #expect(try client.receiveAnswer().body == Array(file.bytes[n..<(n + 20)]))
            }
        }
    }

    @Test func `a response with a file closes the connection if its request wants that`() async throws {
        let file = try ServedFile(2_000_000)
        try await serving(plan: file.plan) { server in
            let closing = try Client(port: server.port)
            try closing.send("GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = try closing.receiveAnswer()
            #expect(answer.headers["connection"] == "close" && answer.body == file.bytes)
            #expect(try closing.isEnded())
            let old = try Client(port: server.port)
            try old.send("GET /file HTTP/1.0\r\n\r\n")
            #expect(try old.receiveAnswer().body == file.bytes)
            #expect(try old.isEnded())
            // A body that the plan does not read.
            let sending = try Client(port: server.port)
            try sending.send("GET /file HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
            #expect(try sending.receiveAnswer().body == file.bytes)
            #expect(try sending.isEnded())
        }
    }

    @Test(arguments: [20, 100_000, 3_000_000])
    func `a file that is shorter than announced ends the connection`(length: Int) async throws {
        let file = try ServedFile(length)
        try await serving(plan: { head in
            head.path == "/short" ? .respond(HTTPResponse(status: 200, file: file.body(0, length + 1))) : file.plan(head)
        }) { server in
            let client = try Client(port: server.port)
            try client.send(FileBodyTests.get("/short"))
            let text = try client.countAll()
            #expect(text < length + 400)
            #expect(try server.isHealthy())
            try server.waitUntil { $0.transfers == 0 && $0.connections <= 1 }
        }
    }

    @Test func `a file that is replaced while it is sent stays whole, and a truncated one ends the connection`() async throws {
        let file = try ServedFile(32 << 20)
        try await serving(plan: file.plan) { server in
            let first = try Client(port: server.port)
            try first.send(FileBodyTests.get("/file"))
            _ = try first.receive()
            try #require(rename(file.path, file.path + ".old") == 0)
            let second = try Client(port: server.port)
            try second.send(FileBodyTests.get("/file"))
            #expect(try first.receiveAnswer().body == file.bytes)
            // Its descriptor could not be opened.
            _ = try second.receiveAll()
            let third = try Client(port: server.port)
            try #require(rename(file.path + ".old", file.path) == 0)
            try third.send(FileBodyTests.get("/file"))
            _ = try third.receive()
            try #require(truncate(file.path, 1 << 20) == 0)
            #expect(try third.countAll() < 32 << 20)
            #expect(try server.isHealthy())
        }
    }

    @Test func `a client that leaves a download or does not read it is disconnected`() async throws {
        let file = try ServedFile(32 << 20)
        try await serving({ $0.deadlines.write = .milliseconds(100) }, plan: file.plan) { server in
            let stalled = try Client(port: server.port, receiveBuffer: 4_096)
            try stalled.send(FileBodyTests.get("/file"))
            _ = try stalled.receive()
            try server.waitUntil { $0.connections <= 1 && $0.transfers == 0 }
            var leaving: Client? = try Client(port: server.port, receiveBuffer: 4_096)
            try leaving?.send(FileBodyTests.get("/file"))
            _ = try leaving?.receive()
            leaving = nil
            try server.waitUntil { $0.connections <= 1 && $0.transfers == 0 }
            withExtendedLifetime(stalled) {}
        }
    }

    @Test func `many readers of large files take turns`() async throws {
        let file = try ServedFile(8 << 20)
        try await serving({ $0.transferLoops = 1 }, plan: file.plan) { server in
            let stalled = try (0..<10).map { _ in try Client(port: server.port) }
            for client in stalled { try client.send(FileBodyTests.get("/file")) }
            for client in stalled { _ = try client.receive() }
            // The others wait for their readers, so the last one gets all of the loop.
            let last = try Client(port: server.port)
            try last.send(FileBodyTests.get("/file"))
            #expect(try last.receiveAnswer().body == file.bytes)
            for client in stalled { #expect(try client.receiveAnswer().body.count == file.bytes.count) }
        }
    }
}
