// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Platform
import Synchronization
import TestSupport
import Testing

/// Requests to hostile receivers and misleading addresses.
@Suite(.timeLimit(.minutes(5)))
struct HostileReceiverTests {
    private let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `silent and dripping responses time out and delay no other`() async throws {
        let silent = try Receiver(.silent)
        let dripping = try Receiver(.drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"))
        let fine = try Receiver(.answers(fine))
        let running = try RunningCourier()
        let slow = [silent, dripping].enumerated().map {
            CourierRequest(id: Int64($0.offset), url: $0.element.url, .get, timeout: .seconds(10))
        }
        #expect(running.courier.send(slow + [CourierRequest(id: 2, url: fine.url, .get)], shard: 0))
        let results = await running.next(3)
        #expect(results[0].id == 2 && results[0].status == 200)
        let ended = results[1...].sorted { $0.id < $1.id }
        #expect(ended.map(\.status) == [0, 200])
        #expect(ended.allSatisfy { $0.failure == .timedOut && (9_990..<60_000).contains($0.milliseconds) })
    }

    @Test(arguments: [
        (Receiver.Manner.resets, CourierFailure.connectionReset, 0), (.answersAndLeaves(""), .noResponse, 0),
        (.answersAndLeaves("HTTP/1.1 100 Continue\r\n\r\n"), .noResponse, 0), (.answersAndLeaves("hello\r\n\r\n"), .badResponse, 0),
        (.answersAndLeaves("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .badResponse, 200),
        (.headWithoutEnd, .badResponse, 200),
    ])
    func `a failed exchange has its reason`(manner: Receiver.Manner, failure: CourierFailure, status: Int) async throws {
        let receiver = try Receiver(manner)
        let result = try await RunningCourier().result(receiver.url)
        #expect(result.failure == failure && result.status == status)
    }

    @Test(
        arguments: [
            ("file:///etc/passwd", .unsupportedScheme), ("gopher://127.0.0.1/", .unsupportedScheme), ("ftp://127.0.0.1/", .unsupportedScheme),
            ("127.0.0.1:1", .unsupportedScheme), ("", .unsupportedScheme), ("http://", .unsupportedScheme), ("http:///", .badURL),
            ("http://a b/", .badURL), ("http://127.0.0.1:1/\0", .badURL), ("http://127.0.0.1:1/\r\nX: y", .badURL),
            ("http://127.0.0.1:99999/", .badURL),
            ("http://127.0.0.1:1/", .couldNotConnect), ("http://nobody.invalid/", .couldNotResolve),
        ] as [(String, CourierFailure)])
    func `an unusable URL fails with its reason`(url: String, failure: CourierFailure) async throws {
        let result = try await RunningCourier().result(url)
        #expect(result.failure == failure && result.status == 0)
    }

    /// Spellings of the loopback address.
    @Test(arguments: [
        "127.0.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "017700000001", "0177.0.0.1", "127.1", "127.0.1", "localhost", "LOCALHOST", "[::1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "user:password@127.0.0.1",
    ])
    func `a blocked address is never connected to in any spelling`(host: String) async throws {
        let receiver = try Receiver(.answers(fine))
        let asked = Mutex<Set<IPAddress>>([])
        let running = try RunningCourier(mayConnect: { address in
            asked.withLock { _ = $0.insert(address) }
            return !address.isLoopback
        })
        let result = try await running.result("http://\(host):\(receiver.port)/")
        #expect(result.failure == .blockedAddress && result.status == 0 && receiver.connections == 0)
        #expect(asked.withLock { !$0.isEmpty && $0.allSatisfy(\.isLoopback) })
        // The same address is reached once it is allowed, so the policy had blocked it.
        if !host.hasPrefix("[") || host.contains("ffff") {
            let open = try await RunningCourier().result("http://\(host):\(receiver.port)/")
            #expect(open.status == 200)
        }
    }

    @Test func `a kept connection is not used after its address is blocked`() async throws {
        let receiver = try Receiver(.answers(fine))
        let isAllowed = Atomic(true)
        let running = try withExtendedLifetime(isAllowed) { try RunningCourier(mayConnect: { _ in isAllowed.load(ordering: .relaxed) }) }
        #expect(try await running.result(receiver.url).status == 200)
        isAllowed.store(false, ordering: .relaxed)
        #expect(try await running.result(receiver.url).failure == .blockedAddress)
        #expect(receiver.requests.count == 1 && receiver.connections == 1)
    }

    @Test(arguments: [false, true])
    func `a kept connection that ends before a response is replaced for repeatable requests only`(isRepeatable: Bool) async throws {
        let sink = try WebhookSink { $0.number == 2 ? .resets : .status(200) }
        let running = try RunningCourier()
        var request = CourierRequest(id: 1, url: sink.url("/hook"), .post(Array("{}".utf8)))
        request.isRepeatable = isRepeatable
        #expect(try await running.result(of: request).status == 200)
        let result = try await running.result(of: request)
        #expect(result.failure == (isRepeatable ? nil : .noResponse) && result.status == (isRepeatable ? 200 : 0))
        #expect(sink.hooks.count == (isRepeatable ? 3 : 2))
    }

    /// Runs in its own process, because the environment is changed.
    @Test func `a proxy in the environment is ignored`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try Receiver(.answers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy"))
            let receiver = try Receiver(.answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
            for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:\(proxy.port)", 1) }
            let result = try await RunningCourier().result(receiver.url)
            exit(result.response == Array("ok".utf8) && proxy.connections == 0 ? 0 : 1)
        }
    }
}
