// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct ProxyURLTests {
    @Test(arguments: [
        ("http://proxy.internal:3128", "http://proxy.internal:3128", "http://proxy.internal:3128"),
        ("socks5h://10.0.0.9:1080/", "socks5h://10.0.0.9:1080", "socks5h://10.0.0.9:1080"),
        ("https://ann:p%40ss@Proxy.Example.:443", "https://ann:p%40ss@proxy.example:443", "https://•••@proxy.example:443"),
        ("http://ann@[::1]:8080", "http://ann@[::1]:8080", "http://•••@[::1]:8080"),
        ("http://ann:@127.0.0.1:65535", "http://ann:@127.0.0.1:65535", "http://•••@127.0.0.1:65535"),
    ])
    func `a proxy is read, and printed without its login`(text: String, url: String, description: String) throws {
        let proxy = try #require(ProxyURL(text))
        #expect(proxy.revealed.revealed == url && proxy.description == description)
        for shown in ["\(proxy)", String(reflecting: proxy)] { #expect(!shown.contains("p%40ss"), "\(shown)") }
    }

    @Test(arguments: [
        "", "proxy.internal:3128", "http://proxy.internal", "http://proxy.internal:", "http://proxy.internal:0", "http://proxy.internal:65536",
        "http://proxy.internal:+80", "http://proxy.internal:٣", "socks5://10.0.0.9:1080", "socks4a://10.0.0.9:1080", "HTTP://a:1", "ftp://a:1",
        "http://:3128", "http://@a:1", "http://:b@a:1", "http://a:b:c@d:1", "http://a b@d:1", "http://a@b@c:1", "http://a%4@b:1", "http://a%00@b:1",
        "http://a%zz@b:1", "http://pröxy:1", "http://a\r\nb:1", "http://a:1/path", "http://a:1//", "http://a:1?b", "http://a:1#b", "http://::1:80",
        "http://[::1:80", "http://a:1\0",
    ])
    func `anything else is rejected`(text: String) {
        #expect(ProxyURL(text) == nil)
    }

    @Test func `a long text is rejected`() {
        #expect(ProxyURL("http://" + String(repeating: "a", count: 900) + "@b:1") != nil)
        #expect(ProxyURL("http://" + String(repeating: "a", count: 1_020) + "@b:1") == nil)
    }

    @Test(arguments: [
        ("http://a:b@proxy.internal:1", true), ("socks5h://a:b@10.0.0.9:1", true), ("https://a:b@proxy.internal:1", false),
        ("http://a:b@127.0.0.1:1", false), ("http://a:b@localhost:1", false), ("http://proxy.internal:1", false),
    ])
    func `a login without TLS on a network is known`(text: String, isExposed: Bool) throws {
        #expect(try #require(ProxyURL(text)).exposesLogin == isExposed)
    }
}
