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

/// The proxies whose word about their clients is believed.
package struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    package init(_ blocks: [AddressBlock]) {
        self.blocks = blocks
    }

    package func contains(_ address: ClientAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }

    /// The right-most address in `forwarded` that is not a proxy of ours; everything to the left of it may be invented.
    package func client(of peer: ClientAddress, forwarded: [String]) -> ClientAddress {
        var client = peer
        for hop in forwarded.joined(separator: ",").split(separator: ",").reversed() {
            let text = hop.filter { $0 != " " && $0 != "\t" }
            guard contains(client), let address = ClientAddress(text: text) else { break }
            client = address
        }
        return client
    }
}
