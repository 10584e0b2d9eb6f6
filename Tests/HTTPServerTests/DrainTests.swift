// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPServer
import TestSupport
import Testing

struct DrainTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let wait = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func holding(_ replies: Shared<[HTTPReply]>) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.path == "/wait" else { return echo(head) }
            return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in replies.change { $0.append(reply) } }
        }
    }

    @Test func `draining closes idle connections, completes requests in flight and accepts no new ones`() async throws {
        let replies = Shared<[HTTPReply]>([])
        try await serving({ $0.loops = 2 }, plan: DrainTests.holding(replies)) { server in
            let idle = try Client(port: server.port)
            try idle.ask()
            let busy = try Client(port: server.port)
            try busy.send(DrainTests.wait)
            while replies.current.isEmpty { _ = try server.isHealthy() }
            server.drain(grace: .seconds(60))
            #expect(try idle.isEnded())
            while (try? Client(port: server.port)) != nil {}
            replies.current[0].send(HTTPResponse(status: 200))
            let answer = try busy.receiveAnswer()
            #expect(answer.status == 200 && answer.headers["connection"] == "close")
            #expect(try busy.isEnded())
        }
    }

    @Test func `requests in flight after the grace period are aborted`() async throws {
        let replies = Shared<[HTTPReply]>([])
        try await serving(plan: DrainTests.holding(replies)) { server in
            let busy = try Client(port: server.port)
            try busy.send(DrainTests.wait)
            while replies.current.isEmpty { _ = try server.isHealthy() }
            server.drain(grace: .milliseconds(50))
            #expect(try busy.isEnded())
        }
    }

    @Test func `a request that begins while draining is the last of its connection`() async throws {
        let replies = Shared<[HTTPReply]>([])
        try await serving(plan: DrainTests.holding(replies)) { server in
            let client = try Client(port: server.port)
            let half = try Client(port: server.port)
            try half.send("GET / HTTP/1.1\r\n")
            try client.send(DrainTests.wait)
            while replies.current.isEmpty { _ = try server.isHealthy() }
            server.drain(grace: .seconds(60))
            while (try? Client(port: server.port)) != nil {}
            try half.send("Host: a\r\n\r\n")
            let answer = try half.receiveAnswer()
            #expect(answer.status == 200 && answer.headers["connection"] == "close")
            replies.current[0].send(HTTPResponse(status: 200))
            #expect(try client.receiveAnswer().status == 200)
        }
    }

    private static func streaming(_ lines: AsyncStream<String>) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.path == "/wait" else { return echo(head) }
            return .async(bodyLimit: 0, decodedLimit: 0) { _ in
                .stream(status: 200, headers: []) { for await line in lines { try await $0.write(Array(line.utf8)) } }
            }
        }
    }

    /// A server on a passed socket.
    private static func passing(
        _ lastCall: Duration, plan: @escaping @Sendable (HTTPRequestHead) -> HTTPPlan = echo,
        _ body: @escaping @Sendable (HTTPServer) throws -> Void
    ) async throws {
        let passed = try #require(Client.listeningSocket())
        try await serving(
            {
                $0.passedSockets = [passed]
                $0.deadlines.lastCall = lastCall
            }, plan: plan, body)
    }

    private static func drain(_ server: HTTPServer) {
        server.drain(grace: .seconds(60))
        // The loop handles its messages in order.
        _ = server.hasIterated()
        while !server.hasIterated() {}
    }

    /// An idle connection to a server on a passed socket that starts draining.
    private static func keeping(_ lastCall: Duration, _ body: @escaping @Sendable (Client) throws -> Void) async throws {
        try await passing(lastCall) { server in
            let kept = try Client(port: server.port)
            try kept.ask()
            drain(server)
            try body(kept)
        }
    }

    @Test func `on a passed socket an idle connection may send a last request while draining`() async throws {
        try await DrainTests.keeping(.seconds(60)) { kept in
            let answer = try kept.ask()
            let isEnded = try kept.isEnded()
            #expect(answer.headers["connection"] == "close" && isEnded)
        }
    }

    @Test func `an idle connection is closed after its last-call time`() async throws {
        try await DrainTests.keeping(.milliseconds(20)) { kept in
            let isEnded = try kept.isEnded()
            #expect(isEnded)
        }
    }

    @Test func `on a passed socket a connection may send a last request after its stream ended`() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        try await DrainTests.passing(.seconds(60), plan: DrainTests.streaming(lines)) { server in
            let client = try Client(port: server.port)
            try client.send(DrainTests.wait)
            continuation.yield("one")
            _ = try client.receive()
            DrainTests.drain(server)
            continuation.finish()
            let streamed = try client.receiveAnswer().text
            let answer = try client.ask()
            let isEnded = try client.isEnded()
            #expect(streamed == "one" && answer.headers["connection"] == "close" && isEnded)
        }
    }

    @Test func `a stream continues while draining and closes its connection`() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        try await serving(plan: DrainTests.streaming(lines)) { server in
            let client = try Client(port: server.port)
            try client.send(DrainTests.wait)
            continuation.yield("one")
            _ = try client.receive()
            server.drain(grace: .seconds(60))
            while (try? Client(port: server.port)) != nil {}
            continuation.yield("two")
            continuation.finish()
            #expect(try client.receiveAnswer().text == "onetwo")
            #expect(try client.isEnded())
        }
    }

    @Test func `cancelling the task ends the server and its handlers`() async throws {
        let server = try HTTPServer(
            configuration: HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: 0)]),
            plan: { _ in
                .async(bodyLimit: 0, decodedLimit: 0) { _ in
                    let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
                    for await _ in silence {}
                    return withExtendedLifetime(continuation) { .response(HTTPResponse(status: 200)) }
                }
            }, problem: { fault, _ in HTTPResponse(status: fault.status) })
        let running = Task.detached { try await server.run() }
        try await Task(executorPreference: BlockingExecutor.shared) {
            let client = try Client(port: server.port)
            try client.send(DrainTests.get)
            while server.statistics.connections == 0 { sched_yield() }
            running.cancel()
            _ = try client.receiveAll()
        }.value
        try await running.value
    }

    @Test func `a port in use is an error`() async throws {
        try await serving { server in
            #expect(throws: HTTPServerError.self) {
                try HTTPServer(configuration: HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: server.port)]), plan: echo) { _, _ in
                    HTTPResponse(status: 500)
                }
            }
        }
    }
}
