// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// The response of a request that is given later, from any thread, and once. It is counted and logged.
struct PendingReply: Sendable {
    private let reply: HTTPReply
    private let watch: Watch

    init(_ reply: HTTPReply, _ watch: Watch) {
        (self.reply, self.watch) = (reply, watch)
    }

    func send(_ response: HTTPResponse) {
        var response = response
        watch.finish(&response)
        reply.send(response)
    }

    func refuse(_ refusal: Refusal) { reply.send(watch.response(to: refusal)) }

    /// The loop of the request's connection.
    var loop: SocketLoopHandle { reply.loop }

    /// Tells an observer if the client leaves before the response.
    func observe(_ observer: any ConnectionObserver) { reply.observe(observer) }

    /// Begins a response of events. It counts as given now.
    func stream(headers: [(name: String, value: String)], _ source: (HTTPEventSink) -> any HTTPEventSource) {
        watch.finish(status: 200)
        reply.stream(status: 200, headers: headers + watch.headersForPages, source)
    }
}
