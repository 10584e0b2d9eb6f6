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

/// The proxies whose `X-Forwarded-For` is believed.
package struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    package init(_ blocks: [AddressBlock]) {
        self.blocks = blocks
    }

    package func contains(_ address: ClientAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }

    /// The client of a request: the peer itself, or the client that a proxy forwarded it for.
    ///
    /// `forwarded` holds the fields of `X-Forwarded-For`; nil means that no header field shows a proxy. Behind a trusted peer,
    /// `["198.51.100.1, 192.0.2.7, 10.0.0.3"]` gives 192.0.2.7 where 10.0.0.0/8 is trusted: the right-most address that is no
    /// proxy of ours, because a client may invent everything to the left of it.
    /// A hop that is missing, unreadable or loopback gives `unknown`, so that no request through a proxy counts as this machine's.
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

    /// The elements of a list in one or more fields, without the blanks around them; empty elements stay.
    private static func hops(_ fields: [String]) -> [ArraySlice<UInt8>] {
        Array(fields.joined(separator: ",").utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { hop in
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            let start = hop.drop(while: isBlank)
            return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
        }
    }
}
