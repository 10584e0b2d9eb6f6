// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("2001:DB8::0:1", "2001:db8::1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("::ffff:10.1.2.3", "10.1.2.3"),
        ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
    ])
    func `an address is read and written in its shortest form`(text: String, written: String) throws {
        #expect(try #require(IPAddress(text)).description == written)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.-4", "1..2.3", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "12345::", "g::",
        "::1%eth0", "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7::8", "+1::", "-0::", " 1.2.3.4", ":1:2:3:4:5:6:7",
    ])
    func `an invalid address is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::1", false),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("::1/128", "::1", true), ("::/0", "9.9.9.9", true),
        ("fe80::/10", "febf::1", true),
        ("fe80::/10", "fec0::1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("2001:db8::/64", "2001:db8::ffff", true),
        ("2001:db8::/64", "2001:db8:0:1::", false), ("::ffff:10.0.0.0/104", "10.3.2.1", true),
    ])
    func `a range holds its addresses and no other`(range: String, address: String, inside: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(try #require(IPAddress(address))) == inside)
    }

    @Test(arguments: ["", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "::/129", "::1/64", "10.0.0.0/+8", "10.0.0.0/8/8"])
    func `an invalid range is rejected`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test func `a listening address has a numeric host and a port`() throws {
        #expect(ListenAddress("localhost:0")?.description == "127.0.0.1:0")
        #expect(ListenAddress("[::1]:65535")?.description == "[::1]:65535")
        for text in ["", "8787", ":8787", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "::1:80", "[127.0.0.1]:80", "example.com:80"]
        {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }

    @Test func `a listening address may be a socket file with an absolute path`() {
        #expect(ListenAddress("unix:/run/ingestd/http.sock") == .unix(path: "/run/ingestd/http.sock"))
        #expect(ListenAddress("unix:/a:80")?.description == "unix:/a:80")
        let longest = "/" + String(repeating: "a", count: ListenAddress.longestPath - 1)
        #expect(ListenAddress("unix:" + longest) == .unix(path: longest))
        for text in ["unix:", "unix:a.sock", "unix:./a", "unix:@a", "unix:/", "unix:/a/", "unix:/a\0b", "unix:" + longest + "a", "UNIX:/a", "/a"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }

    @Test func `loopback and socket files are within reach of this machine alone`() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:/a"] { #expect(try #require(ListenAddress(text)).isLocal) }
        for text in ["0.0.0.0:1", "[::]:1", "192.0.2.1:1"] { #expect(try !#require(ListenAddress(text)).isLocal) }
    }
}
