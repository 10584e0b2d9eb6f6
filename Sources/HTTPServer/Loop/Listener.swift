// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A listening socket, closed with its last reference.
final class Listener: Sendable {
    /// The role of a socket's peers. It depends on the listener and not on the address family, so that a proxy's socket file does not grant operator rights.
    enum Role {
        /// TCP: peers are identified by address; trusted addresses are proxies.
        case tcp
        /// A proxy's socket file: the proxy names the client, which is otherwise unknown.
        case proxy
        /// The control socket: peers are the operator.
        case control

        var fileMode: mode_t { self == .proxy ? 0o660 : 0o600 }
    }

    let descriptor: Int32
    let role: Role
    /// Whether another process has the socket open too, so that connections wait there when this process ends.
    let isPassed: Bool
    /// The socket file to remove on close.
    private let path: String?

    private init(descriptor: Int32, role: Role, path: String? = nil, isPassed: Bool = false) {
        self.descriptor = descriptor
        self.role = role
        self.path = path
        self.isPassed = isPassed
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// The path of the socket file; `nil` for TCP and abstract names.
    var socketPath: String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // getsockname fills the structure; the family tells whether it contains a path.
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 }.map(\.self) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The bound TCP address and port.
    var endpoint: HTTPServerConfiguration.Endpoint {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Port and family have the same offset in the IPv4 and IPv6 structures.
        let port = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
        return HTTPServerConfiguration.Endpoint(host: ClientAddress(storage).description, port: port)
    }

    /// Wraps a socket passed by the parent: TCP, or a proxy's socket file. Passed sockets never grant operator rights.
    static func passed(_ descriptor: Int32) throws(HTTPServerError) -> Listener {
        guard option(SO_ACCEPTCONN, of: descriptor) == 1, let role = passedRole(descriptor) else { throw .notListening(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return Listener(descriptor: descriptor, role: role, isPassed: true)
    }

    private static func passedRole(_ descriptor: Int32) -> Role? {
        switch option(SO_DOMAIN, of: descriptor) {
        case AF_INET, AF_INET6: option(SO_PROTOCOL, of: descriptor) == Int32(IPPROTO_TCP) ? .tcp : nil
        case AF_UNIX: option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) ? .proxy : nil
        default: nil
        }
    }

    /// Creates one listener for each loop on the same port; the kernel distributes connections.
    static func tcp(_ endpoint: HTTPServerConfiguration.Endpoint, count: Int, backlog: Int32) throws(HTTPServerError) -> [Listener] {
        var endpoint = endpoint
        var listeners: [Listener] = []
        // SO_REUSEPORT would silently share a port with another process of this user, so a first socket binds without it as a check.
        if endpoint.port != 0 { _ = try tcp(endpoint, shared: false, backlog: backlog) }
        for _ in 0..<max(1, count) {
            let listener = try tcp(endpoint, shared: true, backlog: backlog)
            endpoint.port = listener.endpoint.port
            listeners.append(listener)
        }
        return listeners
    }

    private static func tcp(_ endpoint: HTTPServerConfiguration.Endpoint, shared: Bool, backlog: Int32) throws(HTTPServerError) -> Listener {
        let name = "\(endpoint.host):\(endpoint.port)"
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(endpoint.host, String(endpoint.port), &hints, &found) == 0, let address = found else { throw .invalidAddress(name) }
        defer { freeaddrinfo(address) }
        let descriptor = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | socketFlags, 0)
        guard descriptor >= 0 else { throw .cannotListen(name, systemReason()) }
        let listener = Listener(descriptor: descriptor, role: .tcp)
        enable(SO_REUSEADDR, of: SOL_SOCKET, on: descriptor)
        if shared { enable(SO_REUSEPORT, of: SOL_SOCKET, on: descriptor) }
        if address.pointee.ai_family == AF_INET6 { enable(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), on: descriptor) }
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
            throw .cannotListen(name, systemReason())
        }
        return listener
    }

    /// Creates a socket file with the mode of its role. A stale file of a dead process is replaced; a live socket or another file is not.
    static func unix(_ path: String, _ role: Role, backlog: Int32) throws(HTTPServerError) -> Listener {
        guard var address = unixAddress(path) else { throw .invalidAddress(path) }
        var status = stat()
        let exists = lstat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFSOCK else { throw .cannotListen(path, "the path is not a socket") }
        guard !isListening(path) else { throw .cannotListen(path, "another process listens there") }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | socketFlags, 0)
        guard descriptor >= 0 else { throw .cannotListen(path, systemReason()) }
        unlink(path)
        let listener = Listener(descriptor: descriptor, role: role, path: path)
        // On Linux the file gets the mode of the socket, so it is never accessible to others.
        fchmod(descriptor, role.fileMode)
        let bound = withSocketAddress(&address) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        guard bound == 0, chmod(path, role.fileMode) == 0, listen(descriptor, backlog) == 0 else { throw .cannotListen(path, systemReason()) }
        return listener
    }

    private static func isListening(_ path: String) -> Bool {
        guard var address = unixAddress(path) else { return false }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | socketFlags, 0)
        defer { close(probe) }
        // ECONNREFUSED means that no process listens; a full backlog gives another error.
        let status = withSocketAddress(&address) { connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        return status == 0 || ![ECONNREFUSED, ENOENT].contains(errno)
    }
}

private let socketFlags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

/// Sets a socket option, without a value to one that is on.
func enable(_ option: Int32, _ value: Int32 = 1, of level: Int32, on descriptor: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}

private func option(_ option: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
}

private func unixAddress(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The path is copied into the structure's fixed array, whose last byte stays zero.
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
        guard !bytes.isEmpty, bytes.count < room.count else { return false }
        room.copyBytes(from: bytes)
        return true
    }
    return fits ? address : nil
}

private func withSocketAddress(_ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
    // The socket API takes addresses through a pointer to their common header.
    withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}
