// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPServer
import TestSupport
import Testing

struct StreamTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func stream(_ body: @escaping @Sendable (HTTPResponseWriter) async throws -> Void) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.path == "/" else { return echo(head) }
            return .async(bodyLimit: 0, decodedLimit: 0) { _ in .stream(status: 200, headers: [(name: "Content-Type", value: "text/plain")], body) }
        }
    }

    private static let lines: @Sendable (HTTPResponseWriter) async throws -> Void = { writer in
        for line in 0..<100 { try await writer.write(Array("\(line)\n".utf8)) }
    }

    @Test func `a stream is complete and its connection stays open`() async throws {
        try await serving(plan: StreamTests.stream(StreamTests.lines)) { server in
            let client = try Client(port: server.port)
            for _ in 0..<3 {
                try client.send(StreamTests.get)
                let answer = try client.receiveAnswer()
                #expect(answer.headers["transfer-encoding"] == "chunked" && answer.headers["content-length"] == nil)
                #expect(answer.text == (0..<100).map { "\($0)\n" }.joined())
            }
        }
    }

    @Test func `HTTP 1.0 gets a stream without chunks, HEAD gets only the head`() async throws {
        try await serving(plan: StreamTests.stream(StreamTests.lines)) { server in
            let old = try server.exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(!old.contains("chunked") && old.hasSuffix("\r\n\r\n" + (0..<100).map { "\($0)\n" }.joined()))
            let client = try Client(port: server.port)
            try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer(toHead: true).headers["transfer-encoding"] == "chunked")
            try client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer().text == "GET /next - ")
        }
    }

    @Test func `a writer waits for a slow reader while others are served`() async throws {
        let written = Shared(0)
        let piece = [UInt8](repeating: 0x78, count: 64 * 1_024), pieces = 400
        let plan = StreamTests.stream { writer in
            for _ in 0..<pieces {
                try await writer.write(piece)
                written.change { $0 += 1 }
            }
        }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port, receiveBuffer: 64 * 1_024)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            var before = -1
            while before != written.current || before == 0 {
                before = written.current
                for _ in 0..<200 { #expect(try server.isHealthy()) }
            }
            #expect(written.current < pieces / 2)
            #expect(try client.countAll() > piece.count * pieces)
            #expect(written.current == pieces)
        }
    }

    @Test func `a writer learns when the socket has taken its bytes`() async throws {
        let isSent = Shared(false)
        let piece = [UInt8](repeating: 0x78, count: 32 << 20)
        let plan = StreamTests.stream { writer in
            try await writer.write([0x78])
            try await writer.sent(butFor: 0)
            try await writer.write(piece)
            try await writer.sent(butFor: 1_000)
            isSent.change { $0 = true }
        }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port, receiveBuffer: 64 * 1_024)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            for _ in 0..<500 { #expect(try server.isHealthy()) }
            #expect(!isSent.current)
            #expect(try client.countAll() > piece.count)
            #expect(isSent.current)
        }
    }

    @Test func `a stream that is cut ends for a client that does not read`() async throws {
        let (writers, end) = (Shared<[HTTPResponseWriter]>([]), Shared<[String]>([]))
        let piece = [UInt8](repeating: 0x78, count: 32 << 20)
        let plan = StreamTests.stream { writer in
            try await writer.write(piece)
            writers.change { $0.append(writer) }
            do { try await writer.sent(butFor: 0) } catch { end.change { $0.append("\(type(of: error))") } }
        }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port, receiveBuffer: 64 * 1_024)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            while writers.current.isEmpty { #expect(try server.isHealthy()) }
            for writer in writers.current { writer.cut() }
            while end.current.isEmpty { #expect(try server.isHealthy()) }
            #expect(end.current == ["HTTPStreamError"])
            #expect(((try? client.countAll()) ?? 0) < piece.count)
        }
    }

    @Test func `writing fails when the reader has disconnected`() async throws {
        let end = Shared<[String]>([])
        let plan = StreamTests.stream { writer in
            do {
                while true { try await writer.write([0x78]) }
            } catch {
                end.change { $0.append("\(type(of: error))") }
                throw error
            }
        }
        try await serving(plan: plan) { server in
            var client: Client? = try Client(port: server.port)
            try client?.send(StreamTests.get)
            _ = try client?.receive()
            client = nil
            while end.current.isEmpty { _ = try server.isHealthy() }
            #expect(end.current.count == 1)
        }
    }

    @Test func `a silent writer is cancelled when the reader disconnects`() async throws {
        let end = Shared<[String]>([])
        let plan = StreamTests.stream { writer in
            try await writer.write([0x78])
            let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            withExtendedLifetime(continuation) { end.change { $0.append(Task.isCancelled ? "cancelled" : "ended") } }
        }
        try await serving(plan: plan) { server in
            var client: Client? = try Client(port: server.port)
            try client?.send(StreamTests.get)
            try client?.receive(until: "x\r\n")
            client = nil
            while end.current.isEmpty { _ = try server.isHealthy() }
            #expect(end.current == ["cancelled"])
        }
    }

    @Test func `a failed stream is aborted without its last chunk`() async throws {
        struct Failure: Error {}
        let plan = StreamTests.stream { writer in
            try await writer.write(Array("some".utf8))
            throw Failure()
        }
        try await serving(plan: plan) { server in
            let text = try server.exchange(StreamTests.get)
            #expect(!text.hasSuffix("0\r\n\r\n"))
            #expect(try server.isHealthy())
        }
    }
}

struct UploadTests {
    private static let directory = "/tmp/http-upload-\(UInt64.random(in: 0 ... .max))"

    /// A folder for each test, and a plan that uploads into it and responds with size and path.
    private static func uploading(_ directory: String) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.method == .put else { return echo(head) }
            return .upload(limit: 10_000_000, directory: directory) { request in
                var status = stat()
                let size = request.bodyFile.map { stat($0, &status) == 0 ? Int(status.st_size) : -1 } ?? -2
                return .response(HTTPResponse(status: 200, body: Array("\(size) \(status.st_mode & 0o777)".utf8)))
            }
        }
    }

    private static func files(in directory: String) -> [String] {
        var names: [String] = []
        guard let folder = opendir(directory) else { return names }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    @Test func `an upload goes to a file owned by its handler`() async throws {
        let directory = UploadTests.directory + "-whole"
        mkdir(directory, 0o700)
        try await serving(plan: UploadTests.uploading(directory)) { server in
            let client = try Client(port: server.port)
            let body = String(repeating: "0123456789", count: 500_000)
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n" + body)
            #expect(try client.receiveAnswer().text == "5000000 384")
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(try client.receiveAnswer().text == "5 384")
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveAnswer().text == "0 384")
            #expect(UploadTests.files(in: directory) == [])
        }
        rmdir(directory)
    }

    @Test func `an aborted or too large upload leaves no file`() async throws {
        let directory = UploadTests.directory + "-broken"
        mkdir(directory, 0o700)
        try await serving(plan: UploadTests.uploading(directory)) { server in
            var client: Client? = try Client(port: server.port)
            try client?.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n" + String(repeating: "x", count: 300_000))
            while UploadTests.files(in: directory).isEmpty { _ = try server.isHealthy() }
            client = nil
            try server.waitUntil { $0.connections <= 1 && UploadTests.files(in: directory).isEmpty }
            let large = try server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000001\r\n\r\n")
            #expect(large.hasPrefix("HTTP/1.1 413 "))
            let coded = try server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\n")
            #expect(coded.hasPrefix("HTTP/1.1 415 "))
            #expect(UploadTests.files(in: directory) == [])
        }
        rmdir(directory)
    }

    @Test func `an upload without a folder is rejected before its body`() async throws {
        try await serving(plan: UploadTests.uploading("/nonexistent")) { server in
            let text = try server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 503 "))
        }
    }
}
