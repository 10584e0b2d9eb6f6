// SPDX-License-Identifier: Apache-2.0

import Glibc

package struct HTTPServerConfiguration: Sendable {
    package struct Endpoint: Sendable, Equatable {
        package var host: String
        /// 0 lets the system choose; `HTTPServer.port` says what it chose.
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    package struct Deadlines: Sendable {
        /// From the first byte of a head to its last.
        package var header = Duration.seconds(10)
        /// How far a body may fall behind the minimum rate, and so how long it may say nothing at most.
        package var bodyGrace = Duration.seconds(10)
        /// How long a connection may say nothing between two requests.
        package var idle = Duration.seconds(60)
        /// The same for a client that takes an answer.
        package var write = Duration.seconds(30)
        /// How long the rest of a refused request is still read, so that the client gets to see the answer.
        package var linger = Duration.seconds(2)
        /// How long a kept connection may bring one more request while the server drains, where another takes over its socket. A proxy that
        /// lost all of them at the same moment would send requests over one after the other before it has seen that they are gone.
        package var lastCall = Duration.milliseconds(250)
        /// The slowest that a body may come or an answer may be taken.
        package var minimumBytesPerSecond = 1_024

        package init() {}
    }

    package struct Caps: Sendable {
        package var head = HeadLimits()
        package var connections = 10_000
        package var connectionsPerAddress = 256
        /// Descriptors kept free for files; accepting pauses when only these are left.
        package var reservedDescriptors = 128
        /// What the process may open; nil asks the system.
        package var descriptors: Int?
        /// Bytes that all requests together may hold in memory until they are answered: bodies, and what is made of them.
        package var requestMemory = 192 << 20
        /// Asynchronous handlers that may wait to be started.
        package var waitingTasks = 1_024
        /// Bodies that may wait until the key in them is looked for, in all and of one client.
        package var waitingScans = 256
        package var waitingScansPerClient = 32
        /// Large bodies that may wait to be decoded, in all and of one client and account.
        package var waitingDecodes = 512
        package var waitingDecodesPerShare = 64
        /// Threads that decode large bodies: all cores but one, which is for connections and commits.
        package var decodeThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
        /// Bytes of a streamed answer that may wait for a slow client before its writer is suspended.
        package var streamHighMark = 256 * 1_024

        package init() {}
    }

    package var listen: [Endpoint]
    /// Listening sockets of TCP or Unix that the process's parent has bound and keeps open; they replace `listen` and `proxySocket`.
    package var passedSockets: [Int32] = []
    /// A socket file with mode 0660 for a proxy, whose clients are the ones it names or unknown; a stale one is replaced.
    package var proxySocket: String?
    /// A socket file with mode 0600 whose peers are the operator; a stale one is replaced.
    package var controlSocket: String?
    package var loops = 2
    package var backlog: Int32 = 1_024
    package var deadlines = Deadlines()
    package var caps = Caps()
    /// CIDR blocks of the proxies whose `X-Forwarded-For` is believed. Their connections, and requests they make for themselves, are
    /// exempt from the caps per address; what they forward counts for its client.
    package var trustedProxies = ["127.0.0.0/8", "::1"]

    package init(listen: [Endpoint], controlSocket: String? = nil) {
        self.listen = listen
        self.controlSocket = controlSocket
    }
}

/// Why a server could not be set up.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case invalidProxy(String)
    case invalidAddress(String)
    /// What was tried, and the system's own words.
    case cannotListen(String, String)
    case notListening(Int32)
    case outOfDescriptors(String)

    package var description: String {
        switch self {
        case .invalidProxy(let text): "\(text) is not an address or CIDR block"
        case .invalidAddress(let text): "\(text) is not an address to listen on"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .notListening(let descriptor): "the descriptor \(descriptor) that was passed to this process is no listening stream socket"
        case .outOfDescriptors(let reason): "cannot set up an event loop: \(reason)"
        }
    }
}
