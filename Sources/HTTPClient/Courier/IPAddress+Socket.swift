// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Platform

extension IPAddress {
    /// The address that libcurl is about to connect to; `nil` if it is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<curl_sockaddr>) {
        // libcurl's struct ends with a `sockaddr`, after which the rest of a longer address follows.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        let bytes = UnsafeRawPointer(address) + offset
        switch address.pointee.family {
        case AF_INET: self.init(v4: UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6: self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// The port that libcurl is about to connect to; 0 if the address is neither IPv4 nor IPv6.
    static func port(of address: UnsafePointer<curl_sockaddr>) -> Int {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return 0 }
        let bytes = UnsafeRawPointer(address) + offset
        switch address.pointee.family {
        case AF_INET: return Int(UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port))
        case AF_INET6: return Int(UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port))
        default: return 0
        }
    }

    /// The address of a network interface; `nil` if it is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(v4: UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6: self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in6_addr) {
        let words = withUnsafeBytes(of: address) { ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }
}
