// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import Synchronization

/// The running HTTP server, from its start to the end of its drain.
///
/// The server holds the handlers and they hold this object; `take` breaks the cycle when the daemon drains.
final class ServerHandle: Sendable {
    private let server = Mutex<HTTPServer?>(nil)
    private let configuration: LiveConfiguration

    init(_ configuration: LiveConfiguration) {
        self.configuration = configuration
    }

    func put(_ made: HTTPServer) {
        server.withLock { $0 = made }
    }

    func take() -> HTTPServer? {
        server.withLock { $0.take() }
    }

    /// The address it is bound to, with the port that the system chose if the configuration says 0.
    var address: ListenAddress {
        let (bound, socket) = server.withLock { ($0?.endpoint, $0?.proxySocket) }
        if let bound, let host = IPAddress(bound.host) { return ListenAddress(host, port: bound.port) }
        return socket.map { .unix(path: $0) } ?? configuration.now.server.listen
    }

    /// The host and port of URLs for clients. Behind a proxy's socket only the proxy knows them, so `localhost` stands in their place.
    var authority: String {
        switch address {
        case .tcp: "\(address)"
        case .unix: "localhost"
        }
    }

    var connections: Int { statistics?.connections ?? 0 }
    var statistics: HTTPServerStatistics? { server.withLock { $0?.statistics } }
    var hasPassedSockets: Bool { server.withLock { $0?.hasPassedSockets ?? false } }
    /// Whether every event loop has turned since the last call; nil without a server.
    var hasIterated: Bool? { server.withLock { $0?.hasIterated() } }
}
