// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import Testing

@testable import ingestd

@Suite struct StatusTests {
    @Test func `temporary errors have Retry-After`() {
        for fault in [HTTPRequestError.tooManyRequests, .overloaded, .uploadFailed] {
            #expect(HTTPResponse(Refusal(fault)).headers.contains { $0.name == "Retry-After" }, "\(fault)")
        }
        #expect(HTTPResponse(Refusal.draining).status == 503)
        #expect(HTTPResponse(Refusal.draining).headers.contains { $0.name == "Retry-After" })
    }
}
