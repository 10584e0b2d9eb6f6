// SPDX-License-Identifier: Apache-2.0

/// A CIDR block such as `10.0.0.0/8`, or a single address.
package struct AddressBlock: Sendable, Equatable {
    private let base: ClientAddress
    private let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let base = ClientAddress(text: String(parts[0])) else { return nil }
        guard let bits = parts.count == 2 ? Int(parts[1]) : base.width, (0...base.width).contains(bits) else { return nil }
        self.base = base
        self.bits = bits
    }

    package func contains(_ address: ClientAddress) -> Bool {
        address.shares(bits, with: base)
    }
}

/// The proxies whose `X-Forwarded-For` is used.
package struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    package init(_ blocks: [AddressBlock]) {
        self.blocks = blocks
    }

    package func contains(_ address: ClientAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }

    /// Returns the client of a request: the peer, or the client named by a proxy.
    ///
    /// `forwarded` holds the values of `X-Forwarded-For`; `nil` means that no header field indicates a proxy. Example with a trusted peer
    /// and 10.0.0.0/8 trusted: `["198.51.100.1, 192.0.2.7, 10.0.0.3"]` gives 192.0.2.7, the right-most address that is not a trusted proxy,
    /// because a client may invent everything to its left. A missing, invalid or loopback hop gives `unknown`, so that a proxied request
    /// never counts as local.
    package func client(of peer: ClientAddress, forwarded: [String]?) -> ClientAddress {
        guard let forwarded else { return peer }
        guard peer == .unknown || contains(peer) else { return peer.isLoopback ? .unknown : peer }
        var client = ClientAddress.unknown
        for hop in TrustedProxies.hops(forwarded).reversed() {
            guard let address = ClientAddress(bytes: hop) else { return .unknown }
            client = address
            if !contains(client) { break }
        }
        return client.isLoopback ? .unknown : client
    }

    /// Splits the list in one or more fields at commas and trims blanks; empty elements stay.
    private static func hops(_ fields: [String]) -> [ArraySlice<UInt8>] {
        Array(fields.joined(separator: ",").utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { hop in
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            let start = hop.drop(while: isBlank)
            return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
        }
    }
}
