import HTTPServer
import Testing

struct AddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:8080", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:80", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "::1"),
    ])
    func `addresses are read in the forms that proxies write`(text: String, expected: String) {
        #expect(ClientAddress(text: text)?.description == expected)
    }

    @Test(arguments: ["", "unknown", "_hidden", "192.0.2", "192.0.2.256", "[::1", "host.example", "1.2.3.4.5", ":80", "[]:80"])
    func `anything else is no address`(text: String) {
        #expect(ClientAddress(text: text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::/0", "fe80::1", true), ("2001:db8::/65", "2001:db8::7000:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("::1", "::1", true), ("127.0.0.0/8", "::ffff:127.0.0.1", true),
    ])
    func `a block holds the addresses that share its bits`(block: String, address: String, expected: Bool) throws {
        let address = try #require(ClientAddress(text: address))
        #expect(AddressBlock(block)?.contains(address) == expected)
    }

    @Test(arguments: ["", "x/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129"])
    func `a malformed block is refused`(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"), ("127.0.0.1", ["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1,192.0.2.7,10.0.0.3"], "192.0.2.7"), ("127.0.0.1", ["192.0.2.7", "10.0.0.3"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1, nonsense"], "127.0.0.1"), ("127.0.0.1", ["1.1.1.1, nonsense, 10.0.0.3"], "10.0.0.3"),
        ("127.0.0.1", ["10.0.0.3"], "10.0.0.3"),
        ("8.8.8.8", ["192.0.2.7"], "8.8.8.8"), ("127.0.0.1", [" 192.0.2.7:99 ,"], "192.0.2.7"),
    ])
    func `the client is the right-most address that is not a proxy of ours`(peer: String, forwarded: [String], expected: String) throws {
        let blocks = ["127.0.0.0/8", "10.0.0.0/8"].compactMap(AddressBlock.init)
        let peer = try #require(ClientAddress(text: peer))
        #expect(TrustedProxies(blocks).client(of: peer, forwarded: forwarded).description == expected)
    }

    @Test func `only this machine is loopback`() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1"] { #expect(try #require(ClientAddress(text: text)).isLoopback) }
        for text in ["128.0.0.1", "::2", "10.0.0.1", "fe80::1"] { #expect(try !#require(ClientAddress(text: text)).isLoopback) }
        #expect(ClientAddress.localSocket.isLoopback && ClientAddress.localSocket.isLocalSocket)
    }
}
