// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The client of systemd's notification and socket activation protocols. Without a service manager it does nothing.
package struct ServiceManager: Sendable {
    /// The watchdog interval; `nil` without a watchdog.
    package let watch: Duration?
    /// The listening sockets passed by the service manager, which keeps them open.
    package let sockets: [PassedSocket]
    private let address: String?

    package struct PassedSocket: Equatable, Sendable {
        package var descriptor: Int32
        package var name: String
    }

    package init(_ environment: [String: String] = ProcessEnvironment.variables, process: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"]
        // The variables are meant for another process.
        func isMeant(_ variable: String) -> Bool { environment[variable].map { $0 == String(process) } ?? true }
        watch = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { microseconds in
            microseconds >= 2_000 && isMeant("WATCHDOG_PID") ? .microseconds(microseconds) : nil
        }
        sockets = environment["LISTEN_PID"] != nil && isMeant("LISTEN_PID") ? ServiceManager.sockets(environment) : []
    }

    private static func sockets(_ environment: [String: String]) -> [PassedSocket] {
        // The first descriptor after the standard streams. More than a few hundred indicate a mistake.
        guard let count = environment["LISTEN_FDS"].flatMap(Int32.init), (1...256).contains(count) else { return [] }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        return (0..<count).map { index in
            PassedSocket(descriptor: 3 + index, name: names.indices.contains(Int(index)) ? names[Int(index)] : "unknown")
        }
    }

    package enum News: Equatable, Sendable {
        case ready
        case reloading(monotonicMicroseconds: Int64)
        case stopping
        /// The watchdog's keep-alive.
        case alive
        /// The status line of `systemctl status`.
        case status(String)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            case .status(let text): "STATUS=\(News.oneLine(text))"
            }
        }

        /// Replaces line ends, which would begin another assignment.
        private static func oneLine(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl || $0.isLineBreak ? " " : $0 }))
        }
    }

    package var isThere: Bool { address != nil }

    /// Sends all assignments in one message. Errors are ignored.
    package func tell(_ news: News...) {
        guard let address else { return }
        DatagramSocket.send(Array(news.map(\.text).joined(separator: "\n").utf8), to: address)
    }

    /// The monotonic time with which systemd orders a reload and the readiness after it.
    package static var monotonicMicroseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

private enum DatagramSocket {
    /// Sends to a path, or to an abstract name after `@`; waits at most a second.
    static func send(_ bytes: [UInt8], to name: String) {
        guard case (var address, let size)? = address(name) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // The socket API takes addresses through a pointer to their common header.
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }

    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        // Copied into the structure's fixed array. A path is zero-terminated; an abstract name has its exact length.
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            unsafe room.copyBytes(from: bytes)
            return true
        }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        return fits ? (address, socklen_t(head + bytes.count)) : nil
    }
}
