// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import Testing

struct AddressPolicyTests {
    private func permits(_ text: String, allowing: [String] = []) throws -> Bool {
        AddressPolicy(allowing: try allowing.map { try #require(AddressRange($0)) }).permits(try #require(IPAddress(text)))
    }

    /// The last address before a range, its first and last, the next one, and whether the outer two are public.
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
        ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
        ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
        ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
        ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
        ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
        ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
        ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
        ("223.255.255.255", "224.0.0.0", "255.255.255.255", "255.255.255.255"),
    ])
    func `special IPv4 is refused, also mapped to IPv6, and its neighbours are allowed`(before: String, first: String, last: String, behind: String)
        throws
    {
        for refused in [first, last, "::ffff:\(first)", "::ffff:\(last)"] { #expect(try !permits(refused), "\(refused)") }
        for open in [before, behind] where open != first && open != last {
            #expect(try permits(open) && permits("::ffff:\(open)"), "\(open)")
        }
    }

    @Test(arguments: [
        ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
        ("2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
        ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"),
        ("2000::", "::", "::fffe:ffff:ffff", "2606:4700::1111"),
        ("2000::", "::1:0:0:0", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2a00::1"),
    ])
    func `special IPv6 is refused and its neighbours are allowed`(before: String, first: String, last: String, behind: String) throws {
        for refused in [first, last] { #expect(try !permits(refused), "\(refused)") }
        for open in [before, behind] { #expect(try permits(open), "\(open)") }
    }

    @Test(arguments: [
        "::", "::1", "::127.0.0.1", "::8.8.8.8", "64:ff9b::", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b::ffff:ffff", "64:ff9b:1::",
        "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "100::", "100::ffff:ffff:ffff:ffff", "2001::1", "2001:0:ffff::1", "2002:7f00:1::", "2002:a00:1::1",
        "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::", "fd12:3456::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ff00::", "ff02::1", "fd00:ec2::254",
        "169.254.169.254", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "255.255.255.255", "0.0.0.0",
    ])
    func `commonly forgotten private addresses are refused`(address: String) throws {
        #expect(try !permits(address))
    }

    @Test func `this machine's public addresses are refused unless allowed, their neighbours are not`() throws {
        let own = try #require(IPAddress("93.184.216.34"))
        for (text, allowing, expected) in [
            ("93.184.216.34", [], false), ("::ffff:93.184.216.34", [], false), ("93.184.216.35", [], true),
            ("93.184.216.34", ["93.184.216.0/24"], true),
        ] as [(String, [String], Bool)] {
            let policy = AddressPolicy(allowing: try allowing.map { try #require(AddressRange($0)) })
            #expect(policy.permits(try #require(IPAddress(text))) { $0 == own } == expected, "\(text)")
        }
    }

    @Test func `only configured ranges are allowed`() throws {
        let allowed = ["10.1.0.0/16", "fd00::/8", "127.0.0.1"]
        for open in ["10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3", "fd00::1", "127.0.0.1", "8.8.8.8"] {
            #expect(try permits(open, allowing: allowed))
        }
        for refused in ["10.0.255.255", "10.2.0.0", "fc00::1", "127.0.0.2", "::1", "::a01:1"] { #expect(try !permits(refused, allowing: allowed)) }
    }

    @Test func `allowing all of IPv6 does not depend on IPv4 and vice versa`() throws {
        #expect(try permits("127.0.0.1", allowing: ["::/0"]) && permits("::1", allowing: ["::/0"]))
        #expect(try permits("127.0.0.1", allowing: ["0.0.0.0/0"]) && !permits("::1", allowing: ["0.0.0.0/0"]))
    }
}
