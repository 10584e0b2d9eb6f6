// SPDX-License-Identifier: Apache-2.0

import Compression
import Dispatch
import Glibc
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// The threads that decode bodies, and their order.
struct WorkPoolTests {
    private static let large = [UInt8](repeating: 0x61, count: 100_000)

    private static func post(_ path: String, _ body: [UInt8], coding: String? = nil) -> [UInt8] {
        let field = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
        return Array("POST \(path) HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test(arguments: [nil, "gzip"])
    func `a large body is decoded off the loop, a small one on it`(coding: String?) async throws {
        let threads = Shared<[String: pthread_t]>([:])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            .inline(bodyLimit: 1 << 20, decodedLimit: 1 << 20) { request, reply in
                threads.change { $0[request.head.path] = pthread_self() }
                #expect((request.lane == nil) == (request.body.count <= 64 << 10))
                reply.send(echoed(request))
            }
        }
        try await serving(plan: plan) { server in
            for (path, body) in [("/small", Array("a".utf8)), ("/limit", Array(WorkPoolTests.large[..<65_536])), ("/large", WorkPoolTests.large)] {
                let client = try Client(port: server.port)
                try client.send(WorkPoolTests.post(path, coding == nil ? body : gzip(body), coding: coding)[...])
                #expect(try client.receiveAnswer().text.utf8.count == "POST \(path) - ".utf8.count + body.count)
            }
            let seen = threads.current
            #expect(seen["/small"] == seen["/limit"] && seen["/small"] != seen["/large"])
        }
    }

    @Test(arguments: [false, true])
    func `the loop responds while decoders are busy, and accounts are served in turn`(isAsync: Bool) async throws {
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Shared<[String]>([])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path != "/ok" else { return echo(head) }
            let account: Int64 = head.path == "/quiet" ? 2 : 1
            let work: @Sendable (HTTPRequest) -> HTTPResponse = { request in
                if request.head.path == "/hold" {
                    isHeld.signal()
                    release.wait()
                }
                order.change { $0.append(request.head.path) }
                return HTTPResponse(status: 200)
            }
            return isAsync
                ? .async(bodyLimit: 1 << 20, decodedLimit: 1 << 20, account: account) { .response(work($0)) }
                : .inline(bodyLimit: 1 << 20, decodedLimit: 1 << 20, account: account) { $1.send(work($0)) }
        }
        try await serving({ $0.caps.decodeThreads = 1 }, plan: plan) { server in
            func begin(_ path: String) throws -> Client {
                let client = try Client(port: server.port)
                try client.send(WorkPoolTests.post(path, WorkPoolTests.large)[...])
                return client
            }
            let holding = try begin("/hold")
            isHeld.wait()
            let noisy = try (0..<4).map { try begin("/noisy\($0)") }
            try server.waitUntil { $0.waitingDecodes == 4 }
            let quiet = try begin("/quiet")
            try server.waitUntil { $0.waitingDecodes == 5 }
            release.signal()
            for client in [holding, quiet] + noisy { #expect(try client.receiveAnswer().status == 200) }
            // A task has one turn to start and one to continue, and another may start in between.
            #expect([1, isAsync ? 2 : 1].contains(order.current.firstIndex(of: "/quiet")), "\(order.current)")
        }
    }

    @Test func `bodies above the decode queue's limit are rejected, and the rest is served`() async throws {
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path != "/ok" else { return echo(head) }
            return .inline(bodyLimit: 1 << 20, decodedLimit: 1 << 20, account: 1) { request, reply in
                if request.head.path == "/hold" {
                    isHeld.signal()
                    release.wait()
                }
                reply.send(HTTPResponse(status: 200))
            }
        }
        try await serving(
            {
                $0.caps.decodeThreads = 1; $0.caps.waitingDecodesPerShare = 1
            }, plan: plan
        ) { server in
            let clients = try (0..<3).map { _ in try Client(port: server.port) }
            try clients[0].send(WorkPoolTests.post("/hold", WorkPoolTests.large)[...])
            isHeld.wait()
            try clients[1].send(WorkPoolTests.post("/", WorkPoolTests.large)[...])
            try server.waitUntil { $0.waitingDecodes == 1 }
            try clients[2].send(WorkPoolTests.post("/", WorkPoolTests.large)[...])
            #expect(try clients[2].receiveAnswer().status == 429)
            release.signal()
            #expect(try clients[0].receiveAnswer().status == 200 && clients[1].receiveAnswer().status == 200)
        }
    }

    /// A plan that reads the account from the first byte of the body.
    private static func identifying(_ find: @escaping @Sendable (HTTPRequest) -> Void) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.path != "/ok" else { return echo(head) }
            return .identify(bodyLimit: 1 << 20, decodedLimit: 1 << 20) { request in
                find(request)
                guard request.body.first == UInt8(ascii: "k") else { return (.respond(HTTPResponse(status: 401)), []) }
                return (.inline(bodyLimit: 1 << 20, decodedLimit: 1 << 20, account: 1) { $1.send(echoed($0)) }, Array(request.body.dropFirst()))
            }
        }
    }

    @Test func `the key is found off the loop, then the request continues`() async throws {
        let threads = Shared<Set<pthread_t>>([])
        let plan = WorkPoolTests.identifying { _ in threads.change { $0.insert(pthread_self()) } }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port)
            for body in ["", "x", "kay", "k" + String(repeating: "a", count: 100_000)] {
                for coding in [nil, "gzip"] as [String?] {
                    let bytes = Array(body.utf8)
                    try client.send(WorkPoolTests.post("/x", coding == nil ? bytes : gzip(bytes), coding: coding)[...])
                    let answer = try client.receiveAnswer()
                    let isKnown = body.hasPrefix("k")
                    #expect(answer.status == (isKnown ? 200 : 401) && (!isKnown || answer.text == "POST /x - " + body.dropFirst()))
                }
            }
            #expect(threads.current.count <= 2)
        }
    }

    @Test func `at most two bodies are scanned at once, and the queue is bounded`() async throws {
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let running = Shared(0), most = Shared(0)
        let plan = WorkPoolTests.identifying { _ in
            running.change { $0 += 1 }
            let now = running.current
            most.change { $0 = max($0, now) }
            isHeld.signal()
            release.wait()
            running.change { $0 -= 1 }
        }
        try await serving(
            {
                $0.caps.waitingScansPerClient = 2; $0.trustedProxies = []
            }, plan: plan
        ) { server in
            let clients = try (0..<4).map { _ in try Client(port: server.port) }
            for client in clients[..<2] { try client.send(WorkPoolTests.post("/x", Array("k".utf8))[...]) }
            for _ in 0..<2 { isHeld.wait() }
            for client in clients[2...] { try client.send(WorkPoolTests.post("/x", Array("k".utf8))[...]) }
            try server.waitUntil { $0.waitingScans == 2 }
            let refused = try Client(port: server.port)
            try refused.send(WorkPoolTests.post("/x", Array("k".utf8))[...])
            #expect(try refused.receiveAnswer().status == 429)
            // Another client has its own limit.
            let other = try Client(port: server.port, from: "127.0.0.5")
            try other.send(WorkPoolTests.post("/x", Array("k".utf8))[...])
            try server.waitUntil { $0.waitingScans == 3 }
            for _ in 0..<5 { release.signal() }
            for client in clients + [other] { #expect(try client.receiveAnswer().status == 200) }
            #expect(most.current == 2)
        }
    }
}
