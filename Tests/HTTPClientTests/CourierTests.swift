// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Platform
import Synchronization
import TestSupport
import Testing

/// Requests to regular receivers and their results.
@Suite(.timeLimit(.minutes(5)))
struct CourierTests {
    private let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `many concurrent requests each get one result and reuse connections`() async throws {
        let receiver = try Receiver(.answers(fine))
        var options = RunningCourier.oneShard(20)
        options.shards = 2
        let running = try RunningCourier(options)
        let requests = (0..<2_000).map { CourierRequest(id: Int64($0), url: receiver.url, .post(Array("\($0)".utf8))) }
        #expect(running.courier.send(Array(requests[..<1_000]), shard: 0) && running.courier.send(Array(requests[1_000...]), shard: 1))
        let results = await running.next(2_000)
        #expect(results.map(\.id).sorted() == requests.map(\.id))
        #expect(results.allSatisfy { $0.status == 200 && $0.failure == nil && $0.response == Array("ok".utf8) })
        #expect(Set(receiver.requests.compactMap { $0.components(separatedBy: "\r\n\r\n").last }).count == 2_000)
        #expect(receiver.connections <= 40)
    }

    @Test func `sequential requests reuse a connection without leftover state`() async throws {
        let receiver = try Receiver(.answers(fine))
        let running = try RunningCourier()
        let shared = [try HTTPField("Content-Type", "application/json"), try HTTPField("User-Agent", "Signalbox")]
        let own = [try HTTPField("webhook-id", "1"), try HTTPField("X-Blank", "")]
        let first = CourierRequest(id: 1, url: receiver.url + "/../a", .post(Array("{\"long\":1}".utf8)), sharedFields: shared, fields: own)
        for request in [first, CourierRequest(id: 2, url: receiver.url, .get), CourierRequest(id: 3, url: receiver.url, .post([]))] {
            #expect(try await running.result(of: request).status == 200)
        }
        let requests = receiver.requests.map { $0.components(separatedBy: "\r\n") }
        let lines = ["Content-Type: application/json", "User-Agent: Signalbox", "webhook-id: 1", "X-Blank:", "Content-Length: 10"]
        #expect(requests[0][0] == "POST /hook/../a HTTP/1.1" && requests[0].last == "{\"long\":1}" && Set(lines).isSubset(of: requests[0]))
        #expect(requests[1] == ["GET /hook HTTP/1.1", "Host: 127.0.0.1:\(receiver.port)", "Accept: */*", "", ""])
        #expect(requests[2].contains("Content-Length: 0") && requests[2].last == "" && !requests[2].contains { $0.hasPrefix("Content-Type") })
        #expect(receiver.connections == 1)
    }

    @Test func `a redirect is returned and not followed`() async throws {
        let target = try Receiver(.answers(fine))
        let receiver = try Receiver(.answers("HTTP/1.1 307 Temporary Redirect\r\nLocation: \(target.url)\r\nContent-Length: 0\r\n\r\n"))
        let result = try await RunningCourier().result(receiver.url)
        #expect(result.status == 307 && result.failure == nil && target.connections == 0)
    }

    @Test func `Retry-After of the final response is returned`() async throws {
        let receiver = try Receiver(
            .answers(
                "HTTP/1.1 103 Early Hints\r\nRetry-After: 1\r\n\r\nHTTP/1.1 429 Too Many Requests\r\nretry-after:  Fri, 31 Dec 1999\r\nContent-Length: 0\r\n\r\n"
            ))
        let running = try RunningCourier()
        let result = try await running.result(receiver.url)
        #expect(result.status == 429 && result.retryAfter == "Fri, 31 Dec 1999")
        let plain = try Receiver(.answers("HTTP/1.1 103 Early Hints\r\nRetry-After: 1\r\n\r\n" + fine))
        #expect(try await running.result(plain.url).retryAfter == nil)
    }

    @Test(arguments: [(4_096, 4_096), (4_097, 4_096), (3_000_000, 4_096), (10, 10), (0, 0)])
    func `the start of a long response is kept with its status`(length: Int, kept: Int) async throws {
        let receiver = try Receiver(.answers("HTTP/1.1 201 Created\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length)))
        let running = try RunningCourier()
        for _ in 0..<2 {
            let result = try await running.result(receiver.url)
            #expect(result.status == 201 && result.failure == nil && result.response == [UInt8](repeating: 0x78, count: kept))
        }
        #expect(receiver.connections == (length > kept ? 2 : 1))
    }

    @Test func `an idle courier closes its connections`() async throws {
        let receiver = try Receiver(.answers(fine))
        var options = RunningCourier.oneShard()
        options.nameLifetime = .milliseconds(50)
        let running = try RunningCourier(options)
        #expect(try await running.result(receiver.url).status == 200)
        await receiver.clientLeft()
        #expect(try await running.result(receiver.url).status == 200)
        #expect(receiver.connections == 2)
    }

    @Test(arguments: [("X", "a\r\nY: b"), ("X: a\r\nY", "b"), ("", "b"), ("X;", ""), ("X", "a\0b"), ("X", "a\u{7f}")])
    func `a header that would break the framing is rejected`(name: String, value: String) {
        #expect { try HTTPField(name, value) } throws: { ($0 as? HTTPClientError)?.code == .invalidRequest }
    }
}

// MARK: - Bounds

extension CourierTests {
    @Test func `a full inbox rejects requests, and stopping reports queued ones as cancelled`() async throws {
        let receiver = try Receiver(.silent)
        var options = RunningCourier.oneShard(1)
        options.waitingPerShard = 10
        let running = try RunningCourier(options)
        let ten = (0..<10).map { CourierRequest(id: Int64($0), url: receiver.url, .get) }
        #expect(!running.courier.send(ten + ten.prefix(1), shard: 0))
        #expect(running.courier.send(ten, shard: 0))
        // One of them may have begun.
        #expect(!running.courier.send(ten, shard: 0))
        running.courier.stop()
        #expect(!running.courier.send(ten, shard: 0))
        let results = await running.next(10)
        #expect(results.map(\.id).sorted() == Array(0..<10) && results.allSatisfy { $0.failure == .cancelled && $0.status == 0 })
        #expect(receiver.connections <= 1)
    }

    @Test func `more receivers than connections are all served in turn`() async throws {
        let receivers = try (0..<7).map { _ in try Receiver(.answers(fine)) }
        let running = try RunningCourier(RunningCourier.oneShard(2))
        let requests = (0..<210).map { CourierRequest(id: Int64($0), url: receivers[$0 % 7].url, .get, timeout: .seconds(20)) }
        #expect(running.courier.send(requests, shard: 0))
        let results = await running.next(210)
        #expect(results.allSatisfy { $0.status == 200 && $0.milliseconds < 10_000 })
        #expect(receivers.allSatisfy { $0.requests.count == 30 && $0.connections > 1 })
    }

    /// Runs in its own process, because descriptors are counted.
    @Test func `a released courier leaves nothing open`() async {
        await #expect(processExitsWith: .success) {
            @Sendable func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            let receiver = try Receiver(.silent)
            var before: Int?
            for _ in 0..<10 {
                let running = try RunningCourier(RunningCourier.oneShard(20))
                let requests = (0..<20).map {
                    CourierRequest(id: Int64($0), url: receiver.url, .get, timeout: .milliseconds($0 % 2 == 0 ? 50 : 60_000))
                }
                guard running.courier.send(requests, shard: 0) else { exit(2) }
                guard await running.next(10).allSatisfy({ $0.failure == .timedOut }) else { exit(3) }
                running.courier.stop()
                // The number of requests that arrived in time is unknown.
                guard try await eventually({ receiver.isAlone }) else { exit(4) }
                if before == nil { before = try descriptors() }
            }
            // A leak in each of the other rounds would add nine; the runtime itself opens fewer.
            let most = (before ?? 0) + 8
            exit(try await eventually { try receiver.isAlone && descriptors() <= most } ? 0 : 5)
        }
    }
}
