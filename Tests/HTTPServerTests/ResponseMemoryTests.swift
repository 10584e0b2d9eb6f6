// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPServer
import TestSupport
import Testing

/// Clients that do not read large responses, beside others. The budget is that of sixteen responses.
struct ResponseMemoryTests {
    /// More than the kernel keeps for a client that does not read.
    private static let large = [UInt8](repeating: 0x78, count: 1 << 20)

    /// The responses of a server.
    private struct Counts {
        let refused = Shared(0)
        let prepared = Shared(0)
        /// Those that were dropped after they were prepared.
        let dropped = Shared(0)
    }

    /// Answers `/large?1` for account 1 as a handler does that only reads, `/prepared?1` as one that does not wait before it, `/changed?1` as one
    /// that has changed something, and `/task?1` as a task of the server.
    private static func plan(_ counts: Counts) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard let account = Int64(head.query ?? "") else { return echo(head) }
            if head.path == "/task" {
                return .async(bodyLimit: 0, decodedLimit: 0, account: account) { .response(await answer($0, counts)) }
            }
            return .inline(bodyLimit: 0, decodedLimit: 0, account: account) { request, reply in
                if head.path == "/changed" { return reply.send(HTTPResponse(status: 200, body: large)) }
                // On the loop until it waits, as reads begin.
                Task.immediate { reply.send(await answer(request, counts)) }
            }
        }
    }

    private static func answer(_ request: HTTPRequest, _ counts: Counts) async -> HTTPResponse {
        do {
            return try await request.fitted(waits: ["/large", "/task"].contains(request.head.path)) {
                counts.prepared.change { $0 += 1 }
                let body = request.head.path == "/small" ? Array(large.prefix(64 << 10)) : large
                var response = HTTPResponse(status: 200, body: body)
                response.whenDropped = { counts.dropped.change { $0 += 1 } }
                return response
            }
        } catch {
            counts.refused.change { $0 += 1 }
            return HTTPResponse(status: (error as? HTTPRequestError)?.status ?? 500)
        }
    }

    /// - Parameter turn: The time for which requests wait. Without it, those without room are refused at once.
    private static func use(
        patience: Duration = .seconds(3_600), turn: Duration = .zero,
        _ body: @escaping @Sendable (HTTPServer, Counts) throws -> Void
    ) async throws {
        let counts = Counts()
        try await serving(
            {
                $0.caps.responseMemory = 16 * large.count
                $0.deadlines.unreadResponse = patience
                $0.deadlines.responseTurn = turn
                $0.deadlines.write = .seconds(3_600)
                $0.trustedProxies = []
            }, plan: plan(counts)
        ) { try body($0, counts) }
    }

    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// Opens connections that ask and do not read yet. Each request has its response, or waits, before the next is sent.
    private static func ordered(_ count: Int, _ path: String, _ server: HTTPServer, from address: String = "127.0.0.1") throws -> [Client] {
        func asked(_ statistics: HTTPServerStatistics) -> Int { statistics.unsentResponseBytes / large.count + statistics.waitingResponses }
        return try (0..<count).map { _ in
            let before = asked(server.statistics)
            let client = try silent(1, path, server, from: address)[0]
            try server.waitUntil { asked($0) > before }
            return client
        }
    }

    /// Opens connections that ask and do not read.
    private static func silent(_ count: Int, _ path: String, _ server: HTTPServer, from address: String = "127.0.0.1") throws -> [Client] {
        try (0..<count).map { _ in
            let client = try Client(port: server.port, from: address, receiveBuffer: 64 << 10)
            try client.send(request(path))
            return client
        }
    }

    @Test func `responses that nobody reads take bounded memory, and others are answered`() async throws {
        try await Self.use { server, counts in
            var silent = try Self.silent(40, "/large?1", server)
            while counts.refused.current < 36 { _ = try server.isHealthy() }
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
            #expect(counts.refused.current == 37 && counts.dropped.current == 1)
        }
    }

    @Test func `an account may hold half of the memory from all addresses`() async throws {
        try await Self.use { server, counts in
            let silent = try (2...5).flatMap { try Self.silent(5, "/large?1", server, from: "127.0.0.\($0)") }
            while counts.refused.current < 11 { _ = try server.isHealthy() }
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
        try await Self.use(patience: .zero, turn: .seconds(3_600)) { server, counts in
            var silent: [Client] = []
            for _ in 0..<10 {
                silent += try Self.silent(1, "/large?1", server)
                // The loop has begun to send the response.
                #expect(try silent.last?.receive() == true)
            }
            #expect(counts.refused.current == 0 && server.statistics.unsentResponseBytes == 4 * Self.large.count)
            let answers = silent.compactMap { try? $0.receiveAnswer() }
            #expect(answers.map(\.body) == [[UInt8]](repeating: Self.large, count: 4))
            try server.waitUntil { $0.unsentResponseBytes == 0 }
        }
    }

    @Test func `a client that reads gets all its responses, however many it asks for at once`() async throws {
        try await Self.use(turn: .seconds(3_600)) { server, counts in
            let clients = try Self.ordered(40, "/large?1", server)
            #expect(server.statistics.waitingResponses == 36 && counts.prepared.current == 4)
            // Others do not wait meanwhile.
            for (path, address) in [("/large?2", "127.0.0.1"), ("/large?1", "127.0.0.5")] {
                let other = try Client(port: server.port, from: address)
                try other.send(Self.request(path))
                #expect(try other.receiveAnswer().body == Self.large)
            }
            for client in clients { #expect(try client.receiveAnswer().body == Self.large) }
            #expect(counts.refused.current == 0 && counts.prepared.current == 42)
            try server.waitUntil { $0.unsentResponseBytes == 0 && $0.waitingResponses == 0 }
        }
    }

    @Test func `a response without room is prepared again when its turn comes, and takes no memory until then`() async throws {
        try await Self.use(turn: .seconds(3_600)) { server, counts in
            let clients = try Self.ordered(10, "/prepared?1", server)
            #expect(server.statistics.unsentResponseBytes == 4 * Self.large.count && server.statistics.waitingResponses == 6)
            #expect(counts.prepared.current == 10 && counts.dropped.current == 6)
            for client in clients { #expect(try client.receiveAnswer().body == Self.large) }
            #expect(counts.refused.current == 0 && counts.prepared.current == 16 && counts.dropped.current == 6)
        }
    }

    @Test func `addresses have turns, so that one with many requests does not make another wait for all of them`() async throws {
        try await Self.use(turn: .seconds(3_600)) { server, counts in
            // Nine from two addresses exhaust the account.
            let silent = try (2...4).flatMap { try Self.ordered(3, "/large?1", server, from: "127.0.0.\($0)") }
            #expect(server.statistics.waitingResponses == 0)
            let many = try Self.ordered(20, "/large?1", server, from: "127.0.0.5")
            let one = try Self.ordered(1, "/large?1", server, from: "127.0.0.6")
            #expect(server.statistics.waitingResponses == 21)
            for client in silent.prefix(2) { #expect(try client.receiveAnswer().body == Self.large) }
            #expect(try one[0].receiveAnswer().body == Self.large)
            #expect(many.count == 20 && counts.refused.current == 0)
        }
    }

    @Test func `a request is refused once it has waited too long`() async throws {
        try await Self.use(turn: .milliseconds(1)) { server, counts in
            let silent = try Self.silent(4, "/large?1", server)
            try server.waitUntil { $0.unsentResponseBytes == 4 * Self.large.count }
            let late = try Client(port: server.port)
            try late.send(Self.request("/large?1"))
            #expect(try late.receiveAnswer().status == 429)
            #expect(silent.count == 4 && counts.prepared.current == 4 && server.statistics.waitingResponses == 0)
        }
    }

    @Test func `a server ends while requests wait`() async throws {
        let (refused, open) = (Shared<Shared<Int>?>(nil), Shared<[Int32]>([]))
        try await Self.use(turn: .seconds(3_600)) { server, counts in
            refused.change { $0 = counts.refused }
            let clients = try Self.ordered(8, "/task?1", server)
            #expect(clients.count == 8 && server.statistics.waitingResponses == 4)
            // They stay connected until the server has ended.
            let descriptors = clients.map { dup($0.descriptor) }
            open.change { $0 = descriptors }
        }
        for descriptor in open.current { close(descriptor) }
        // It has waited for its tasks.
        #expect(refused.current?.current == 4)
    }
}
