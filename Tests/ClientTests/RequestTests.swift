// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Single requests to a server that plays the daemon.
@Suite struct RequestTests {
    private func client(_ address: String, silence: TimeInterval = 30, longestResponse: Int = 1 << 20) throws -> APIClient {
        APIClient(address: try #require(URL(string: address)), key: "sb_ingest_key", silence: silence, longestResponse: longestResponse)
    }

    @Test func `a request has a body and fields, and so has its response`() async throws {
        let sink = try WebhookSink { _ in .status(429, "Retry-After: 7", "X-Other: a: b", body: "later") }
        let client = try client(sink.url(""))
        let response = try await client.send("POST", "v1/events", Array("{}".utf8))
        #expect(response.status == 429 && response.retryAfter == 7 && response.fields["x-other"] == "a: b" && response.body == Data("later".utf8))
        _ = try await client.send("POST", "v1/empty", nil)
        let hooks = sink.hooks
        #expect(hooks.map(\.method) == ["POST", "POST"] && hooks.map(\.target) == ["/v1/events", "/v1/empty"])
        #expect(hooks[0].headers["content-type"] == "application/json" && hooks[0].headers["authorization"] == "Bearer sb_ingest_key")
        #expect(hooks[1].headers["content-length"] == "0")
        client.close()
    }

    @Test func `requests and streams have a user agent, and a key with a line break adds no field`() async throws {
        let sink = try WebhookSink { _ in .status(404) }
        let address = try #require(URL(string: sink.url("")))
        for key in ["sb_ingest_key", "sb_ingest_key\r\nX-Other: 1"] {
            let client = APIClient(address: address, key: key)
            let stream = StreamConnection { _ in true }
            await #expect(throws: SignalboxError.self) { try await stream.run(client.request("GET", "/v1/stream"), silence: 30) }
            let result = await Task { try await client.send("GET", "/v1/users", nil) }.result
            let status = try? result.get().status
            if key == "sb_ingest_key" { #expect(status == 404) }
            client.close()
        }
        let hooks = sink.hooks
        #expect(hooks.prefix(2).map(\.path) == ["/v1/stream", "/v1/users"])
        #expect(hooks.allSatisfy { $0.headers["user-agent"]?.hasPrefix("Signalbox") == true && $0.headers["x-other"] == nil })
    }

    @Test func `many requests at once all get their responses`() async throws {
        let sink = try WebhookSink { .status(200, body: $0.target) }
        let client = try client(sink.url(""))
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask { (try? await client.send("GET", "v1/n/\(number)", nil))?.body == Data("/v1/n/\(number)".utf8) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 300)
        client.close()
    }

    @Test func `a waiting request ends with its task, and with its client`() async throws {
        let sink = try WebhookSink { _ in .silent }
        let client = try client(sink.url(""))
        let cancelled = Task { try await client.send("GET", "v1/a", nil) }
        let waiting = Task { try await client.send("GET", "v1/b", nil) }
        let haveArrived = try await eventually { sink.hooks.count == 2 }
        #expect(haveArrived)
        cancelled.cancel()
        let end = await cancelled.result
        #expect(throws: SignalboxError.unreachable(reason: "The request was cancelled.")) { try end.get() }
        client.close()
        let closed = await waiting.result
        #expect(throws: SignalboxError.unreachable(reason: "The request was cancelled.")) { try closed.get() }
        let late = await Task { try await client.send("GET", "v1/c", nil) }.result
        #expect(throws: SignalboxError.closed) { try late.get() }
        #expect(sink.hooks.count == 2)
    }

    @Test func `a request to a silent server ends after the idle timeout`() async throws {
        let sink = try WebhookSink { _ in .silent }
        let client = try client(sink.url(""), silence: 0.2)
        let result = await Task { try await client.send("GET", "v1/a", nil) }.result
        #expect(throws: SignalboxError.unreachable(reason: "Nothing was sent or received in time.")) { try result.get() }
        client.close()
    }

    @Test func `a response that is too long ends at the limit`() async throws {
        // It has no end.
        let sink = try WebhookSink { _ in .drips("HTTP/1.1 200 OK\r\n\r\n") }
        let client = try client(sink.url(""), longestResponse: 3)
        let result = await Task { try await client.send("GET", "v1/a", nil) }.result
        #expect(throws: SignalboxError.unexpectedResponse(status: 200, detail: "The response exceeds 3 bytes.")) { try result.get() }
        client.close()
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
    func `a connection that breaks before the end of a response is a lost connection`(text: String) async throws {
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                var request = [UInt8](repeating: 0, count: 4_096)
                _ = recv(connection, &request, request.count, 0)
                _ = Loopback.send(Array(text.utf8)[...], connection)
                close(connection)
            }
            close(listener)
        }
        defer { shutdown(listener, Int32(SHUT_RDWR)) }
        let client = try client("http://127.0.0.1:\(port)")
        let result = await Task { try await client.send("GET", "v1/a", nil) }.result
        guard case .failure(let error as SignalboxError) = result, case .unreachable = error else {
            Issue.record("\(result)")
            return
        }
        client.close()
    }
}
