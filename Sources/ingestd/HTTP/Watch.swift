// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// Counts, times and logs one request.
struct Watch: Sendable {
    let route: Route
    private let daemon: Daemon
    private let head: HTTPRequestHead
    private let start = ContinuousClock.now

    init(_ daemon: Daemon, _ route: Route, _ head: HTTPRequestHead) {
        self.daemon = daemon
        self.route = route
        self.head = head
    }

    func finish(_ response: inout HTTPResponse) {
        if route.isIngest { response.headers += CrossOrigin.headers(head, daemon.configuration.now.server.corsOrigins) }
        finish(status: response.status)
    }

    func finish(status: Int) {
        let time = ContinuousClock.now - start
        daemon.requests.count(route: route.pattern, status: status, time)
        let id = head.requestID
        daemon.log.debug("request", ["method": .text(head.method.name), "route": .text(route.pattern), "status": .count(status), "id": .text(id)])
    }
}
