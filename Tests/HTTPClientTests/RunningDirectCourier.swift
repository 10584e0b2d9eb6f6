// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPClient
import HTTPServer
import Platform
import Synchronization
import TestSupport
import Testing

/// A direct courier on the event loop of a server, with awaitable results.
final class RunningDirectCourier: Sendable {
    struct Outcome: Equatable {
        var status = 0
        var failure: CourierFailure?
        var body = ""
    }

    private struct State {
        var last: Int64 = 0
        var bodies: [Int64: [UInt8]] = [:]
        var waiting: [Int64: CheckedContinuation<CourierResult, Never>] = [:]
        var unexpected: [CourierResult] = []
    }

    private let courier: DirectCourier
    private let loop: SocketLoopHandle
    private let state: Shared

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private init(
        _ options: HTTPCourierOptions, _ block: @escaping @Sendable (IPAddress, Int) -> CourierFailure?, _ loop: SocketLoopHandle
    ) {
        let shared = Shared()
        courier = DirectCourier(options, block: block) { result in
            let waiting = shared.state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: result.id)
                if waiting == nil { state.unexpected.append(result) }
                return waiting
            }
            waiting?.resume(returning: result)
        }
        (self.loop, state) = (loop, shared)
    }

    /// Runs a server, which passes the loop of a request's connection on, and the courier on it.
    static func use(
        _ options: HTTPCourierOptions = keeping(.seconds(86_400)),
        block: @escaping @Sendable (IPAddress, Int) -> CourierFailure? = { _, _ in nil },
        _ body: @Sendable (RunningDirectCourier) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: 0)])
        configuration.loops = 1
        let (loops, found) = AsyncStream.makeStream(of: SocketLoopHandle.self)
        let server = try HTTPServer(configuration: configuration) { _ in
            .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in
                found.yield(reply.loop)
                reply.send(HTTPResponse(status: 204))
            }
        } problem: { fault, _ in
            HTTPResponse(status: fault.status)
        }
        async let running: Void = server.run()
        let client = Loopback.connect(server.port)
        #expect(Loopback.send(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...], client))
        let courier = RunningDirectCourier(options, block, try #require(await loops.first { _ in true }))
        do { try await body(courier) } catch { Issue.record(error) }
        close(client)
        server.drain(grace: .zero)
        try await running
        // The loop ends the exchanges of the courier, which must outlive it.
        #expect(courier.state.state.withLock { $0.unexpected.isEmpty }, "a request has one result")
    }

    /// Options with a time for which idle connections are kept.
    static func keeping(_ longestIdle: Duration) -> HTTPCourierOptions {
        var options = HTTPCourierOptions()
        options.longestIdle = longestIdle
        return options
    }

    func nextID() -> Int64 {
        state.state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Sends a request and returns its outcome. The receiver ends the exchange beyond a number of bytes.
    func outcome(
        _ url: String, _ content: CourierRequest.Content = .post(Array("{}".utf8)), fields: [HTTPField] = [], id: Int64? = nil,
        within limit: Duration = .seconds(60), atMost bytes: Int = .max
    ) async throws -> Outcome {
        let (id, shared) = (id ?? nextID(), state)
        let target = try #require(courier.target(of: url))
        let request = CourierRequest(id: id, url: url, content, fields: fields, timeout: limit) { _, piece in
            shared.state.withLock { state in
                state.bodies[id, default: []] += piece
                return state.bodies[id, default: []].count <= bytes
            }
        }
        let result = await withCheckedContinuation { waiting in
            shared.state.withLock { $0.waiting[id] = waiting }
            courier.send(request, to: target, on: loop)
        }
        let body = shared.state.withLock { $0.bodies.removeValue(forKey: id) ?? [] }
        return Outcome(status: result.status, failure: result.failure, body: String(decoding: body, as: UTF8.self))
    }

    func cancel(_ id: Int64) { courier.cancel(id, on: loop) }
}
