// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct WebhookURLTests {
    @Test(arguments: [
        ("https://example.com/hook", "https://example.com/hook", "https://example.com:443"),
        ("HTTPS://Example.COM", "https://example.com/", "https://example.com:443"),
        ("http://example.com:80?a=1&b[]=2", "http://example.com/?a=1&b[]=2", "http://example.com:80"),
        ("https://example.com:80/A//b/../%C3%A4?x=/?@:!$'()*+,;", "https://example.com:80/A//b/../%C3%A4?x=/?@:!$'()*+,;", "https://example.com:80"),
        ("http://hook_1.internal:65535/", "http://hook_1.internal:65535/", "http://hook_1.internal:65535"),
        ("http://192.0.2.1:8080/x", "http://192.0.2.1:8080/x", "http://192.0.2.1:8080"),
        ("https://[2001:DB8:0:0::1]/x", "https://[2001:db8::1]/x", "https://[2001:db8::1]:443"),
        ("https://[::1]:8443", "https://[::1]:8443/", "https://[::1]:8443"),
        ("https://[::ffff:10.0.0.1]/", "https://10.0.0.1/", "https://10.0.0.1:443"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/", "http://xn--bcher-kva.example:80"),
        ("https://1.example2/", "https://1.example2/", "https://1.example2:443"),
    ])
    func `a URL has one normalized form and one origin`(text: String, written: String, origin: String) throws {
        let url = try WebhookURL(text)
        #expect(url.text == written && url.origin.description == origin)
        #expect(try WebhookURL(written) == url)
    }

    @Test(arguments: [
        ("", "unsupported_scheme"), ("example.com/hook", "unsupported_scheme"), ("//example.com", "unsupported_scheme"),
        (" https://example.com", "unsupported_scheme"),
        ("ftp://example.com", "unsupported_scheme"), ("file:///etc/passwd", "unsupported_scheme"), ("https:/example.com", "unsupported_scheme"),
        ("httpſ://example.com", "unsupported_scheme"),
        ("https://", "bad_host"), ("https:///hook", "bad_host"), ("https://:443/", "bad_host"), ("https://?x", "bad_host"),
        ("https://user@example.com/", "userinfo"), ("https://a:b@example.com/", "userinfo"), ("https://@example.com/", "userinfo"),
        ("https://good.example\\@evil.example/", "bad_character"), ("https://exa mple.com/", "bad_host"), ("https://exämple.com/", "bad_host"),
        ("https://example.com./", "bad_host"), ("https://.example.com/", "bad_host"), ("https://a..b/", "bad_host"),
        ("https://-a.example/", "bad_host"),
        ("https://a-.example/", "bad_host"), ("https://ex%61mple.com/", "bad_host"), ("https://example.com\u{0}/", "bad_host"),
        ("http://127.1/", "bad_host"), ("http://2130706433/", "bad_host"), ("http://0x7f000001/", "bad_host"), ("http://0x7f.1/", "bad_host"),
        ("http://0177.0.0.1/", "bad_host"), ("http://1.2.3.256/", "bad_host"), ("http://a.1/", "bad_host"), ("http://a.0x/", "bad_host"),
        ("http://[::1/", "bad_host"), ("http://::1/", "bad_host"), ("http://[127.0.0.1]/", "bad_host"), ("http://[fe80::1%25eth0]/", "bad_host"),
        ("http://[::1]x/", "bad_host"), ("http://[]/", "bad_host"),
        ("https://example.com:/", "bad_port"), ("https://example.com:0/", "bad_port"), ("https://example.com:65536/", "bad_port"),
        ("https://example.com:+80/", "bad_port"), ("https://example.com:080/", "bad_port"), ("https://example.com:8a/", "bad_port"),
        ("http://[::1]:/", "bad_port"),
        ("https://example.com/#top", "fragment"), ("https://example.com#", "fragment"),
        ("https://example.com/a b", "bad_character"), ("https://example.com/ä", "bad_character"), ("https://example.com/\n", "bad_character"),
        ("https://example.com/\u{7f}", "bad_character"), ("https://example.com/%", "bad_character"), ("https://example.com/%2", "bad_character"),
        ("https://example.com/%zz", "bad_character"), ("https://example.com/{x}", "bad_character"), ("https://example.com?\"", "bad_character"),
    ])
    func `ambiguous URLs are rejected`(text: String, code: String) {
        #expect(fault(try WebhookURL(text)) == "endpoint.url \(code)")
    }

    @Test func `URL and host lengths are limited`() throws {
        let base = "https://example.com/"
        let longest = base + String(repeating: "a", count: WebhookURL.mostBytes - base.utf8.count)
        #expect(try WebhookURL(longest).text == longest)
        #expect(fault(try WebhookURL(longest + "a")) == "endpoint.url too_long")
        func host(_ label: Int, _ last: Int) -> String {
            String(repeating: String(repeating: "a", count: label) + ".", count: 3) + String(repeating: "b", count: last)
        }
        #expect(try WebhookURL("https://\(host(63, 61))").origin.host.utf8.count == 253)
        #expect(fault(try WebhookURL("https://\(host(63, 62))")) == "endpoint.url bad_host")
        #expect(fault(try WebhookURL("https://\(host(64, 1))")) == "endpoint.url bad_host")
    }
}
