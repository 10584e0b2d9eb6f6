// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// Options of the HTTP server. The body limit is not among them: `HTTPPlan` brings that of the route (`server.max_body` or a limit of its own).
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
        package var header = Duration.seconds(10)
        package var bodyGrace = Duration.seconds(10)
        package var idle = Duration.seconds(60)
        package var write = Duration.seconds(30)
        /// The time for which a client may receive nothing of a large response while requests wait for memory.
        package var unreadResponse = Duration.seconds(2)
        /// The time for which a request waits for memory for a large response; zero refuses it at once.
        package var responseTurn = Duration.seconds(10)
        /// The time for which the rest of a rejected request is read, so that the client can read the response.
        package var linger = Duration.seconds(2)
        /// The time in which an idle connection may send one more request while the server drains and another process takes over its socket. A proxy
        /// that loses all connections at once would retry its requests on others that are closing too.
        package var lastCall = Duration.milliseconds(250)
        /// The minimum rate of request bodies and of reading responses.
        package var minimumBytesPerSecond = 1_024

        package init() {}
    }

    package struct Caps: Sendable {
        package var head = HeadLimits()
        package var connections = 20_000
        package var connectionsPerAddress = 1_024
        /// File descriptors reserved for files; accepting pauses when only these are left.
        package var reservedDescriptors = 128
        /// The process's limit of file descriptors; `nil` asks the system.
        package var descriptors: Int?
        /// The limits of uploads and sent files at a time, in total and for a client.
        package var transfers = 512
        package var transfersPerClient = 16
        package var requestMemory = 192 << 20
        /// Memory for large responses until their clients have received them.
        package var responseMemory = 256 << 20
        /// The limit of requests that wait for memory for large responses. Those of an address with one key may be as many as its connections.
        var waitingResponses = 4_096
        /// The limit of asynchronous handlers waiting to start.
        var waitingTasks = 1_024
        /// The limits of bodies waiting to be scanned for a key, in total and for a client.
        package var waitingScans = 256
        package var waitingScansPerClient = 32
        /// The limits of large bodies waiting to be decoded, in total and for a client and key.
        package var waitingDecodes = 512
        package var waitingDecodesPerShare = 64
        /// Threads that decode large bodies: all cores but one, which serves connections and commits.
        package var decodeThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
        /// Buffered bytes of a streamed response at which its writer is suspended.
        var streamHighMark = 256 * 1_024

        package init() {}
    }

    package var listen: [Endpoint]
    /// Listening TCP or Unix sockets passed by the parent process; they replace `listen` and `proxySocket`.
    package var passedSockets: [Int32] = []
    /// A socket file with mode 0660 for a proxy, which names its clients. A stale file is replaced.
    package var proxySocket: String?
    /// A socket file with mode 0600 for the operator. A stale file is replaced.
    package var controlSocket: String?
    package var loops = 2
    /// Threads for uploads and sent files; each starts when those before it are busy.
    package var transferLoops = 2
    package var backlog: Int32 = 1_024
    package var deadlines = Deadlines()
    package var caps = Caps()
    /// Connections of trusted proxies, and requests they make for themselves, are exempt from the limits for an address; a forwarded
    /// request counts for its client.
    package var trustedProxies = ["127.0.0.0/8", "::1/128"].compactMap(AddressRange.init)

    package init(listen: [Endpoint] = [], controlSocket: String? = nil) {
        self.listen = listen
        self.controlSocket = controlSocket
    }

    package static let settings: [Setting<HTTPServerConfiguration>] = [
        Setting("loops", .count(1...64, "threads"), \.loops, "Threads that serve connections"),
        Setting(
            "transfer_loops", .count(1...64, "threads"), \.transferLoops, "Threads that receive uploads and send files; started when needed"),
        Setting(
            "max_transfers", .count(1...1_000_000, "transfers"), \.caps.transfers, "Limit of uploads and sent files at a time"),
        Setting(
            "max_transfers_per_client", .count(1...1_000_000, "transfers"), \.caps.transfersPerClient,
            "The same for an address that is not a trusted proxy"),
        Setting(
            "max_connections", .count(1...1_000_000, "connections"), \.caps.connections,
            "Limit of open connections; the process needs as many file descriptors"),
        Setting(
            "max_connections_per_address", .count(1...1_000_000, "connections"), \.caps.connectionsPerAddress,
            "Limit of open connections from an address that is not a trusted proxy"),
        Setting(
            "trusted_proxies", .addressRanges, \.trustedProxies,
            "Peers whose X-Forwarded-For is used; every peer of a socket file is one"),
        Setting(
            "header_timeout", .duration(shortest ... .seconds(3_600)), \.deadlines.header, "Time limit for receiving the request head"),
        Setting("idle_timeout", .duration(shortest ... .seconds(24 * 3_600)), \.deadlines.idle, "Time after which an idle connection is closed"),
        Setting(
            "write_timeout", .duration(shortest ... .seconds(3_600)), \.deadlines.write, "Time limit for a client that does not read its response"),
        Setting(
            "body_grace", .duration(shortest ... .seconds(3_600)), \.deadlines.bodyGrace,
            "Time by which a body may fall behind its minimum rate; also the longest pause in it"),
        Setting("body_min_rate", .size(1...1 << 30), \.deadlines.minimumBytesPerSecond, "Minimum rate of a request body in bytes a second"),
        Setting(
            "max_header_bytes", .size(1 << 10...1 << 20), \.caps.head.headerBytes, "Size limit of request line and header fields together"),
        Setting(
            "request_memory", .size(96 << 20...1 << 40), \.caps.requestMemory,
            "Memory for all requests until they are answered: bodies and decoded values. At least six of the largest bodies"),
    ]

    private static let shortest = Duration.milliseconds(100)
}

/// The reason why the server could not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case invalidAddress(String)
    /// The address and the system's error.
    case cannotListen(String, String)
    case notListening(Int32)
    case outOfDescriptors(String)

    package var description: String {
        switch self {
        case .invalidAddress(let text): "\(text) is not an address to listen on"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .notListening(let descriptor): "passed descriptor \(descriptor) is not a listening stream socket"
        case .outOfDescriptors(let reason): "cannot set up an event loop: \(reason)"
        }
    }
}
