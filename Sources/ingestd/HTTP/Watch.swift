// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// Counts, times and logs one request.
struct Watch: Sendable {
    let route: Route
    let head: HTTPRequestHead
    private let requests: RequestMetrics
    private let configuration: LiveConfiguration
    private let log: Log
    private let start = ContinuousClock.now

    init(_ route: Route, _ head: HTTPRequestHead, _ requests: RequestMetrics, _ configuration: LiveConfiguration, _ log: Log) {
        (self.route, self.head, self.requests, self.configuration, self.log) = (route, head, requests, configuration, log)
    }

    func finish(_ response: inout HTTPResponse) {
        response.headers += headersForPages
        finish(status: response.status)
    }

    /// Returns the finished response to a refusal.
    func response(to refusal: Refusal) -> HTTPResponse {
        var response = route.response(to: refusal, head)
        finish(&response)
        return response
    }

    /// Header fields with which pages of other origins may read the response.
    var headersForPages: [(name: String, value: String)] {
        route.isForPages ? CrossOrigin.headers(head) { configuration.server.corsOrigins } : []
    }

    func finish(status: Int) {
        let time = ContinuousClock.now - start
        requests.count(route: route.pattern, status: status, time)
        let id = head.requestID
        log.debug("request", ["method": .text(head.method.name), "route": .text(route.pattern), "status": .count(status), "id": .text(id)])
    }
}
