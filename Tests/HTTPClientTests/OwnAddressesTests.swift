// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import HTTPClient

struct OwnAddressesTests {
    @Test func `the addresses of this machine's interfaces are known, others are not`() throws {
        let own = OwnAddresses()
        let loopback = try #require(IPAddress("127.0.0.1"))
        #expect(own.contains(loopback))
        #expect(try !own.contains(#require(IPAddress("93.184.216.34"))) && !own.contains(#require(IPAddress("127.0.0.2"))))
        #expect(try #require(OwnAddresses.read()).contains(loopback))
    }
}
