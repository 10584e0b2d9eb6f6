// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPServer
import TestSupport
import Testing

struct EventLoopHealthTests {
    @Test func `running loops report turns, a blocked one does not`() async throws {
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path == "/hold" else { return echo(head) }
            return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in
                isHeld.signal()
                release.wait()
                reply.send(HTTPResponse(status: 200))
            }
        }
        try await serving({ $0.loops = 2 }, plan: plan) { server in
            while !server.hasIterated() {}
            while !server.hasIterated() {}
            let holding = try Client(port: server.port)
            try holding.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            isHeld.wait()
            // The turn before the loop was blocked is reported once.
            _ = server.hasIterated()
            for _ in 0..<10_000 { #expect(!server.hasIterated()) }
            release.signal()
            #expect(try holding.receiveAnswer().status == 200)
            while !server.hasIterated() {}
        }
    }
}
