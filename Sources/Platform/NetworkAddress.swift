// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address as 128 bits. IPv4 is stored as IPv4-mapped IPv6, so that both forms are equal.
package struct IPAddress: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(v4 address: UInt32) {
        self.init(high: 0, low: IPAddress.mappedPrefix | UInt64(address))
    }

    /// Parses `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if let address = IPAddress.parseV4(bytes[...]) {
            self.init(v4: address)
        } else if let groups = IPAddress.parseV6(bytes) {
            self.init(high: IPAddress.join(groups[0..<4]), low: IPAddress.join(groups[4..<8]))
        } else {
            return nil
        }
    }

    package var isV4: Bool { high == 0 && low >> 32 == 0xffff }
    package var isLoopback: Bool { isV4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

    private static let mappedPrefix: UInt64 = 0xffff_0000_0000

    private static func join(_ groups: ArraySlice<UInt16>) -> UInt64 {
        groups.reduce(0) { $0 << 16 | UInt64($1) }
    }
}

// MARK: - Reading

extension IPAddress {
    private static func parseV4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard let octet = decimalOctet(part) else { return nil }
            address = address << 8 | octet
        }
        return address
    }

    /// Rejects leading zeros, which some parsers read as octal.
    private static func decimalOctet(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard (1...3).contains(text.count), text.count == 1 || text.first != UInt8(ascii: "0") else { return nil }
        var value: UInt32 = 0
        for byte in text {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + UInt32(byte - 0x30)
        }
        return value <= 255 ? value : nil
    }

    private static func parseV6(_ text: [UInt8]) -> [UInt16]? {
        guard (2...45).contains(text.count) else { return nil }
        guard let gap = text.indices.first(where: { $0 + 1 < text.count && text[$0] == colon && text[$0 + 1] == colon }) else {
            guard let groups = parseGroups(text[...], isTail: true), groups.count == 8 else { return nil }
            return groups
        }
        guard let before = parseGroups(text[..<gap], isTail: false), let after = parseGroups(text[(gap + 2)...], isTail: true) else { return nil }
        // `::` replaces at least one group.
        guard before.count + after.count <= 7 else { return nil }
        return before + [UInt16](repeating: 0, count: 8 - before.count - after.count) + after
    }

    private static let colon = UInt8(ascii: ":")

    private static func parseGroups(_ text: ArraySlice<UInt8>, isTail: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: colon, omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if let group = hexGroup(part) {
                groups.append(group)
            } else if isTail, index == parts.count - 1, let tail = parseV4(part) {
                groups += [UInt16(truncatingIfNeeded: tail >> 16), UInt16(truncatingIfNeeded: tail)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func hexGroup(_ text: ArraySlice<UInt8>) -> UInt16? {
        // `UInt16(_:radix:)` would accept a sign.
        guard (1...4).contains(text.count), text.first != UInt8(ascii: "+"), text.first != UInt8(ascii: "-") else { return nil }
        return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
    }
}

// MARK: - Writing

extension IPAddress: CustomStringConvertible {
    package var description: String {
        if isV4 { return IPAddress.pieces(of: low, bits: 8).suffix(4).map(String.init).joined(separator: ".") }
        let groups = IPAddress.pieces(of: high, bits: 16) + IPAddress.pieces(of: low, bits: 16)
        let words = groups.map { String($0, radix: 16) }
        guard let gap = IPAddress.longestZeroRun(groups) else { return words.joined(separator: ":") }
        return words[..<gap.lowerBound].joined(separator: ":") + "::" + words[gap.upperBound...].joined(separator: ":")
    }

    /// Splits the word into equal parts, the most significant first.
    private static func pieces(of word: UInt64, bits: Int) -> [UInt64] {
        let mask = UInt64.max >> (64 - bits)
        return stride(from: 64 - bits, through: 0, by: -bits).map { shift in word >> shift & mask }
    }

    private static func longestZeroRun(_ groups: [UInt64]) -> Range<Int>? {
        var best = 0..<1
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 } else if index + 1 - start > best.count { best = start..<index + 1 }
        }
        return best.count > 1 ? best : nil
    }
}

/// An address range such as `10.0.0.0/8`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    package let first: IPAddress
    /// The length of the prefix of the 128 bits.
    private let bits: Int

    /// Parses `address/length` or an address. Bits after the prefix must be zero, because set ones indicate a mistake.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first, let address = IPAddress(written) else { return nil }
        let dotted = address.isV4 && !written.contains(":")
        let width = dotted ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let number = UInt8(parts[1]), number <= width, parts[1].first?.isNumber ?? false else { return nil }
            length = Int(number)
        }
        bits = 128 - width + length
        guard AddressRange.cut(address, to: bits) == address else { return nil }
        first = address
    }

    package func contains(_ address: IPAddress) -> Bool {
        AddressRange.cut(address, to: bits) == first
    }

    package var description: String { "\(first)/\(first.isV4 && bits >= 96 ? bits - 96 : bits)" }

    private static func cut(_ address: IPAddress, to bits: Int) -> IPAddress {
        // Swift's smart shift gives zero for a shift by the full width.
        let high = UInt64.max << (64 - min(bits, 64))
        let low = UInt64.max << (128 - max(bits, 64))
        return IPAddress(high: address.high & high, low: address.low & low)
    }
}

/// A listening address: a numeric address and a port, or a socket file for a proxy.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    case tcp(IPAddress, port: UInt16)
    case unix(path: String)

    /// The path limit of a socket address on Linux.
    package static let longestPath = 107

    package init(_ address: IPAddress, port: UInt16) {
        self = .tcp(address, port: port)
    }

    /// Parses `127.0.0.1:8787`, `[::1]:8787`, `localhost:8787` or `unix:/run/ingestd/http.sock`. Port 0 lets the system choose.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        if bytes.starts(with: ListenAddress.scheme.utf8) {
            let path = bytes.dropFirst(ListenAddress.scheme.utf8.count)
            guard path.first == UInt8(ascii: "/"), path.last != UInt8(ascii: "/"), path.count <= ListenAddress.longestPath, !path.contains(0) else {
                return nil
            }
            self = .unix(path: String(decoding: path, as: UTF8.self))
        } else {
            guard let address = ListenAddress(tcp: text) else { return nil }
            self = address
        }
    }

    private init?(tcp text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard let port = UInt16(digits), digits.first?.isNumber ?? false else { return nil }
        var host = text[..<colon]
        if host == "localhost" {
            host = "127.0.0.1"
        } else if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard let address = IPAddress(host) else { return nil }
        self = .tcp(address, port: port)
    }

    private static let scheme = "unix:"

    /// Whether the address is reachable from this machine only.
    package var isLocal: Bool {
        switch self {
        case .tcp(let address, _): address.isLoopback
        case .unix: true
        }
    }

    package var description: String {
        switch self {
        case .tcp(let address, let port): address.isV4 ? "\(address):\(port)" : "[\(address)]:\(port)"
        case .unix(let path): ListenAddress.scheme + path
        }
    }
}
