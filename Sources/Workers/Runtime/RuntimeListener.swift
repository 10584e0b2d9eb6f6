// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// A listener on 127.0.0.1 for one instance of a worker. It accepts connections of the instance's processes only.
final class RuntimeListener {
    let descriptor: Int32
    let port: UInt16
    private let clock: WallClock
    /// Each stranger takes from it. A look-up reads the tables of all sockets and processes, so those of strangers are bounded.
    private var lookUps: RateLimit

    init(_ clock: WallClock) throws(SystemError) {
        self.clock = clock
        lookUps = RateLimit(perMinute: 600, burst: 20, at: clock.now())
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            let error = errno
            close(descriptor)
            throw SystemError(number: error)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The connections that one turn accepts.
    private static let connectionsPerTurn = 16

    /// Returns the waiting connections of a group of processes, and the number of others, which were closed unread.
    func accept(from group: pid_t) -> (own: [Int32], strangers: Int) {
        var (own, strangers): ([Int32], Int) = ([], 0)
        while own.count + strangers < RuntimeListener.connectionsPerTurn {
            var peer = sockaddr_storage()
            let connection = clinux_accept(descriptor, &peer)
            if connection < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            let peerPort = withUnsafeBytes(of: &peer) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
            if lookUps.available(at: clock.now()) > 0, ConnectionOwner(client: peerPort, server: port).belongs(to: group) {
                own.append(connection)
            } else {
                _ = lookUps.take(1, at: clock.now())
                strangers += 1
                close(connection)
            }
        }
        return (own, strangers)
    }
}

/// The process that has the other end of a connection on 127.0.0.1, found by the number of its socket.
///
///     port 41000 to port 35000   →   inode 81234 in /proc/self/net/tcp   →   /proc/977/fd/5 is socket:[81234]
struct ConnectionOwner {
    private static let tableBytes = 64 << 20

    private let client: UInt16
    private let server: UInt16

    init(client: UInt16, server: UInt16) { (self.client, self.server) = (client, server) }

    /// Whether a process of the group has the socket.
    func belongs(to group: pid_t) -> Bool {
        guard let table = try? SmallFile.read("/proc/self/net/tcp", limit: ConnectionOwner.tableBytes), let inode = inode(in: table) else {
            return false
        }
        let link = "socket:[\(inode)]"
        if ConnectionOwner.has(group, link) { return true }
        let processes = ((try? Folder.names(in: "/proc")) ?? []).compactMap { pid_t($0) }
        return processes.contains { $0 != group && getpgid($0) == group && ConnectionOwner.has($0, link) }
    }

    /// Finds the socket in a table such as `/proc/net/tcp`.
    ///
    ///     "   1: 0100007F:A028 0100007F:88B8 01 00000000:00000000 00:00000000 00000000  1000        0 81234 1 …"   →   81234
    func inode(in table: [UInt8]) -> UInt64? {
        let (own, other) = (ConnectionOwner.address(client), ConnectionOwner.address(server))
        for line in table.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
            guard fields.count > 9, fields[1].elementsEqual(own), fields[2].elementsEqual(other) else { continue }
            return UInt64(String(decoding: fields[9], as: UTF8.self))
        }
        return nil
    }

    private static func address(_ port: UInt16) -> [UInt8] {
        let hex = String(port, radix: 16, uppercase: true)
        return Array("0100007F:\(String(repeating: "0", count: 4 - hex.utf8.count))\(hex)".utf8)
    }

    private static func has(_ process: pid_t, _ link: String) -> Bool {
        let folder = "/proc/\(process)/fd"
        return ((try? Folder.names(in: folder)) ?? []).contains { target(of: "\(folder)/\($0)") == link }
    }

    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 128)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
