// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A listening socket as a service manager passes it to a daemon. It outlives the daemon.
package final class PassedSocket: Sendable {
    package enum Kind: Sendable {
        case tcp
        case listeningFile(String)
        case datagramFile(String)
    }

    package let descriptor: Int32

    /// Listens on a free port of loopback, or on a socket file.
    package init(_ kind: Kind = .tcp) throws {
        switch kind {
        case .tcp:
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            try PassedSocket.bind(descriptor, &address)
        case .listeningFile(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = PassedSocket.address(of: Array(path.utf8))
            try PassedSocket.bind(descriptor, &address)
        case .datagramFile(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = PassedSocket.address(of: Array(path.utf8))
            try PassedSocket.bind(descriptor, &address)
            return
        }
        guard listen(descriptor, 64) == 0 else { throw ConnectionFailure.refused(errno) }
    }

    deinit {
        close(descriptor)
    }

    package var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    static func address(of name: [UInt8]) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return address
    }

    /// Binds a descriptor to the first `size` bytes of an address.
    static func bind<Address>(_ descriptor: Int32, _ address: inout Address, size: Int = MemoryLayout<Address>.size) throws {
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, socklen_t(size)) }
        }
        guard status == 0 else { throw ConnectionFailure.refused(errno) }
    }
}
