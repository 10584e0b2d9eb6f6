// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The service manager that started this process, spoken to as systemd wants it; where none did, nothing is told.
package struct ServiceManager: Sendable {
    /// How often it wants to hear from a process that is well; nil where it does not keep watch.
    package let watch: Duration?
    /// The listening sockets that it bound for this process, and keeps when this process ends.
    package let sockets: [PassedSocket]
    private let address: String?

    package struct PassedSocket: Equatable, Sendable {
        package var descriptor: Int32
        package var name: String
    }

    package init(_ environment: [String: String] = ProcessEnvironment.variables, process: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"]
        // What was meant for a parent is none of our business.
        func isMeant(_ variable: String) -> Bool { environment[variable].map { $0 == String(process) } ?? true }
        watch = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { microseconds in
            microseconds >= 2_000 && isMeant("WATCHDOG_PID") ? .microseconds(microseconds) : nil
        }
        sockets = environment["LISTEN_PID"] != nil && isMeant("LISTEN_PID") ? ServiceManager.sockets(environment) : []
    }

    private static func sockets(_ environment: [String: String]) -> [PassedSocket] {
        // The first descriptor behind the standard streams; more than a few hundred are a mistake.
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
        /// What `watch` waits for.
        case alive
        /// A line for who asks how the service is.
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

        /// A line end would begin the next assignment.
        private static func oneLine(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl || $0.isLineBreak ? " " : $0 }))
        }
    }

    package var isThere: Bool { address != nil }

    /// Says all of it at once. A manager that does not listen changes nothing for this process.
    package func tell(_ news: News...) {
        guard let address else { return }
        DatagramSocket.send(Array(news.map(\.text).joined(separator: "\n").utf8), to: address)
    }

    /// Now, on the clock by which it orders a reload and the readiness after it.
    package static var monotonicMicroseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

private enum DatagramSocket {
    /// To a path, or behind `@` to a name that only the kernel knows; waits at most a second for a reader who is slow.
    static func send(_ bytes: [UInt8], to name: String) {
        guard case (var address, let size)? = address(name) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // The socket API takes every kind of address through a pointer to the common beginning.
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
        // Copied into the structure's fixed array; a path needs the zero behind it, a kernel's name its exact length.
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            unsafe room.copyBytes(from: bytes)
            return true
        }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        return fits ? (address, socklen_t(head + bytes.count)) : nil
    }
}
