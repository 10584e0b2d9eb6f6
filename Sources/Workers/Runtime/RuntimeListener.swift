// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// A listener on 127.0.0.1 for one instance of a worker. It accepts connections of the instance's processes only.
///
/// A look-up reads the tables of all sockets and processes. One serves all connections that wait. After connections of other
/// processes the next look-up comes `pause` later, which bounds their cost. After a full turn more connections wait, and the pause is short;
/// it lets other instances run. Connections wait in the kernel's queue meanwhile. Those of the instance are delayed, and lost only while more
/// than `queue` others arrive faster than they are accepted.
final class RuntimeListener {
    private static let queue: Int32 = 1_024
    /// The connections that one turn accepts.
    private static let connectionsPerTurn = 256
    private static let pause = Duration.milliseconds(50)
    private static let pauseOfFullTurn = Duration.milliseconds(5)

    let descriptor: Int32
    let port: UInt16
    /// The end of the pause after connections of other processes.
    private(set) var resumesAt = ContinuousClock.now

    init() throws(SystemError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, RuntimeListener.queue) == 0
                    && getsockname(descriptor, address, &length) == 0
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

    /// Returns the waiting connections of a group of processes, and the number of others, which were closed unread.
    func accept(from group: pid_t) -> (own: [Int32], strangers: Int) {
        var (arrived, strangers): ([UInt16: Int32], Int) = ([:], 0)
        while arrived.count + strangers < RuntimeListener.connectionsPerTurn {
            var peer = sockaddr_storage()
            let connection = clinux_accept(descriptor, &peer)
            if connection < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            if let port = RuntimeListener.localPort(of: peer) {
                // The port was free again, so the earlier connection is over.
                if let earlier = arrived.updateValue(connection, forKey: port) { refuse(earlier, &strangers) }
            } else {
                refuse(connection, &strangers)
            }
        }
        let isFull = arrived.count + strangers == RuntimeListener.connectionsPerTurn
        let ownPorts = arrived.isEmpty ? [] : ConnectionOwners(server: port).ports(of: group, among: arrived.keys)
        for (port, connection) in arrived where !ownPorts.contains(port) { refuse(connection, &strangers) }
        if strangers > 0 { resumesAt = .now + (isFull ? RuntimeListener.pauseOfFullTurn : RuntimeListener.pause) }
        return (ownPorts.compactMap { arrived[$0] }, strangers)
    }

    /// Closes a connection without leaving an entry in the table of sockets.
    private func refuse(_ connection: Int32, _ strangers: inout Int) {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close(connection)
        strangers += 1
    }

    /// Returns the port of a peer at 127.0.0.1. Others at 127.0.0.0/8 may have the port of one of the instance's connections.
    private static func localPort(of peer: sockaddr_storage) -> UInt16? {
        withUnsafeBytes(of: peer) { bytes in
            let address = bytes.loadUnaligned(as: sockaddr_in.self)
            return UInt32(bigEndian: address.sin_addr.s_addr) == 0x7f00_0001 ? UInt16(bigEndian: address.sin_port) : nil
        }
    }
}

/// The processes that have the other ends of connections to a port of 127.0.0.1, found by the numbers of their sockets.
///
///     port 41000 to port 35000   →   inode 81234 in /proc/self/net/tcp   →   /proc/977/fd/5 is socket:[81234]
struct ConnectionOwners {
    private static let tableBytes = 64 << 20

    private let server: UInt16

    init(server: UInt16) { self.server = server }

    /// Returns the ports whose sockets a process of the group has.
    func ports(of group: pid_t, among ports: some Collection<UInt16>) -> [UInt16] {
        guard let table = try? SmallFile.read("/proc/self/net/tcp", limit: ConnectionOwners.tableBytes) else { return [] }
        let inodes = inodes(in: table)
        var (left, own): ([String: UInt16], [UInt16]) = ([:], [])
        for port in ports { if let inode = inodes[port] { left["socket:[\(inode)]"] = port } }
        func take(from process: pid_t) {
            guard !left.isEmpty else { return }
            for link in ConnectionOwners.links(of: process) { if let port = left.removeValue(forKey: link) { own.append(port) } }
        }
        take(from: group)
        guard !left.isEmpty else { return own }
        let processes = ((try? Folder.names(in: "/proc")) ?? []).compactMap { pid_t($0) }
        for process in processes where process != group && getpgid(process) == group { take(from: process) }
        return own
    }

    /// Finds the sockets of a table such as `/proc/net/tcp` that are connected to the server, by their ports.
    ///
    ///     "   1: 0100007F:A028 0100007F:88B8 01 00000000:00000000 00:00000000 00000000  1000        0 81234 1 …"   →   41000: 81234
    func inodes(in table: [UInt8]) -> [UInt16: UInt64] {
        let (local, server) = (Array("0100007F:".utf8), Array("0100007F:".utf8) + ConnectionOwners.hex(server))
        var out: [UInt16: UInt64] = [:]
        for line in table.split(separator: UInt8(ascii: "\n")) where ConnectionOwners.other(in: line)?.elementsEqual(server) ?? false {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
            guard fields.count > 9, fields[1].starts(with: local) else { continue }
            guard let port = UInt16(String(decoding: fields[1].dropFirst(local.count), as: UTF8.self), radix: 16) else { continue }
            out[port] = UInt64(String(decoding: fields[9], as: UTF8.self))
        }
        return out
    }

    /// Returns the address of the other end in a line, without cutting the line, which may be one of many.
    private static func other(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let (number, own, other) = (": ".utf8.count, "0100007F:A028 ".utf8.count, "0100007F:88B8".utf8.count)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = line[colon...].dropFirst(number + own)
        return rest.count > other ? rest.prefix(other) : nil
    }

    private static func hex(_ port: UInt16) -> [UInt8] {
        let hex = String(port, radix: 16, uppercase: true)
        return Array((String(repeating: "0", count: 4 - hex.utf8.count) + hex).utf8)
    }

    /// Returns the links of a process's descriptors, such as `socket:[81234]`.
    private static func links(of process: pid_t) -> [String] {
        let folder = "/proc/\(process)/fd"
        return ((try? Folder.names(in: folder)) ?? []).compactMap { target(of: "\(folder)/\($0)") }
    }

    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 128)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
