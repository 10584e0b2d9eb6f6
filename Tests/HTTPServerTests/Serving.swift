// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Synchronization
import TestSupport
import Testing

/// Starts a server on a free port, runs `body` on a thread that may block, and stops the server.
func serving(
    _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }, plan: @escaping @Sendable (HTTPRequestHead) -> HTTPPlan = echo,
    _ body: @escaping @Sendable (HTTPServer) throws -> Void
) async throws {
    var configuration = HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: 0)])
    configuration.loops = 1
    configure(&configuration)
    let server = try HTTPServer(configuration: configuration, plan: plan) { fault, _ in
        HTTPResponse(status: fault.status, body: Array("\(fault)".utf8))
    }
    // Not on the shared pool, where another test may compute for seconds.
    let running = Task.detached(executorPreference: BlockingExecutor.shared) { try await server.run() }
    let result = await Task(executorPreference: BlockingExecutor.shared) { try body(server) }.result
    server.drain(grace: .zero)
    try await running.value
    try result.get()
}

/// Responds with method, path, query and body.
let echo: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in
    .inline(bodyLimit: 1_024 * 1_024, decodedLimit: 1_024 * 1_024, account: 1) { request, reply in reply.send(echoed(request)) }
}

func echoed(_ request: HTTPRequest) -> HTTPResponse {
    let line = "\(request.head.method.name) \(request.head.path) \(request.head.query ?? "-") "
    return HTTPResponse(status: 200, headers: [(name: "Content-Type", value: "text/plain")], body: Array(line.utf8) + request.body)
}

extension HTTPServer {
    /// Sends bytes on a new connection and returns all received bytes until it closes.
    func exchange(_ bytes: String) throws -> String {
        let client = try Client(port: port)
        try client.send(bytes)
        return try client.receiveAll()
    }

    /// Whether a valid request on a new connection gets the expected response.
    func isHealthy() throws -> Bool {
        try Client(port: port).greet() == "POST /ok - hi"
    }

    /// Waits, without a clock, until the server's counters have the expected values.
    ///
    /// One connection is counted that belongs to this wait.
    func waitUntil(_ condition: (HTTPServerStatistics) -> Bool) throws {
        for _ in 0..<100_000 {
            // A round trip through the loop: everything received before has been handled after it.
            let client = try Client(port: port)
            _ = try client.greet()
            if condition(statistics) { return }
        }
        Issue.record("the counters do not change: \(statistics)")
    }
}

extension Client {
    /// Sends a request that `echo` answers, and returns the text of the response.
    fileprivate func greet() throws -> String {
        try send("POST /ok HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        return try receiveAnswer().text
    }
}

/// A counter or list that handlers may touch from any thread.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    var current: Value { value.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        value.withLock { body(&$0) }
    }
}
