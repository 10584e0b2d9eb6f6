// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The rule for addresses that deliveries may connect to: public ones except this machine's own, and those the operator allows.
///
/// `DestinationPolicy` applies it to each address before a connection is made, so that no host name, redirect or spelling bypasses it.
///
///     93.184.216.34  →  allowed        10.0.0.7, 169.254.169.254, ::ffff:10.0.0.7  →  rejected unless a configured range contains it
package struct AddressPolicy: Sendable {
    /// Ranges inside the operator's network that deliveries may go to.
    package var allowed: [AddressRange]

    package init(allowing allowed: [AddressRange] = []) {
        self.allowed = allowed
    }

    /// - Parameter isOwn: Whether a public address belongs to this machine, whose own services must not be reached.
    package func permits(_ address: IPAddress, isOwn: (IPAddress) -> Bool = { _ in false }) -> Bool {
        allowed.contains { $0.contains(address) } || AddressPolicy.isPublic(address) && !isOwn(address)
    }

    /// Whether the address is public. An IPv4 address mapped to IPv6 counts as IPv4.
    private static func isPublic(_ address: IPAddress) -> Bool {
        guard !address.isV4 else { return !specialV4.contains { $0.contains(address) } }
        return unicast.contains { $0.contains(address) } && !specialV6.contains { $0.contains(address) }
    }

    private static let specialV4 = ranges(
        "0.0.0.0/8",  // this network
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private
        "100.64.0.0/10",  // carrier-grade NAT
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, including cloud metadata services
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation
        "192.88.99.0/24",  // relays of 6to4
        "198.18.0.0/15",  // benchmarks
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4"  // reserved and broadcast
    )

    /// The only IPv6 range that is routed. It excludes loopback, `::a.b.c.d`, NAT64 (64:ff9b), discard (100::), segment routing (5f00),
    /// unique local (fc00), link-local (fe80), site-local (fec0) and multicast (ff00).
    private static let unicast = ranges("2000::/3")

    private static let specialV6 = ranges(
        "2001::/23",  // protocol assignments, with Teredo, behind whose addresses stand IPv4 ones
        "2001:db8::/32", "3fff::/20",  // documentation
        "2002::/16"  // 6to4, the same
    )

    private static func ranges(_ texts: String...) -> [AddressRange] {
        texts.map { text in
            guard let range = AddressRange(text) else { preconditionFailure("\(text) is not an address range") }
            return range
        }
    }
}
