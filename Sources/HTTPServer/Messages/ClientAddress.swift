import CLinux
import Glibc

/// Who is at the other end: an IP address, or somebody on this machine who may open our socket file.
package struct ClientAddress: Sendable, Hashable, CustomStringConvertible {
    private enum Family: UInt8 {
        case local, v4, v6
    }

    private let family: Family
    /// The address in network order; for IPv4 the last four bytes of `low`.
    private let high: UInt64
    private let low: UInt64

    package static let localSocket = ClientAddress(family: .local, high: 0, low: 0)

    private init(family: Family, high: UInt64, low: UInt64) {
        self.family = family
        self.high = high
        self.low = low
    }

    init(v4: UInt32) {
        self.init(family: .v4, high: 0, low: UInt64(v4))
    }

    /// An IPv4 address in IPv6 clothes counts as the IPv4 address it is.
    init(v6 high: UInt64, _ low: UInt64) {
        let isMapped = high == 0 && low >> 32 == 0xffff
        self.init(family: isMapped ? .v4 : .v6, high: high, low: isMapped ? low & 0xffff_ffff : low)
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    package init?(text: String) {
        if let address = ClientAddress(bare: text) {
            self = address
            return
        }
        let host: Substring? =
            if text.hasPrefix("[") {
                text.firstIndex(of: "]").map { text[text.index(after: text.startIndex)..<$0] }
            } else {
                text.firstIndex(of: ":").map { text[..<$0] }
            }
        guard let host, let address = ClientAddress(bare: String(host)) else { return nil }
        self = address
    }

    private init?(bare text: String) {
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

    /// The address in what accept(2) filled in.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        // The family says which of the C structures stands in the storage; that is how the socket API is made.
        self = withUnsafePointer(to: &storage) { pointer in
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { ClientAddress(v4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr)) }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    let (high, low) = ClientAddress.words(of: $0.pointee.sin6_addr)
                    return ClientAddress(v6: high, low)
                }
            default: .localSocket
            }
        }
    }

    private static func words(of address: in6_addr) -> (UInt64, UInt64) {
        // The structure is sixteen plain bytes.
        withUnsafeBytes(of: address) { (UInt64(bigEndian: $0.load(as: UInt64.self)), UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self))) }
    }

    package var isLocalSocket: Bool { family == .local }

    package var isLoopback: Bool {
        switch family {
        case .local: true
        case .v4: low >> 24 == 127
        case .v6: high == 0 && low == 1
        }
    }

    /// What counts as one client: an IPv4 address, or the /64 that one IPv6 customer usually has.
    var subscriber: ClientAddress {
        family == .v6 ? ClientAddress(family: .v6, high: high, low: 0) : self
    }

    /// Whether the first `bits` bits are those of `other`, which is of the same family.
    func shares(_ bits: Int, with other: ClientAddress) -> Bool {
        guard family == other.family else { return false }
        if family == .v4 { return bits == 0 || (low ^ other.low) >> (32 - UInt64(bits)) == 0 }
        let highBits = min(bits, 64), lowBits = bits - highBits
        return (highBits == 0 || (high ^ other.high) >> UInt64(64 - highBits) == 0)
            && (lowBits == 0 || (low ^ other.low) >> UInt64(64 - lowBits) == 0)
    }

    /// Bits of an address of this family.
    var width: Int { family == .v4 ? 32 : 128 }

    package var description: String {
        switch family {
        case .local: return "local"
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
