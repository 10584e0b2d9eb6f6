// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Plain sockets on 127.0.0.0/8 for the peers of connections under test.
package enum Loopback {
    struct CannotListen: Error {}

    /// Listens on 127.0.0.`host`, at a free port if none is given.
    package static func listen(host: UInt8 = 1, port: UInt16 = 0) throws -> (listener: Int32, port: UInt16) {
        let listener = stream()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withAddress(port, host: host) { address in
            guard Glibc.bind(listener, address, size) == 0, getsockname(listener, address, &size) == 0 else { return UInt16(0) }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
        guard port > 0, Glibc.listen(listener, 1_024) == 0 else { throw CannotListen() }
        return (listener, port)
    }

    /// Returns a connected descriptor, or a negative number if no process listens.
    package static func connect(_ port: UInt16) -> Int32 {
        let connection = stream()
        let result = withAddress(port) { Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        if result == 0 { return connection }
        close(connection)
        return -1
    }

    /// Returns false if the peer has closed the connection.
    package static func send(_ bytes: ArraySlice<UInt8>, _ connection: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func stream() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withAddress<T>(_ port: UInt16, host: UInt8 = 1, _ body: (UnsafeMutablePointer<sockaddr>) -> T) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7f00_0000 | UInt32(host)).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}
