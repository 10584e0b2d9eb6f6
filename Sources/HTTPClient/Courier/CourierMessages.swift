// SPDX-License-Identifier: Apache-2.0

/// The options of a courier.
package struct HTTPCourierOptions: Sendable {
    /// Threads. libcurl's cost of an exchange grows with the number of concurrent ones, so several shards are faster than one.
    package var shards = 2
    /// The limit of concurrent exchanges and of connections in each shard.
    package var exchangesPerShard = 1_000
    /// The limit of queued requests in each shard; above it requests are rejected.
    package var waitingPerShard = 4_000
    /// The time limit for name lookup, connection and TLS together, within the request's limit.
    package var connectTimeout = Duration.seconds(10)
    /// The limit of response body bytes that are read, for requests without a receiver.
    package var responseBytes = 4 << 10
    /// Whether the threads give precedence to all others. Otherwise they are as urgent as those that take requests.
    package var givesPrecedence = true
    /// The time for which a resolved address is used for new connections. A connection is used for at most ten times as long.
    package var nameLifetime = Duration.seconds(60)
    /// The time for which a `DirectCourier` keeps an idle connection. Servers close theirs after five seconds or more, and a request that is sent
    /// at that time is lost.
    package var longestIdle = Duration.seconds(4)
    /// A PEM file with the authorities to trust instead of the system's.
    package var certificateFile: String?

    package init() {}
}

/// The head of a response, known with its first byte.
package struct CourierHead: Sendable {
    package var status: Int
    /// The raw `Content-Type` field.
    package var contentType: String?

    package init(status: Int, contentType: String?) { (self.status, self.contentType) = (status, contentType) }
}

/// Takes a response piece by piece on the courier's thread, where it must not wait. Returning false ends the exchange there, without a failure.
package typealias CourierReceiver = @Sendable (CourierHead, [UInt8]) -> Bool

/// The part of a request that a worker program needs instead of an address.
package struct WorkerCall: Sendable {
    /// The number of the function.
    package var function: Int64
    /// The ID that the program sees, the same for all attempts.
    package var id: String
    /// A key that the program may use.
    package var token: String?
    package var wantsEvents: Bool
    /// The user of a call, to whom lines of the log belong.
    package var user: String?

    package init(function: Int64, id: String, token: String?, wantsEvents: Bool = false, user: String? = nil) {
        (self.function, self.id, self.token, self.wantsEvents, self.user) = (function, id, token, wantsEvents, user)
    }
}

package struct CourierRequest: Sendable {
    package enum Content: Sendable {
        case get
        case post([UInt8])
    }

    /// The caller's number, returned with the result.
    package var id: Int64
    package var url: String
    package var content: Content
    /// Two lists, because one is usually shared by many requests and then costs nothing.
    package var sharedFields: [HTTPField]
    package var fields: [HTTPField]
    /// The time limit of the whole exchange.
    package var timeout: Duration
    /// Takes the body of the response; nil to have its beginning in the result.
    package var receiver: CourierReceiver?
    /// The function whose worker carries the request out; nil for one to an address.
    package var worker: WorkerCall?
    /// Whether the request may be sent again after some of it was written to a kept connection that then ended without a response. The receiver
    /// may have carried it out. True of requests without a body only, unless it is set.
    package var isRepeatable: Bool

    /// Creates a request to the worker of a function. The body is an object with `data` and `context`.
    package init(id: Int64, _ worker: WorkerCall, _ body: [UInt8], timeout: Duration) {
        self.init(id: id, url: "", .post(body), timeout: timeout)
        self.worker = worker
    }

    package init(
        id: Int64, url: String, _ content: Content, sharedFields: [HTTPField] = [], fields: [HTTPField] = [], timeout: Duration = .seconds(15),
        receiver: CourierReceiver? = nil
    ) {
        self.id = id
        self.url = url
        self.content = content
        self.sharedFields = sharedFields
        self.fields = fields
        self.timeout = timeout
        self.receiver = receiver
        isRepeatable = if case .get = content { true } else { false }
    }

    var isSecure: Bool { starts(with: "https://") }

    /// Validates the URL before sending: libcurl would guess a missing scheme, and end the URL at a zero byte.
    var failure: CourierFailure? {
        guard isSecure || starts(with: "http://") else { return .unsupportedScheme }
        return url.utf8.contains(0) ? .badURL : nil
    }

    private func starts(with scheme: StaticString) -> Bool {
        scheme.withUTF8Buffer { scheme in
            url.utf8.count > scheme.count && zip(url.utf8, scheme).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }
}

package struct CourierResult: Sendable {
    package var id: Int64
    /// The HTTP status; 0 without a response. With a failure the response is incomplete.
    package var status = 0
    /// The failure; `nil` if a response was received, whatever its status.
    package var failure: CourierFailure?
    /// The first bytes of the response body.
    package var response: [UInt8] = []
    /// The raw `Retry-After` field.
    package var retryAfter: String?
    /// Whether the response is an error of the courier's own, which the target does not state.
    package var isOwnError = false
    package var milliseconds = 0

    package init(id: Int64, _ failure: CourierFailure? = nil) {
        self.id = id
        self.failure = failure
    }
}

/// The reason for a missing or incomplete response. The names are stable, for delivery logs and metrics.
package enum CourierFailure: String, Error, CaseIterable {
    case badURL = "bad_url"
    case unsupportedScheme = "unsupported_scheme"
    case couldNotResolve = "could_not_resolve"
    case couldNotConnect = "could_not_connect"
    /// The address policy forbids the resolved address, or with a proxy the host.
    case blockedAddress = "blocked_address"
    /// The policy forbids the port.
    case blockedPort = "blocked_port"
    /// The proxy could not be reached, or it did not connect to the receiver.
    case proxyFailed = "proxy_failed"
    case tlsFailed = "tls_failed"
    case certificateRejected = "certificate_refused"
    case timedOut = "timed_out"
    /// The receiver closed the connection without a response.
    case noResponse = "no_answer"
    case connectionReset = "connection_reset"
    /// The response is not HTTP, is incomplete, or its head exceeds the limit.
    case badResponse = "bad_answer"
    /// The courier was stopped.
    case cancelled
    /// Any other local failure.
    case failed
}
