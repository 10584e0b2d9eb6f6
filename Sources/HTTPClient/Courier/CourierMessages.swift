// SPDX-License-Identifier: Apache-2.0

/// How much a courier does at once, and what it demands of receivers.
package struct HTTPCourierOptions: Sendable {
    /// Threads. What libcurl does for one exchange grows with those it holds beside it, so several of a thousand do better than one of many.
    package var shards = 2
    /// Exchanges at once in each shard, and the most connections it holds.
    package var exchangesPerShard = 1_000
    /// Requests taken and not yet started in each shard; beyond it they are refused.
    package var waitingPerShard = 4_000
    /// For the name, the connection and TLS together; the request's own limit holds as well.
    package var connectTimeout = Duration.seconds(10)
    /// How many bytes of an answer are read; the rest is of no interest.
    package var responseBytes = 4 << 10
    /// How long an address found for a name is used for new connections; a connection serves ten times as long at most.
    package var nameLifetime = Duration.seconds(60)
    /// The authorities to trust instead of the system's, as a PEM file.
    package var certificateFile: String?

    package init() {}
}

package struct CourierRequest: Sendable {
    package enum Content: Sendable {
        case get
        case post([UInt8])
    }

    /// The caller's own number, which the result carries.
    package var id: Int64
    package var url: String
    package var content: Content
    /// Two lists, since one is mostly the same for many requests and then costs nothing.
    package var sharedFields: [HTTPField]
    package var fields: [HTTPField]
    /// For the whole exchange, from its start to the last byte that is read.
    package var timeout: Duration

    package init(
        id: Int64, url: String, _ content: Content, sharedFields: [HTTPField] = [], fields: [HTTPField] = [], timeout: Duration = .seconds(15)
    ) {
        self.id = id
        self.url = url
        self.content = content
        self.sharedFields = sharedFields
        self.fields = fields
        self.timeout = timeout
    }

    var isSecure: Bool { starts(with: "https://") }

    /// What is wrong with it before anything is done: libcurl would guess at an address without a scheme, and end it at a zero.
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
    /// 0 where no answer came. With a failure beside it the answer began and did not come to its end.
    package var status = 0
    /// Nil where an answer came, whatever its status: whole, or as much of it as is read.
    package var failure: CourierFailure?
    /// The first bytes of the answer's body.
    package var response: [UInt8] = []
    /// The field `Retry-After` as it came.
    package var retryAfter: String?
    package var milliseconds = 0

    package init(id: Int64, _ failure: CourierFailure? = nil) {
        self.id = id
        self.failure = failure
    }
}

/// Why there is no whole answer: words that stay the same, for logs of attempts and for counting.
package enum CourierFailure: String, Sendable, CaseIterable {
    case badURL = "bad_url"
    case unsupportedScheme = "unsupported_scheme"
    case couldNotResolve = "could_not_resolve"
    case couldNotConnect = "could_not_connect"
    /// The check of addresses forbade where the name leads.
    case blockedAddress = "blocked_address"
    case tlsFailed = "tls_failed"
    case certificateRefused = "certificate_refused"
    case timedOut = "timed_out"
    /// The receiver closed the connection without a word.
    case noAnswer = "no_answer"
    case connectionReset = "connection_reset"
    /// What came is no HTTP, breaks off, or has a head without end.
    case badAnswer = "bad_answer"
    /// The courier was stopped first.
    case cancelled
    /// Nothing of the above: this side could not do its part.
    case failed
}
