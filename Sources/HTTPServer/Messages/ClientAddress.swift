// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The client of a request: an IP address, the operator at the control socket, or an unknown client behind a proxy.
package struct ClientAddress: Sendable, Hashable, CustomStringConvertible {
    private enum Family: UInt8 {
        case control, unknown, v4, v6
    }

    private let family: Family
    /// The address in network order; for IPv4 the last four bytes of `low`.
    private let high: UInt64
    private let low: UInt64

    /// The operator: connections accepted by the control socket's listener only.
    package static let controlSocket = ClientAddress(family: .control, high: 0, low: 0)
    /// An outside client without a known address, never loopback or operator. All of them share the limits of one address.
    package static let unknown = ClientAddress(family: .unknown, high: 0, low: 0)

    private init(family: Family, high: UInt64, low: UInt64) {
        self.family = family
        self.high = high
        self.low = low
    }

    init(v4: UInt32) {
        self.init(family: .v4, high: 0, low: UInt64(v4))
    }

    /// Maps an IPv4-mapped IPv6 address to its IPv4 address.
    init(v6 high: UInt64, _ low: UInt64) {
        let isMapped = high == 0 && low >> 32 == 0xffff
        self.init(family: isMapped ? .v4 : .v6, high: high, low: isMapped ? low & 0xffff_ffff : low)
    }

    /// Parses an address in the forms of proxies: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    package init?(text: String) {
        self.init(bytes: Array(text.utf8)[...])
    }

    /// Parses bytes, so that no combining character hides a separator.
    init?(bytes: ArraySlice<UInt8>) {
        guard let host = ClientAddress.withoutPort(bytes), !host.contains(0) else { return nil }
        let text = String(decoding: host, as: UTF8.self)
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let (high, low) = ClientAddress.words(of: v6)
            self.init(v6: high, low)
        } else {
            return nil
        }
    }

    /// Returns `192.0.2.1` for `192.0.2.1:80` and `2001:db8::1` for `[2001:db8::1]:80`; `nil` if brackets or port are malformed.
    private static func withoutPort(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let colon = UInt8(ascii: ":")
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let (host, rest) = (bytes[..<end].dropFirst(), bytes[(end + 1)...])
            guard host.contains(colon), rest.isEmpty || rest.first == colon && isPort(rest.dropFirst()) else { return nil }
            return host
        }
        // More than one colon is an IPv6 address without a port.
        guard let first = bytes.firstIndex(of: colon), first == bytes.lastIndex(of: colon) else { return bytes }
        return isPort(bytes[(first + 1)...]) ? bytes[..<first] : nil
    }

    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...5).contains(bytes.count) && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Reads the address filled in by accept(2). A socket file's peer has none; its role follows from the listener.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        // The family tells which C structure the storage holds.
        self = withUnsafePointer(to: &storage) { pointer in
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { ClientAddress(v4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr)) }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    let (high, low) = ClientAddress.words(of: $0.pointee.sin6_addr)
                    return ClientAddress(v6: high, low)
                }
            default: .unknown
            }
        }
    }

    private static func words(of address: in6_addr) -> (UInt64, UInt64) {
        // The structure is sixteen plain bytes.
        withUnsafeBytes(of: address) { (UInt64(bigEndian: $0.load(as: UInt64.self)), UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self))) }
    }

    package var isControlSocket: Bool { family == .control }

    package var isLoopback: Bool {
        switch family {
        case .control, .unknown: false
        case .v4: low >> 24 == 127
        case .v6: high == 0 && low == 1
        }
    }

    /// The unit of limits: an IPv4 address, or the /64 network that one IPv6 customer usually has.
    package var subscriber: ClientAddress {
        family == .v6 ? ClientAddress(family: .v6, high: high, low: 0) : self
    }

    /// Whether the first `bits` bits equal those of `other`, and the families are equal.
    func shares(_ bits: Int, with other: ClientAddress) -> Bool {
        guard family == other.family else { return false }
        if family == .v4 { return bits == 0 || (low ^ other.low) >> (32 - UInt64(bits)) == 0 }
        let highBits = min(bits, 64), lowBits = bits - highBits
        return (highBits == 0 || (high ^ other.high) >> UInt64(64 - highBits) == 0)
            && (lowBits == 0 || (low ^ other.low) >> UInt64(64 - lowBits) == 0)
    }

    /// The number of bits of an address of this family.
    var width: Int { family == .v4 ? 32 : 128 }

    package var description: String {
        switch family {
        case .control: return "control socket"
        case .unknown: return "unknown"
        case .v4: return (0..<4).map { String(low >> UInt64(24 - 8 * $0) & 0xff) }.joined(separator: ".")
        case .v6:
            var address = in6_addr()
            withUnsafeMutableBytes(of: &address) {
                $0.storeBytes(of: high.bigEndian, as: UInt64.self)
                $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
