// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import Testing

@Suite struct CallStatusTests {
    @Test func `words and statuses are those of Google's RPC codes`() {
        let statuses = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401]
        #expect(CallStatus.allCases.map(\.httpStatus) == statuses)
        #expect(CallStatus.allCases.map(\.code) == Array(0...16))
    }

    @Test func `a status without a word stands for one that has it`() {
        for http in 100...599 where CallStatus(http: http) != .unknown {
            let status = CallStatus(http: http)
            #expect(status.httpStatus == (status == .ok ? 200 : http))
        }
        #expect(CallStatus(http: 409) == .aborted && CallStatus(http: 400) == .invalidArgument && CallStatus(http: 500) == .internal)
        #expect(CallStatus(http: 302) == .unknown && CallStatus(http: 502) == .unknown)
    }
}
