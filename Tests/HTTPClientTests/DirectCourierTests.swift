// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform
import Synchronization
import TestSupport
import Testing

/// Requests over the kept connections of an event loop.
@Suite(.timeLimit(.minutes(5)))
struct DirectCourierTests {
    private typealias Outcome = RunningDirectCourier.Outcome

    private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let good = Outcome(status: 200, body: "ok")

    @Test func `requests in sequence use one connection, and have these bytes`() async throws {
        let receiver = try Receiver(.answers(Self.fine))
        try await RunningDirectCourier.use { courier async throws in
            let fields = [try HTTPField("Content-Type", "application/json"), try HTTPField("X-Blank", "")]
            #expect(try await courier.outcome(receiver.url + "?a=%20", fields: fields) == Self.good)
            #expect(try await courier.outcome(receiver.url, .get) == Self.good)
            #expect(try await courier.outcome(receiver.url, .post([])) == Self.good)
            let host = "Host: 127.0.0.1:\(receiver.port)\r\n"
            let post = "POST /hook?a=%20 HTTP/1.1\r\n\(host)Content-Type: application/json\r\nX-Blank:\r\nContent-Length: 2\r\n\r\n{}"
            #expect(receiver.requests == [post, "GET /hook HTTP/1.1\r\n\(host)\r\n", "POST /hook HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n"])
            #expect(receiver.connections == 1)
        }
    }

    @Test func `concurrent requests have connections of their own, which later ones reuse`() async throws {
        let receiver = try Receiver(.answers(Self.fine))
        try await RunningDirectCourier.use { courier async throws in
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: Outcome.self) { group in
                    for _ in 0..<20 { group.addTask { try await courier.outcome(receiver.url) } }
                    for try await outcome in group { #expect(outcome == Self.good) }
                }
            }
            #expect(receiver.requests.count == 60 && receiver.connections <= 20)
        }
    }

    @Test(arguments: [false, true])
    func `a kept connection that ends before a response is replaced for requests without a body only`(isGet: Bool) async throws {
        for ending in [Receiver.Manner.resets, .answersAndLeaves("")] {
            let receiver = try Receiver { $0 == 2 ? ending : .answers(Self.fine) }
            try await RunningDirectCourier.use { courier async throws in
                let content = isGet ? CourierRequest.Content.get : .post([0x37])
                #expect(try await courier.outcome(receiver.url, content) == Self.good)
                let second = try await courier.outcome(receiver.url, content)
                if isGet { #expect(second == Self.good) } else { #expect([.noResponse, .connectionReset].contains(second.failure)) }
                #expect(receiver.requests.count == (isGet ? 3 : 2))
                #expect(try await courier.outcome(receiver.url, content) == Self.good)
                #expect(receiver.connections == 2)
            }
        }
    }

    @Test func `a new connection that ends before a response is not replaced`() async throws {
        let receiver = try Receiver(.answersAndLeaves(""))
        try await RunningDirectCourier.use { courier async throws in
            #expect(try await courier.outcome(receiver.url, .get) == Outcome(failure: .noResponse))
            #expect(receiver.requests.count == 1)
        }
    }

    @Test func `a connection that the target closes after its response is not used again`() async throws {
        let receiver = try Receiver(.answersAndLeaves(Self.fine))
        try await RunningDirectCourier.use { courier async throws in
            for number in 1...3 {
                #expect(try await courier.outcome(receiver.url, .get) == Self.good)
                #expect(try await eventually { receiver.isAlone })
                #expect(receiver.requests.count == number && receiver.connections == number)
            }
        }
    }

    @Test func `a kept connection is closed when it has been idle for its time`() async throws {
        let receiver = try Receiver(.answers(Self.fine))
        try await RunningDirectCourier.use(RunningDirectCourier.keeping(.milliseconds(100))) { courier async throws in
            #expect(try await courier.outcome(receiver.url) == Self.good)
            await receiver.clientLeft()
            #expect(try await courier.outcome(receiver.url) == Self.good)
            #expect(receiver.connections == 2)
        }
    }

    @Test func `bytes that nothing asked for are not the next response`() async throws {
        let other = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let receiver = try Receiver(.answers(Self.fine + other))
        try await RunningDirectCourier.use { courier async throws in
            for number in 1...2 {
                #expect(try await courier.outcome(receiver.url) == Self.good)
                #expect(receiver.connections == number)
            }
        }
    }

    @Test func `interim responses are skipped, and the connection is kept`() async throws {
        let receiver = try Receiver(.answers("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Self.fine))
        try await RunningDirectCourier.use { courier async throws in
            for _ in 0..<2 { #expect(try await courier.outcome(receiver.url) == Self.good) }
            #expect(receiver.connections == 1)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\no\r\n1\r\nk\r\n0\r\nX: y\r\n\r\n", 1),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 1),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\nok\r\n0\r\n\r\n", 2),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 2),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 2),
    ])
    func `a connection is kept only after a response whose end is certain`(response: String, connections: Int) async throws {
        let receiver = try Receiver(.answers(response))
        try await RunningDirectCourier.use { courier async throws in
            for _ in 0..<2 { #expect(try await courier.outcome(receiver.url) == Self.good) }
            #expect(receiver.connections == connections)
        }
    }

    @Test func `the end of the connection is that of a body without a length`() async throws {
        let receiver = try Receiver(.answersAndLeaves("HTTP/1.1 200 OK\r\n\r\nok"))
        try await RunningDirectCourier.use { courier async throws in #expect(try await courier.outcome(receiver.url) == Self.good) }
    }

    @Test(
        arguments: [
            ("hello\r\n\r\n", 0), ("HTTP/2 200 OK\r\n\r\n", 0), ("HTTP/1.1 99 Low\r\n\r\n", 0), ("HTTP/1.1 101 Switching\r\n\r\n", 0),
            ("HTTP/1.1 200 OK\r\nName : 1\r\n\r\n", 0), ("HTTP/1.1 200 OK\r\n folded\r\n\r\n", 0), ("HTTP/1.1 200 OK\nContent-Length: 0\n\n", 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", 0), ("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", 0),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 0), ("HTTP/1.1 200 OK\r\n", 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", 200),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 200),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n", 200),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", 200),
        ] as [(String, Int)])
    func `a malformed response is a failure, and its connection is closed`(response: String, status: Int) async throws {
        let receiver = try Receiver { $0 == 1 ? .answersAndLeaves(response) : .answers(Self.fine) }
        try await RunningDirectCourier.use { courier async throws in
            let outcome = try await courier.outcome(receiver.url)
            #expect(outcome.failure == .badResponse && outcome.status == status)
            #expect(receiver.requests.count == 1)
            #expect(try await courier.outcome(receiver.url) == Self.good)
            #expect(receiver.connections == 2)
        }
    }

    @Test func `a head without an end is a failure`() async throws {
        let receiver = try Receiver(.headWithoutEnd)
        try await RunningDirectCourier.use { courier async throws in
            #expect(try await courier.outcome(receiver.url) == Outcome(failure: .badResponse))
            await receiver.clientLeft()
        }
    }
}

// MARK: - Bounds

extension DirectCourierTests {
    @Test func `an exchange ends at the limit of its receiver, and the connection with it`() async throws {
        let receiver = try Receiver(.drips("HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 3_000)))
        try await RunningDirectCourier.use { courier async throws in
            let outcome = try await courier.outcome(receiver.url, atMost: 2_000)
            #expect(outcome.status == 201 && outcome.failure == nil && (2_001..<1_000_000).contains(outcome.body.utf8.count))
            await receiver.clientLeft()
        }
    }

    @Test func `silent and dripping responses time out and delay no other`() async throws {
        let silent = try Receiver(.silent)
        let dripping = try Receiver(.drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"))
        let quick = try Receiver(.answers(Self.fine))
        try await RunningDirectCourier.use { courier async throws in
            let start = ContinuousClock.now
            async let first = courier.outcome(silent.url, within: .seconds(10))
            async let second = courier.outcome(dripping.url, within: .seconds(10))
            #expect(try await courier.outcome(quick.url) == Self.good)
            #expect(try await first == Outcome(failure: .timedOut))
            let slow = try await second
            #expect(slow.failure == .timedOut && slow.status == 200)
            #expect(ContinuousClock.now - start >= .seconds(10))
            for receiver in [silent, dripping] { #expect(try await eventually { receiver.isAlone }) }
        }
    }

    @Test func `a cancelled request has one result, and its connection is closed`() async throws {
        let receiver = try Receiver { $0 == 1 ? .silent : .answers(Self.fine) }
        try await RunningDirectCourier.use { courier async throws in
            let id = courier.nextID()
            async let outcome = courier.outcome(receiver.url, id: id)
            #expect(try await eventually { receiver.requests.count == 1 })
            courier.cancel(id + 1_000)
            courier.cancel(id)
            courier.cancel(id)
            #expect(try await outcome == Outcome(failure: .cancelled))
            await receiver.clientLeft()
            #expect(try await courier.outcome(receiver.url) == Self.good)
        }
    }

    @Test func `a refused connection and a blocked address are failures`() async throws {
        let receiver = try Receiver(.answers(Self.fine))
        let isAllowed = Mutex(true)
        try await RunningDirectCourier.use(block: { _, port in port == 1 || isAllowed.withLock(\.self) ? nil : .blockedAddress }) {
            courier async throws in
            #expect(try await courier.outcome("http://127.0.0.1:1/") == Outcome(failure: .couldNotConnect))
            #expect(try await courier.outcome(receiver.url) == Self.good)
            isAllowed.withLock { $0 = false }
            #expect(try await courier.outcome(receiver.url) == Outcome(failure: .blockedAddress), "the kept connection is not used either")
            #expect(receiver.requests.count == 1)
        }
    }

    @Test func `requests beyond the limit fail, and others go on`() async throws {
        let silent = try Receiver(.silent)
        var options = HTTPCourierOptions()
        options.exchangesPerShard = 1
        try await RunningDirectCourier.use(options) { courier async throws in
            let id = courier.nextID()
            async let first = courier.outcome(silent.url, id: id)
            #expect(try await eventually { silent.requests.count == 1 })
            #expect(try await courier.outcome(silent.url) == Outcome(failure: .failed))
            courier.cancel(id)
            #expect(try await first == Outcome(failure: .cancelled))
        }
    }

    @Test func `requests under way are cancelled when the loop ends`() async throws {
        let receiver = try Receiver(.silent)
        let (outcomes, found) = AsyncStream.makeStream(of: Outcome.self)
        try await RunningDirectCourier.use { courier async throws in
            Task { found.yield(try await courier.outcome(receiver.url)) }
            #expect(try await eventually { receiver.requests.count == 1 })
        }
        for await outcome in outcomes {
            #expect(outcome == Outcome(failure: .cancelled))
            break
        }
        #expect(try await eventually { receiver.isAlone })
    }
}
