// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform
import Synchronization

/// The addresses of this machine's network interfaces, read again every ten seconds.
///
/// A public address of this machine leads to its own services, past a firewall in front of it. Only the addresses themselves count, not
/// their networks: the neighbours of a public address belong to others.
package final class OwnAddresses: Sendable {
    private static let lifetime = Duration.seconds(10)

    private let known = Mutex<(addresses: Set<IPAddress>, until: ContinuousClock.Instant)>(([], .now))

    package init() {}

    package func contains(_ address: IPAddress) -> Bool {
        known.withLock { known in
            if known.until <= .now {
                // If they cannot be read, the earlier ones count.
                known = (OwnAddresses.read() ?? known.addresses, .now + OwnAddresses.lifetime)
            }
            return known.addresses.contains(address)
        }
    }

    /// Reads the addresses of all interfaces; nil if the system does not tell them.
    static func read() -> Set<IPAddress>? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var addresses: Set<IPAddress> = []
        var next = first
        while let interface = next {
            if let found = interface.pointee.ifa_addr.flatMap({ IPAddress(UnsafePointer($0)) }) { addresses.insert(found) }
            next = interface.pointee.ifa_next
        }
        return addresses
    }
}
