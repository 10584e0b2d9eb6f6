// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

struct AddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:8080", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:80", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "::1"), ("[::ffff:127.0.0.1]:1", "127.0.0.1"),
        ("192.0.2.1:1", "192.0.2.1"), ("192.0.2.1:65535", "192.0.2.1"), ("2001:db8::1:8080", "2001:db8::1:8080"),
    ])
    func `an address is parsed in every form that proxies write`(text: String, expected: String) {
        #expect(ClientAddress(text: text)?.description == expected)
    }

    @Test(arguments: [
        "", "unknown", "_hidden", "_hidden:80", "unix:", "unix:/run/x.sock", "for=192.0.2.1", "\"192.0.2.1\"", "192.0.2", "192.0.2.256", "192.0.2.01",
        "[::1", "::1]", "[::1]x", "[::1]:", "[::1]:x", "[::1]:123456", "[192.0.2.1]:80", "fe80::1%eth0", "host.example", "1.2.3.4.5", ":80", "[]:80",
        "192.0.2.1:", "192.0.2.1:x", "192.0.2.1:123456", "192.0.2.1: 80", "192.0.2. 1", "192.0.2.1\u{301}", "\u{301}192.0.2.1", "192.0.2.1:8\u{301}",
        "١٩٢.0.2.1", "192.0.2.1\0", "192.0.2.1\0:80", "\u{200b}::1", "0x7f000001", "2130706433",
    ])
    func `an invalid address is rejected`(text: String) {
        #expect(ClientAddress(text: text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::/0", "fe80::1", true), ("2001:db8::/65", "2001:db8::7000:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("::1", "::1", true), ("127.0.0.0/8", "::ffff:127.0.0.1", true),
    ])
    func `a range contains the addresses with its prefix`(block: String, address: String, expected: Bool) throws {
        let address = try #require(ClientAddress(text: address))
        #expect(AddressBlock(block)?.contains(address) == expected)
    }

    @Test(arguments: ["", "x/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129"])
    func `an invalid range is rejected`(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"), ("127.0.0.1", ["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1,192.0.2.7,10.0.0.3"], "192.0.2.7"), ("127.0.0.1", ["192.0.2.7", "10.0.0.3"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1, nonsense, 192.0.2.7"], "192.0.2.7"), ("127.0.0.1", [" \t192.0.2.7:99 \t"], "192.0.2.7"),
        ("127.0.0.1", ["127.0.0.1, [2001:db8::7]:443"], "2001:db8::7"), ("::1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["6.6.6.6\u{301}, 192.0.2.7"], "192.0.2.7"), ("127.0.0.1", ["6.6.6.6,\u{301}\u{600},192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.7, 10.0.0.3, 127.0.0.1, 10.0.0.4"], "192.0.2.7"), ("127.0.0.1", ["10.0.0.3"], "10.0.0.3"),
        ("127.0.0.1", [String(repeating: "127.0.0.1, ", count: 500) + "192.0.2.7" + String(repeating: ",10.0.0.1", count: 500)], "192.0.2.7"),
        ("10.0.0.3", ["192.0.2.7"], "192.0.2.7"), ("8.8.8.8", ["192.0.2.7"], "8.8.8.8"), ("8.8.8.8", [""], "8.8.8.8"), ("8.8.8.8", [], "8.8.8.8"),
    ])
    func `the client is the right-most address that is not a trusted proxy`(peer: String, forwarded: [String], expected: String) throws {
        let peer = try #require(ClientAddress(text: peer))
        #expect(AddressTests.proxies.client(of: peer, forwarded: forwarded).description == expected)
    }

    @Test(arguments: [
        [], [""], [" "], [","], ["192.0.2.7,"], ["192.0.2.7", ""], ["unknown"], ["_hidden"], ["unix:"], ["192.0.2.7, unix:"], ["192.0.2.7, unknown"],
        ["192.0.2.7, nonsense, 10.0.0.3"], ["192.0.2.7, , 10.0.0.3"], ["for=192.0.2.7"], ["192.0.2.7;proto=https"], ["192.0.2.7 192.0.2.8"],
        ["192.0.2.7,\u{301}"], ["192.0.2.7, 192.0.2.8\u{301}"], ["127.0.0.1"], ["::1"], ["[::1]:80"], ["::ffff:127.0.0.1"], ["127.0.0.1, 10.0.0.3"],
        ["127.0.0.1, 127.0.0.1"], [String(repeating: "127.0.0.1, ", count: 500) + "127.0.0.1"],
    ])
    func `a missing, unreadable or loopback hop yields an unknown client`(forwarded: [String]) throws {
        for peer in ["127.0.0.1", "::1", "10.0.0.3"] {
            let client = AddressTests.proxies.client(of: try #require(ClientAddress(text: peer)), forwarded: forwarded)
            #expect(client == .unknown && !client.isLoopback && !client.isControlSocket, "\(peer)")
        }
        #expect(AddressTests.proxies.client(of: .unknown, forwarded: forwarded) == .unknown)
    }

    @Test func `a loopback peer with a proxy's header is not loopback`() throws {
        let peer = try #require(ClientAddress(text: "127.0.0.1"))
        for blocks in [[], ["127.0.0.0/8"], ["10.0.0.0/8"], ["0.0.0.0/0", "::/0"]] {
            let proxies = TrustedProxies(blocks.compactMap(AddressBlock.init))
            #expect(proxies.client(of: peer, forwarded: nil) == peer)
            for hop in ["127.0.0.1", "::1", "unknown"] { #expect(proxies.client(of: peer, forwarded: [hop]) == .unknown) }
            #expect(proxies.client(of: .unknown, forwarded: nil) == .unknown)
        }
        #expect(TrustedProxies([]).client(of: peer, forwarded: ["192.0.2.7"]) == .unknown)
        #expect(TrustedProxies([]).client(of: .unknown, forwarded: ["192.0.2.7"]).description == "192.0.2.7")
    }

    @Test func `only loopback addresses are loopback`() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1"] { #expect(try #require(ClientAddress(text: text)).isLoopback) }
        for text in ["128.0.0.1", "::2", "10.0.0.1", "fe80::1"] { #expect(try !#require(ClientAddress(text: text)).isLoopback) }
        #expect(ClientAddress.controlSocket.isControlSocket && !ClientAddress.controlSocket.isLoopback)
        #expect(!ClientAddress.unknown.isControlSocket && !ClientAddress.unknown.isLoopback)
    }

    @Test func `an unknown client is in no range`() throws {
        for block in ["0.0.0.0/0", "::/0"] { #expect(try !#require(AddressBlock(block)).contains(.unknown)) }
    }

    private static let proxies = TrustedProxies(["127.0.0.0/8", "::1", "10.0.0.0/8"].compactMap(AddressBlock.init))
}
