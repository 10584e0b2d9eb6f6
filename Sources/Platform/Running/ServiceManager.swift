// SPDX-License-Identifier: Apache-2.0

import CLinux
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

    package enum Notification: Equatable, Sendable {
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
            case .status(let text): "STATUS=\(Notification.oneLine(text))"
            }
        }

        /// Replaces line ends, which would begin another assignment.
        private static func oneLine(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl || $0.isLineBreak ? " " : $0 }))
        }
    }

    package var isThere: Bool { address != nil }

    /// Sends all assignments in one message. Errors are ignored.
    package func notify(_ notifications: Notification...) {
        guard let address else { return }
        let text = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        unsafe clinux_send_datagram(address, text, text.count)
    }

    /// The monotonic time with which systemd orders a reload and the readiness after it.
    package static var monotonicMicroseconds: Int64 { SystemClock.nanoseconds(CLOCK_MONOTONIC) / 1_000 }
}
