// SPDX-License-Identifier: Apache-2.0

package import HTTPClient
package import Messaging
package import Platform

/// The rule for destinations of webhooks: addresses, this machine's own ones among them, and ports.
///
/// The registration of a webhook and each connection apply the same rule. A connection knows the address of a name:
///
///     http://10.0.0.7/            →  rejected at registration
///     https://hooks.example/      →  registered; if the name has the address 10.0.0.7, each delivery fails with `blocked_address`
package struct DestinationPolicy: Sendable {
    package var addresses = AddressPolicy()
    /// The ports that deliveries may go to; empty for any.
    package var ports: [Int] = []
    /// Whether deliveries may go to public addresses of this machine.
    package var mayReachItself = false

    private static let own = OwnAddresses()

    package init() {}

    /// Returns why a connection may not be made; nil if it may.
    package func block(_ address: IPAddress, port: Int) -> CourierFailure? {
        guard ports.isEmpty || ports.contains(port) else { return .blockedPort }
        return permits(address) ? nil : .blockedAddress
    }

    /// Returns why a proxy may not be asked for a host and port; nil if it may.
    ///
    /// The proxy resolves names, so only addresses and names of this machine are checked here.
    package func block(host: String, port: Int) -> CourierFailure? {
        guard ports.isEmpty || ports.contains(port) else { return .blockedPort }
        return forbids(host: host.lowercased()) ? .blockedAddress : nil
    }

    /// Throws a refusal if the host of a webhook is an address that deliveries may not connect to, or a name of this machine.
    ///
    /// Other names are checked by their addresses at each connection: they may change, and a lookup here would tell callers about names
    /// of the operator's network.
    package func require(_ url: WebhookURL) throws(Refusal) {
        let port = Int(url.origin.port)
        guard ports.isEmpty || ports.contains(port) else {
            throw .field(
                "endpoint.url", "port_not_allowed", "must not have the port \(port)", hint: "The operator can allow ports: delivery.allowed_ports.")
        }
        guard forbids(host: url.origin.host) else { return }
        throw .field(
            "endpoint.url", "address_not_allowed", "must not have the address \(url.origin.host), which is private, reserved or of this machine",
            hint: "The operator can allow ranges: delivery.allowed_addresses.")
    }

    /// Whether requests may be sent to a URL, as far as its text says it.
    package func mayReach(_ url: WebhookURL) -> Bool {
        let port = Int(url.origin.port)
        return (ports.isEmpty || ports.contains(port)) && !forbids(host: url.origin.host)
    }

    /// Whether a host in lower case is an address that deliveries may not connect to, or a name of this machine.
    private func forbids(host: String) -> Bool {
        // A final dot is part of the same name.
        let name = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        let isLocal = name == "localhost" || name.utf8.suffix(10).elementsEqual(".localhost".utf8)
        let found = isLocal ? [IPAddress(v4: 0x7f00_0001), IPAddress(high: 0, low: 1)] : [IPAddress(name)].compactMap(\.self)
        return !found.isEmpty && !found.contains(where: permits)
    }

    /// Whether a connection to an address may be made, whatever its port.
    package func permits(_ address: IPAddress) -> Bool {
        addresses.permits(address) { !mayReachItself && DestinationPolicy.own.contains($0) }
    }
}
