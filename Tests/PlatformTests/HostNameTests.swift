// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct HostNameTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "LocalHost.", "localhost:8787", "localhost.:1", "localhost:", "127.0.0.1", "127.0.0.1:8787", "127.255.0.9:1",
        "127.0.0.1.",
        "[::1]", "[::1]:8787", "[0:0:0::0:1]", "[::1]:", "[::ffff:127.0.0.1]:80",
    ])
    func `loopback names are recognized in every spelling`(header: String) throws {
        #expect(try #require(HostName(header: header)).isLoopback)
    }

    @Test(arguments: [
        "example.com", "attacker.example:8787", "localhost.example.com", "127.0.0.1.example.com", "notlocalhost", "local-host", "sub.localhost",
        "128.0.0.1", "10.0.0.1", "[::2]", "[2001:db8::1]:80", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0", "127.0.0.01", "_x",
    ])
    func `other names are not loopback`(header: String) throws {
        #expect(try !#require(HostName(header: header)).isLoopback)
    }

    @Test(arguments: [
        "", ".", ":80", "..", "localhost..", ".localhost", "a..b", "localhost:80:80", "localhost:x", "localhost:123456", "localhost: 80",
        " localhost",
        "localhost ", "local host", "user@localhost", "localhost/", "localhost,example.com", "::1", "[::1", "::1]", "[]", "[localhost]",
        "[127.0.0.1]",
        "[::1]x", "[::1]:x", "[::1%lo]", "localhost\u{301}", "localhos\u{74}\u{301}", "ｌocalhost", "lo\u{212a}alhost", "localhost\0", "*",
        "*.example",
    ])
    func `an invalid host name is rejected`(header: String) {
        #expect(HostName(header: header) == nil)
    }

    @Test func `a host name has one normalized form, and no port in a setting`() {
        #expect(HostName("Metrics.Internal.")?.description == "metrics.internal")
        #expect(HostName(header: "METRICS.internal:80") == HostName("metrics.internal"))
        #expect(HostName("[2001:DB8:0::1]")?.description == "[2001:db8::1]" && HostName("10.0.0.5")?.description == "10.0.0.5")
        for text in ["metrics.internal:80", "[::1]:80", "http://a", "", "*"] { #expect(HostName(text) == nil, "\(text)") }
        #expect(HostName(String(repeating: "a", count: 63)) != nil && HostName(String(repeating: "a", count: 64)) == nil)
        let long = Array(repeating: "abcdefg", count: 32).joined(separator: ".")
        #expect(long.utf8.count == 255 && HostName(long) == nil && HostName(String(long.dropFirst(2))) != nil)
    }
}
