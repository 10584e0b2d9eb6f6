// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import TestSupport
import Testing

/// Clients that do not read large responses, beside others. The budget is that of sixteen responses.
struct ResponseMemoryTests {
    /// More than the kernel keeps for a client that does not read.
    private static let large = [UInt8](repeating: 0x78, count: 1 << 20)

    /// Answers `/large?1` for account 1 as a handler does that only reads, and `/changed?1` as one that has changed something.
    private static func plan(_ refused: Shared<Int>) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard let account = Int64(head.query ?? "") else { return echo(head) }
            return .inline(bodyLimit: 0, decodedLimit: 0, account: account) { request, reply in
                let body = head.path == "/small" ? Array(large.prefix(64 << 10)) : large
                let response = HTTPResponse(status: 200, body: body)
                if head.path == "/changed" { return reply.send(response) }
                do throws(HTTPRequestError) {
                    if head.path == "/large" { try request.requireRoomForResponse() }
                    reply.send(try request.fitted(response))
                } catch {
                    refused.change { $0 += 1 }
                    reply.send(HTTPResponse(status: error.status))
                }
            }
        }
    }

    private static func use(
        patience: Duration = .seconds(3_600), _ body: @escaping @Sendable (HTTPServer, Shared<Int>) throws -> Void
    ) async throws {
        let refused = Shared(0)
        try await serving(
            {
                $0.caps.responseMemory = 16 * large.count
                $0.deadlines.unreadResponse = patience
                $0.deadlines.write = .seconds(3_600)
                $0.trustedProxies = []
            }, plan: plan(refused)
        ) { try body($0, refused) }
    }

    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// Opens connections that ask and do not read.
    private static func silent(_ count: Int, _ path: String, _ server: HTTPServer, from address: String = "127.0.0.1") throws -> [Client] {
        try (0..<count).map { _ in
            let client = try Client(port: server.port, from: address, receiveBuffer: 64 << 10)
            try client.send(request(path))
            return client
        }
    }

    @Test func `responses that nobody reads take bounded memory, and others are answered`() async throws {
        try await Self.use { server, refused in
            var silent = try Self.silent(40, "/large?1", server)
            while refused.current < 36 { _ = try server.isHealthy() }
            #expect(silent.count == 40 && server.statistics.unsentResponseBytes == 4 * Self.large.count)
            for (path, address) in [("/large?2", "127.0.0.1"), ("/large?1", "127.0.0.5"), ("/small?1", "127.0.0.1")] {
                let other = try Client(port: server.port, from: address)
                for _ in 0..<3 { try other.send(Self.request(path)) }
                for _ in 0..<3 { #expect(try other.receiveAnswer().status == 200, "\(path) \(address)") }
            }
            // Also a response that was prepared while there was room.
            let late = try Client(port: server.port)
            try late.send(Self.request("/prepared?1"))
            #expect(try late.receiveAnswer().status == 429)
            silent = []
            try server.waitUntil { $0.unsentResponseBytes == 0 }
            try late.send(Self.request("/large?1"))
            #expect(try late.receiveAnswer().body == Self.large)
            #expect(refused.current == 37)
        }
    }

    @Test func `an account may hold half of the memory from all addresses`() async throws {
        try await Self.use { server, refused in
            let silent = try (2...5).flatMap { try Self.silent(5, "/large?1", server, from: "127.0.0.\($0)") }
            while refused.current < 11 { _ = try server.isHealthy() }
            #expect(silent.count == 20 && server.statistics.unsentResponseBytes == 9 * Self.large.count)
            let other = try Client(port: server.port, from: "127.0.0.6")
            try other.send(Self.request("/large?1"))
            #expect(try other.receiveAnswer().status == 429)
            try other.send(Self.request("/large?2"))
            #expect(try other.receiveAnswer().status == 200)
        }
    }

    @Test func `a response to a request that has changed something is counted and always sent`() async throws {
        try await Self.use { server, _ in
            let silent = try Self.silent(20, "/changed?1", server)
            try server.waitUntil { $0.unsentResponseBytes == 20 * Self.large.count }
            #expect(try silent[19].receiveAnswer().body == Self.large)
            try server.waitUntil { $0.unsentResponseBytes == 19 * Self.large.count }
        }
    }

    @Test func `connections whose clients have received nothing are closed to make room`() async throws {
        try await Self.use(patience: .zero) { server, refused in
            var silent: [Client] = []
            for _ in 0..<10 {
                silent += try Self.silent(1, "/large?1", server)
                // The loop has begun to send the response.
                #expect(try silent.last?.receive() == true)
            }
            #expect(refused.current == 0 && server.statistics.unsentResponseBytes == 4 * Self.large.count)
            let answers = silent.compactMap { try? $0.receiveAnswer() }
            #expect(answers.map(\.body) == [[UInt8]](repeating: Self.large, count: 4))
            try server.waitUntil { $0.unsentResponseBytes == 0 }
        }
    }
}
